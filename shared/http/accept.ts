import { Problem } from "../domain/problems.ts";

/** One member of `Accept` or `Accept-Encoding`: lower-case, with its weight from 0 to 1. */
interface Preference {
  readonly name: string;
  readonly weight: number;
}

function parsePreferences(header: string): readonly Preference[] {
  return header.split(",").flatMap((member) => {
    const [name = "", ...parameters] = member.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((p) => p.startsWith("q="))?.slice(2);
    if (name === "" || (weight !== undefined && !/^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight))) return [];
    return [{ name, weight: Number(weight ?? 1) }];
  });
}

/** How much `Accept` wants a media type, 0 for not at all (RFC 9110 section 12.5.1); the most specific range that covers it decides. */
function getTypeWeight(accept: string | undefined, mediaType: string): number {
  const ranges = parsePreferences(accept ?? "");
  if (ranges.length === 0) return 1;
  for (const range of [mediaType, `${mediaType.slice(0, mediaType.indexOf("/"))}/*`, "*/*"]) {
    const covering = ranges.filter((r) => r.name === range);
    if (covering.length > 0) return Math.max(...covering.map((r) => r.weight));
  }
  return 0;
}

/** True where `Accept` allows the media type. */
export function acceptsType(accept: string | undefined, mediaType: string): boolean {
  return getTypeWeight(accept, mediaType) > 0;
}

/** Of the forms an answer can have the one `Accept` wants most, the first of several; `not_acceptable` where it excludes all. */
export function chooseMediaType<M extends string>(accept: string | undefined, offered: readonly [M, ...M[]]): M {
  const [first] = offered;
  const best = offered.reduce((a, b) => (getTypeWeight(accept, b) > getTypeWeight(accept, a) ? b : a), first);
  if (acceptsType(accept, best)) return best;
  throw new Problem("not_acceptable", `The answer is ${first}, which the Accept header excludes`);
}

/** `not_acceptable` where `Accept` excludes the media type. */
export function requireAcceptable(accept: string | undefined, mediaType: string): void {
  chooseMediaType(accept, [mediaType]);
}

/** True where `Accept-Encoding` allows gzip (RFC 9110 section 12.5.3). */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return acceptsCoding(acceptEncoding, "gzip", "x-gzip");
}

/** True where `Accept-Encoding` allows a coding, which may have several names. */
export function acceptsCoding(acceptEncoding: string | undefined, ...names: readonly string[]): boolean {
  const codings = parsePreferences(acceptEncoding ?? "");
  const named = codings.find((c) => names.includes(c.name)) ?? codings.find((c) => c.name === "*");
  return named !== undefined && named.weight > 0;
}
