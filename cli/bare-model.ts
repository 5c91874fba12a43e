/** A bare word names a model by its key. */
export function refOf(word: string): string {
  return /^(id|key):/.test(word) ? word : `key:${word}`;
}
