/** A key that a name suggests: without accents, in lower case, with `_` between its words. */
export function keyOf(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 128);
}
