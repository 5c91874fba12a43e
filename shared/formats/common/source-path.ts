import { LIMITS } from "../../domain/limits.ts";

/** A position in a source: the label of the source and a path of names. */
export interface SourcePath {
  /** Undefined for a source without a name, such as content in a call. */
  readonly label: string | undefined;
  readonly path: readonly string[];
}

export function appendPath({ label, path }: SourcePath, ...names: readonly string[]): SourcePath {
  return { label, path: [...path, ...names] };
}

/**
 * Returns the member `origin` of an object: the label, `#`, and the path as JSON pointer in a URI (RFC 6901, section
 * 6). Returns nothing without a label, or if the result is longer than a URL may be.
 */
export function toOrigin({ label, path }: SourcePath): { readonly origin?: string } {
  if (label === undefined) return {};
  const pointer = path
    .map((name) => `/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`)
    .join("");
  const origin = path.length === 0 ? label : [label, pointer].join("#");
  return origin.length <= LIMITS.urlCharacters ? { origin } : {};
}
