import { legalKey } from "../legal-key.ts";

/**
 * The name that an object is written with in a format that has no titles: its own name where a reader makes the key of it again
 * (`née` of `nee`), else its key.
 */
export function writtenName({ key, name }: { readonly key: string; readonly name?: string | undefined }): string {
  return name !== undefined && name !== key && legalKey(name) === key ? name : notBlank(key);
}

/** A key as a name that readers take: none is of spaces alone. */
export function notBlank(key: string): string {
  return key.trim() === "" ? "_" : key;
}

/** A key as the name of a file without its ending. */
export function fileName(key: string, ending: string): string {
  const safe = key.replace(/[^A-Za-z0-9._-]+/g, "_").replace(/^\.+/, "_");
  return `${safe === "" ? "model" : safe}${ending}`;
}
