/** Begins the key of an object that the document at hand does not have; no key of a model has it. */
const MISSING = "\u0000";

/** The key of an object that only the other side of a comparison has, told apart from keys of this side. */
export function missingKey(key: string): string {
  return MISSING + key;
}

/** True for what `missingKey` answers. */
export function isMissingKey(key: string): boolean {
  return key.startsWith(MISSING);
}

/** A key as people read it. */
export function shownKey(key: string): string {
  return isMissingKey(key) ? key.slice(MISSING.length) : key;
}
