import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { getHeader, type PlainResponse, type RequestHeaders } from "./request.ts";

/** Returns true if a transport can send the body. */
export type Fits = (body: string | Uint8Array) => boolean;

/** Returns true up to `LIMITS.responseBytes`. For transports that send the bytes unchanged. */
export const fitsAsBytes: Fits = (body) =>
  (typeof body === "string" ? Buffer.byteLength(body) : body.byteLength) <= LIMITS.responseBytes;

/** Compresses a large response by gzip if accepted. Throws `result_too_large` if it does not fit. */
export async function encode(response: PlainResponse, headers: RequestHeaders, fits: Fits): Promise<PlainResponse> {
  if (response.body.length * 3 <= LIMITS.compressAboveBytes) return response;
  const bytes = Buffer.from(response.body);
  if (bytes.byteLength <= LIMITS.compressAboveBytes) return response;
  const mayCompress = acceptsGzip(getHeader(headers, "accept-encoding"));
  if (!mayCompress) {
    if (fits(response.body)) return response;
    throw createTooLargeProblem(bytes.byteLength, "accept gzip, or request less with limit");
  }
  if (bytes.byteLength > LIMITS.inflatedResponseBytes)
    throw createTooLargeProblem(bytes.byteLength, "request less with limit");
  const body = await gzip(bytes);
  if (!fits(body)) throw createTooLargeProblem(bytes.byteLength, "request less with limit");
  return { ...response, headers: { ...addGzipSuffix(response.headers), "content-encoding": "gzip" }, body };
}

/** Adds the suffix of the compressed form to the entity tag (RFC 9110 section 8.8.3). */
function addGzipSuffix({ etag, ...headers }: PlainResponse["headers"]): PlainResponse["headers"] {
  return etag === undefined ? headers : { ...headers, etag: etag.replace(/"$/, `${FORM_SUFFIX.gzip}"`) };
}

function createTooLargeProblem(bytes: number, advice: string): Problem {
  return new Problem("result_too_large", `The result has ${bytes} bytes, which is too large for one answer; ${advice}`);
}

function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  // Loaded with the first large answer, not at startup.
  const zlib = process.getBuiltinModule("node:zlib");
  return new Promise((resolve, reject) => {
    zlib.gzip(bytes, { level: 1 }, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

/** One member of `Accept` or `Accept-Encoding`: lower-case, with its weight from 0 to 1. */
interface Preference {
  readonly name: string;
  readonly weight: number;
}

const cache = new Map<string, readonly Preference[]>();
const MAX_ENTRIES = 100;

function parsePreferences(header: string): readonly Preference[] {
  const entry = cache.get(header);
  if (entry) return entry;
  if (cache.size >= MAX_ENTRIES) cache.clear();
  const preferences = header.split(",").flatMap((member) => {
    const [name = "", ...parameters] = member.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((p) => p.startsWith("q="))?.slice(2);
    if (name === "" || (weight !== undefined && !/^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight))) return [];
    return [{ name, weight: Number(weight ?? 1) }];
  });
  cache.set(header, preferences);
  return preferences;
}

/** Returns the weight of a media type in `Accept`, 0 for excluded (RFC 9110 section 12.5.1). */
function getTypeWeight(accept: string | undefined, mediaType: string) {
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

/** Returns the offered media type with the highest weight. Throws `not_acceptable` if all are excluded. */
export function chooseMediaType<M extends string>(accept: string | undefined, mediaTypes: readonly [M, ...M[]]): M {
  const [first] = mediaTypes;
  const best = mediaTypes.reduce((a, b) => (getTypeWeight(accept, b) > getTypeWeight(accept, a) ? b : a), first);
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
  const preference = codings.find((c) => names.includes(c.name)) ?? codings.find((c) => c.name === "*");
  return preference !== undefined && preference.weight > 0;
}

/** An entity tag from a header, without quotes. */
export interface EntityTag {
  readonly opaque: string;
  readonly isWeak: boolean;
}

/** The requested form of an answer. Each form has its own entity tag. */
export interface AskedForm {
  readonly asRows: boolean;
  readonly takesGzip: boolean;
}

/** Returns the form that the headers request. `asRows` is true for a list in NDJSON. */
export function getAskedForm(headers: RequestHeaders, asRows: boolean): AskedForm {
  return { asRows, takesGzip: acceptsGzip(getHeader(headers, "accept-encoding")) };
}

/** Parses the tags of `If-Match` or `If-None-Match` (RFC 9110 8.8.3). Returns the text from the first fault. */
export function parseTags(header: string): readonly EntityTag[] | string {
  const element = /[\t ]*(?:(\*)|(W\/)?"([!#-~\u0080-\u00ff]*)")?[\t ]*(?:,|$)/y;
  const tags: EntityTag[] = [];
  for (let from = 0; from < header.length; from = element.lastIndex) {
    const [match, any, weak, opaque] = element.exec(header) ?? [];
    if (match === undefined) return header.slice(from).trim();
    const tag = any ?? opaque;
    if (tag !== undefined) tags.push({ opaque: tag, isWeak: weak !== undefined });
  }
  return tags;
}

/** Removes the suffixes for the form of the answer from a tag. */
export function stripForm(tag: string): string {
  return stripSuffix(stripSuffix(tag, FORM_SUFFIX.gzip), FORM_SUFFIX.rows);
}

/** Removes the suffixes from a tag of `If-None-Match`. "", which is never a tag, if it is of another form. */
export function toPlainTag(tag: string, { asRows, takesGzip }: AskedForm): string {
  if (tag === "*") return tag;
  const plain = stripSuffix(tag, FORM_SUFFIX.gzip);
  const isOther = plain.endsWith(FORM_SUFFIX.rows) !== asRows || (plain !== tag && !takesGzip);
  return isOther ? "" : stripSuffix(plain, FORM_SUFFIX.rows);
}

/** Returns the tag in `header` that the caller sent for its copy of the answer `tag`. */
export function findSentTag(tag: string, header: string, { asRows }: AskedForm): string {
  const plain = asRows ? tag + FORM_SUFFIX.rows : tag;
  const tags = parseTags(header);
  const values = typeof tags === "string" ? [] : tags.map(({ opaque }) => opaque);
  return [plain, plain + FORM_SUFFIX.gzip].find((one) => values.includes(one)) ?? plain;
}

function stripSuffix(tag: string, suffix: string) {
  return tag.endsWith(suffix) ? tag.slice(0, -suffix.length) : tag;
}

/** Suffixes of entity tags for other forms: one row per line, or compressed. */
export const FORM_SUFFIX = { rows: "-ndjson", gzip: "-gzip" } as const;

/** `Vary` of every answer: form, coding and cross-origin headers depend on these headers. */
export const VARY = "Origin, Accept, Accept-Encoding";
