import { Problem } from "../domain/problems.ts";

/** One member of `Accept` or `Accept-Encoding`: lower-case, with its weight from 0 to 1. */
interface Preference {
  readonly name: string;
  readonly weight: number;
}

/** Headers that were parsed: most callers send the same few. */
const parsed = new Map<string, readonly Preference[]>();
const MAX_PARSED = 100;

function parsePreferences(header: string): readonly Preference[] {
  const known = parsed.get(header);
  if (known) return known;
  if (parsed.size >= MAX_PARSED) parsed.clear();
  const preferences = header.split(",").flatMap((member) => {
    const [name = "", ...parameters] = member.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((p) => p.startsWith("q="))?.slice(2);
    if (name === "" || (weight !== undefined && !/^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight))) return [];
    return [{ name, weight: Number(weight ?? 1) }];
  });
  parsed.set(header, preferences);
  return preferences;
}

/** Returns the weight of a media type in `Accept`, 0 for excluded (RFC 9110 section 12.5.1). The most specific range decides. */
function getTypeWeight(accept: string | undefined, mediaType: string): number {
  const ranges = parsePreferences(accept ?? "");
  if (ranges.length === 0) return 1;
  for (const range of [mediaType, `${mediaType.slice(0, mediaType.indexOf("/"))}/*`, "*/*"]) {
    let weight: number | undefined;
    for (const one of ranges) if (one.name === range) weight = Math.max(weight ?? 0, one.weight);
    if (weight !== undefined) return weight;
  }
  return 0;
}

/** Returns true if `Accept` allows the media type. */
export function acceptsType(accept: string | undefined, mediaType: string): boolean {
  return getTypeWeight(accept, mediaType) > 0;
}

/** Returns the offered media type with the highest weight in `Accept`. Throws `not_acceptable` if it excludes all. */
export function chooseMediaType<M extends string>(accept: string | undefined, offered: readonly [M, ...M[]]): M {
  const [first] = offered;
  const best = offered.reduce((a, b) => (getTypeWeight(accept, b) > getTypeWeight(accept, a) ? b : a), first);
  if (acceptsType(accept, best)) return best;
  throw new Problem("not_acceptable", `The Accept header excludes ${first}, the media type of the answer`);
}

/** Throws `not_acceptable` if `Accept` excludes the media type. */
export function requireAcceptable(accept: string | undefined, mediaType: string): void {
  chooseMediaType(accept, [mediaType]);
}

/** Returns true if `Accept-Encoding` allows gzip (RFC 9110 section 12.5.3). */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return acceptsCoding(acceptEncoding, "gzip", "x-gzip");
}

/** Returns true if `Accept-Encoding` allows a coding, which may have several names. */
export function acceptsCoding(acceptEncoding: string | undefined, ...names: readonly string[]): boolean {
  const codings = parsePreferences(acceptEncoding ?? "");
  const named = codings.find((c) => names.includes(c.name)) ?? codings.find((c) => c.name === "*");
  return named !== undefined && named.weight > 0;
}
