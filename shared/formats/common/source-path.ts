import { LIMITS } from "../../domain/limits.ts";

/** A place in a source: the label of the source, and the source's own names on the way to it. */
export interface SourcePath {
  /** Undefined for a source that nobody gave a name, such as content in a call. */
  readonly label: string | undefined;
  readonly path: readonly string[];
}

/** The place below another one. */
export function appendPath({ label, path }: SourcePath, ...names: readonly string[]): SourcePath {
  return { label, path: [...path, ...names] };
}

/**
 * The member `origin` of an object that came from a place: the label and, behind `#`, the path as a JSON pointer in a URI
 * (RFC 6901, section 6). Nothing for a source without a label, and for what would be longer than a URL may be.
 */
export function toOrigin({ label, path }: SourcePath): { readonly origin?: string } {
  if (label === undefined) return {};
  const pointer = path
    .map((name) => `/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`)
    .join("");
  const origin = path.length === 0 ? label : [label, pointer].join("#");
  return origin.length <= LIMITS.urlCharacters ? { origin } : {};
}
