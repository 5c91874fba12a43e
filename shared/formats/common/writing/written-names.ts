import { stringify } from "yaml";
import { toLegalKey } from "../legal-key.ts";
import type { ModelTable } from "./model-tables.ts";

/** Returns the name if a reader derives the same key from it (`née` for `nee`), else the key. */
export function toWrittenName({ key, name }: { readonly key: string; readonly name?: string | undefined }): string {
  return name !== undefined && name !== key && toLegalKey(name) === key ? name : toNotBlank(key);
}

/** Returns the written name of a column, or its key if it is unknown. */
export function toColumnName({ columns }: ModelTable, key: string): string {
  const column = columns.find((one) => one.key === key);
  return column ? toWrittenName(column.attribute) : key;
}

/** Returns `_` for a blank key, which readers would refuse. */
export function toNotBlank(key: string): string {
  return key.trim() === "" ? "_" : key;
}

/** Writes a value as YAML with a line for each text. */
export function stringifyYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Makes a file name of a key. */
export function toFileName(key: string, ending: string): string {
  const base = key.replace(/[^A-Za-z0-9._-]+/g, "_").replace(/^\.+/, "_");
  return `${base === "" ? "model" : base}${ending}`;
}

/** Returns the schemas of names if all have the form `schema.table` with several schemas. */
export function findSchemas(names: readonly string[]): ReadonlySet<string> | undefined {
  const isQualified = names.every((name) => /^[^.]+\..+$/s.test(name));
  const schemas = new Set(names.map((name) => name.slice(0, name.indexOf("."))));
  return isQualified && schemas.size > 1 ? schemas : undefined;
}

/** Makes distinct words of ASCII letters, digits and `_`. Each run of other characters becomes `_`. */
export function toUniqueWords(names: readonly string[], fallback: string): readonly string[] {
  const usedWords = new Set(names.filter(isWord));
  /** The next number of each base, because many names may have one. */
  const numbers = new Map<string, number>();
  return names.map((name) => {
    if (isWord(name)) return name;
    const plainWord = name.replace(/\W+/g, "_").replace(/^_+|_+$/g, "");
    const base = plainWord === "" ? fallback : isWord(plainWord) ? plainWord : `_${plainWord}`;
    let word = base;
    let n = numbers.get(base) ?? 2;
    for (; usedWords.has(word); n++) word = `${base}_${n}`;
    numbers.set(base, n);
    usedWords.add(word);
    return word;
  });
}

function isWord(name: string) {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

interface HasPath {
  readonly path: string;
}

/** An item with its remaining path, or the items below a first step. */
export type PathGroup<T extends HasPath> =
  | { readonly name: string; readonly own: T }
  | { readonly name: string; readonly inner: readonly T[]; readonly own?: undefined };

/** Groups items by the first step of their paths. Items that are not adjacent keep the whole path as name. */
export function groupByPath<T extends HasPath>(items: readonly T[]): readonly PathGroup<T>[] {
  const groups: { name: string; inner: T[]; own?: T }[] = [];
  for (const item of items) {
    const [name, rest] = splitFirstStep(item.path);
    const last = groups.at(-1);
    if (rest === undefined) groups.push({ name: item.path, inner: [], own: item });
    else if (last && !last.own && last.name === name) last.inner.push({ ...item, path: rest });
    else groups.push({ name, inner: [{ ...item, path: rest }] });
  }
  const counts = Map.groupBy(groups, ({ name }) => name);
  return groups.flatMap(({ name, inner, own }): readonly PathGroup<T>[] => {
    if (own) return [{ name, own }];
    if (counts.get(name)?.length === 1) return [{ name, inner }];
    return inner.map((one) => ({ name: `${name}.${one.path}`, own: { ...one, path: `${name}.${one.path}` } }));
  });
}

function splitFirstStep(path: string): readonly [name: string, rest?: string] {
  const steps = path.split(".");
  if (steps.length === 1 || steps.some((step) => step.trim() === "")) return [path];
  return [steps[0] ?? path, steps.slice(1).join(".")];
}
