import { Problem } from "../domain/problems.ts";

/** One member of `Accept` or `Accept-Encoding`: lower-case, with its weight from 0 to 1. */
interface Preference {
  readonly name: string;
  readonly weight: number;
}

function preferences(header: string): readonly Preference[] {
  return header.split(",").flatMap((member) => {
    const [name = "", ...parameters] = member.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((p) => p.startsWith("q="))?.slice(2);
    if (name === "" || (weight !== undefined && !/^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight))) return [];
    return [{ name, weight: Number(weight ?? 1) }];
  });
}

/** True where `Accept` allows the media type (RFC 9110 section 12.5.1); the most specific range that covers it decides. */
export function acceptsType(accept: string | undefined, mediaType: string): boolean {
  const ranges = preferences(accept ?? "");
  if (ranges.length === 0) return true;
  for (const range of [mediaType, `${mediaType.slice(0, mediaType.indexOf("/"))}/*`, "*/*"]) {
    const covering = ranges.filter((r) => r.name === range);
    if (covering.length > 0) return covering.some((r) => r.weight > 0);
  }
  return false;
}

/** `not_acceptable` where `Accept` excludes the media type. */
export function requireAcceptable(accept: string | undefined, mediaType: string): void {
  if (acceptsType(accept, mediaType)) return;
  throw new Problem("not_acceptable", `The answer is ${mediaType}, which the Accept header excludes`);
}

/** True where `Accept-Encoding` allows gzip (RFC 9110 section 12.5.3). */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const codings = preferences(acceptEncoding ?? "");
  const named = codings.find((c) => c.name === "gzip" || c.name === "x-gzip") ?? codings.find((c) => c.name === "*");
  return named !== undefined && named.weight > 0;
}
