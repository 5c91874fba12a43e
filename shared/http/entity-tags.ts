import { acceptsGzip } from "./accept.ts";
import { getHeader, type RequestHeaders } from "./request.ts";

/** An entity tag as a header names it, without quotes. */
export interface EntityTag {
  readonly opaque: string;
  readonly isWeak: boolean;
}

/** The form of an answer that a caller asks for, as far as entity tags tell the forms of one answer apart. */
export interface AskedForm {
  readonly asRows: boolean;
  readonly takesGzip: boolean;
}

/** The form of an answer to these headers; `asRows` where it is a list whose rows come one by one. */
export function getAskedForm(headers: RequestHeaders, asRows: boolean): AskedForm {
  return { asRows, takesGzip: acceptsGzip(getHeader(headers, "accept-encoding")) };
}

/**
 * The entity tags of `If-Match` or `If-None-Match` (RFC 9110 sections 5.6.1 and 8.8.3), `*` among them: a tag may hold commas,
 * and an element may be empty. For a text that is no such list, the text from the first fault on.
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

/** A tag without the suffix for the form of its answer, whatever that is. */
export function stripForm(tag: string): string {
  return stripSuffix(stripSuffix(tag, FORM_SUFFIX.gzip), FORM_SUFFIX.rows);
}

/**
 * A tag of `If-None-Match` without the suffix for the form of its answer; empty, which no answer's tag is, where that is not
 * the asked form.
 */
export function toPlainTag(tag: string, { asRows, takesGzip }: AskedForm): string {
  if (tag === "*") return tag;
  const plain = stripSuffix(tag, FORM_SUFFIX.gzip);
  const isOther = plain.endsWith(FORM_SUFFIX.rows) !== asRows || (plain !== tag && !takesGzip);
  return isOther ? "" : stripSuffix(plain, FORM_SUFFIX.rows);
}

/** The tag that the caller sent for its copy of the answer `tag`: one of those in `header`. */
export function findSentTag(tag: string, header: string, { asRows }: AskedForm): string {
  const plain = asRows ? tag + FORM_SUFFIX.rows : tag;
  const tags = parseTags(header);
  const sent = typeof tags === "string" ? [] : tags.map(({ opaque }) => opaque);
  return [plain, plain + FORM_SUFFIX.gzip].find((one) => sent.includes(one)) ?? plain;
}

function stripSuffix(tag: string, suffix: string): string {
  return tag.endsWith(suffix) ? tag.slice(0, -suffix.length) : tag;
}

/** How an entity tag ends of an answer that goes out in another form than one JSON text: a row on each line, or compressed. */
export const FORM_SUFFIX = { rows: "-ndjson", gzip: "-gzip" } as const;

/** The `Vary` of every answer: its form, its coding and its cross-origin headers follow from these. */
export const VARY = "Origin, Accept, Accept-Encoding";
