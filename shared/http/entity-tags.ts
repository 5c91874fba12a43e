import { acceptsGzip } from "./accept.ts";
import { getHeader, type RequestHeaders } from "./request.ts";

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

/**
 * Parses the entity tags of `If-Match` or `If-None-Match` (RFC 9110 sections 5.6.1 and 8.8.3), including `*`. A tag may contain
 * commas, and list members may be empty. Returns the rest of the text from the first fault if it is malformed.
 */
export function parseTags(header: string): readonly EntityTag[] | string {
  const element = /[\t ]*(?:(\*)|(W\/)?"([!#-~\u0080-\u00ff]*)")?[\t ]*(?:,|$)/y;
  const tags: EntityTag[] = [];
  for (let from = 0; from < header.length; from = element.lastIndex) {
    const [whole, any, weak, opaque] = element.exec(header) ?? [];
    if (whole === undefined) return header.slice(from).trim();
    const tag = any ?? opaque;
    if (tag !== undefined) tags.push({ opaque: tag, isWeak: weak !== undefined });
  }
  return tags;
}

/** Removes the suffixes for the form of the answer from a tag. */
export function stripForm(tag: string): string {
  return stripSuffix(stripSuffix(tag, FORM_SUFFIX.gzip), FORM_SUFFIX.rows);
}

/**
 * Removes the suffixes from a tag of `If-None-Match`. Returns an empty text, which is never a tag, if the tag is of another form
 * than the requested one.
 */
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
  const sent = typeof tags === "string" ? [] : tags.map(({ opaque }) => opaque);
  return [plain, plain + FORM_SUFFIX.gzip].find((one) => sent.includes(one)) ?? plain;
}

function stripSuffix(tag: string, suffix: string): string {
  return tag.endsWith(suffix) ? tag.slice(0, -suffix.length) : tag;
}

/** The suffixes of entity tags for answers in another form than one JSON text: one row per line, or compressed. */
export const FORM_SUFFIX = { rows: "-ndjson", gzip: "-gzip" } as const;

/** The `Vary` header of every answer: form, coding and cross-origin headers depend on these headers. */
export const VARY = "Origin, Accept, Accept-Encoding";
