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

/** Returns `origin`: label, `#`, and path as JSON pointer (RFC 6901, section 6). Empty without label or if too long. */
export function toOrigin({ label, path }: SourcePath): { readonly origin?: string } {
  if (label === undefined) return {};
  const pointer = path
    .map((name) => `/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`)
    .join("");
  const origin = path.length === 0 ? label : [label, pointer].join("#");
  return origin.length <= LIMITS.urlCharacters ? { origin } : {};
}
