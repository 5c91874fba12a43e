import { toLegalKey } from "../legal-key.ts";

/**
 * The name that an object is written with in a format that has no titles: its own name where a reader makes the key of it again
 * (`née` of `nee`), else its key.
 */
export function toWrittenName({ key, name }: { readonly key: string; readonly name?: string | undefined }): string {
  return name !== undefined && name !== key && toLegalKey(name) === key ? name : toNotBlank(key);
}

/** A key as a name that readers take: none is of spaces alone. */
export function toNotBlank(key: string): string {
  return key.trim() === "" ? "_" : key;
}

/** A key as the name of a file without its ending. */
export function toFileName(key: string, ending: string): string {
  const safe = key.replace(/[^A-Za-z0-9._-]+/g, "_").replace(/^\.+/, "_");
  return `${safe === "" ? "model" : safe}${ending}`;
}

/**
 * The schemas of names that all are `schema.table` and of several schemas, as a reader makes them where there is more than one;
 * undefined where the names are those of tables alone.
 */
export function findSchemas(names: readonly string[]): ReadonlySet<string> | undefined {
  const isPlaced = names.every((name) => /^[^.]+\..+$/s.test(name));
  const schemas = new Set(names.map((name) => name.slice(0, name.indexOf("."))));
  return isPlaced && schemas.size > 1 ? schemas : undefined;
}

/**
 * Names of one scope as words of letters of ASCII, digits and `_`, that begin with a letter and are all different. A name that is
 * one stays; in any other each run of other characters becomes one `_`.
 */
export function toUniqueWords(names: readonly string[], instead: string): readonly string[] {
  const taken = new Set(names.filter(isWord));
  return names.map((name) => {
    if (isWord(name)) return name;
    const bare = name.replace(/\W+/g, "_").replace(/^_+|_+$/g, "");
    const base = bare === "" ? instead : isWord(bare) ? bare : `_${bare}`;
    let word = base;
    for (let n = 2; taken.has(word); n++) word = `${base}_${n}`;
    taken.add(word);
    return word;
  });
}

/** True for a name that is a word: Avro, Mermaid and GraphQL take it as it is. */
function isWord(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** Something with a path of steps between dots. */
interface HasPath {
  readonly path: string;
}

/** Things below one step: one that ends there under its whole rest of a path, or those that lie below it. */
export type PathGroup<T extends HasPath> =
  | { readonly name: string; readonly own: T }
  | { readonly name: string; readonly inner: readonly T[]; readonly own?: undefined };

/**
 * Things by the first step of their paths, those below one step together. What does not stand together, or has an empty step,
 * keeps its whole path as a name, so that the order of all of them stays.
 */
export function groupByPath<T extends HasPath>(things: readonly T[]): readonly PathGroup<T>[] {
  const groups: { name: string; inner: T[]; own?: T }[] = [];
  for (const thing of things) {
    const [name, rest] = splitFirstStep(thing.path);
    const last = groups.at(-1);
    if (rest === undefined) groups.push({ name: thing.path, inner: [], own: thing });
    else if (last && !last.own && last.name === name) last.inner.push({ ...thing, path: rest });
    else groups.push({ name, inner: [{ ...thing, path: rest }] });
  }
  const counts = Map.groupBy(groups, ({ name }) => name);
  return groups.flatMap(({ name, inner, own }): readonly PathGroup<T>[] => {
    if (own) return [{ name, own }];
    if (counts.get(name)?.length === 1) return [{ name, inner }];
    return inner.map((one) => ({ name: `${name}.${one.path}`, own: { ...one, path: `${name}.${one.path}` } }));
  });
}

/** The first step of a path and what is behind it; a name with an empty step is no path. */
function splitFirstStep(path: string): readonly [name: string, rest?: string] {
  const steps = path.split(".");
  if (steps.length === 1 || steps.some((step) => step.trim() === "")) return [path];
  return [steps[0] ?? path, steps.slice(1).join(".")];
}
