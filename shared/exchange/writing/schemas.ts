/**
 * The schemas of names that all are `schema.table` and of several schemas, as a reader makes them where there is more than one;
 * undefined where the names are those of tables alone.
 */
export function schemasOf(names: readonly string[]): ReadonlySet<string> | undefined {
  const isPlaced = names.every((name) => /^[^.]+\..+$/s.test(name));
  const schemas = new Set(names.map((name) => name.slice(0, name.indexOf("."))));
  return isPlaced && schemas.size > 1 ? schemas : undefined;
}
