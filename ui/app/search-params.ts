import type { GridView } from "../parts/grid/grid-view.ts";

/** Reads one member of the part of an address after `?`; undefined where it is missing or makes no sense. */
export type Reader<T> = (given: unknown) => T | undefined;

/** A text that is not empty. */
export const readText: Reader<string> = (given) => {
  if (typeof given === "number" || typeof given === "boolean") return String(given);
  return typeof given === "string" && given !== "" ? given : undefined;
};

/** True, or nothing. */
export const readFlag: Reader<true> = (given) => (given === true || given === "true" || given === 1 ? true : undefined);

/** A number. */
export const readNumber: Reader<number> = (given) =>
  typeof given === "number" && Number.isFinite(given) ? given : undefined;

/** A JSON object. */
export const readObject: Reader<Readonly<Record<string, unknown>>> = (given) =>
  // What is no list has members by their names.
  typeof given === "object" && given !== null && !Array.isArray(given) ? (given as Record<string, unknown>) : undefined;

/** A list of texts; one text counts as a list of one. */
export const readTexts: Reader<readonly string[]> = (given) => {
  const list = (Array.isArray(given) ? given : [given]).map(readText).filter((one) => one !== undefined);
  return list.length > 0 ? list : undefined;
};

/** One of some words. */
export const readOneOf =
  <const T extends string>(...words: readonly T[]): Reader<T> =>
  (given) =>
    words.find((word) => word === given);

/** What the readers make of an address: every member may be missing. */
export type Search<R extends Readonly<Record<string, Reader<unknown>>>> = {
  [K in keyof R]?: NonNullable<ReturnType<R[K]>> | undefined;
};

/** Reads the part of an address after `?`, whose members are all optional; what makes no sense is left out. */
export function createSearchReader<const R extends Readonly<Record<string, Reader<unknown>>>>(
  readers: R,
): (given: Readonly<Record<string, unknown>>) => Search<R> {
  return (given) => {
    const read = Object.entries(readers).map(([name, reader]) => [name, reader(given[name])] as const);
    // Each member is what its own reader answered.
    return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as Search<R>;
  };
}

/** The texts sought in columns, by the id of the column. */
const readColumnFilters: Reader<Readonly<Record<string, string>>> = (given) => {
  if (typeof given !== "object" || given === null) return undefined;
  const texts = Object.entries(given).filter(([, value]) => typeof value === "string" && value !== "");
  return texts.length > 0 ? Object.fromEntries(texts) : undefined;
};

/** The readers of what a grid has in the address; a screen spreads them among its own. */
export const gridSearch = { q: readText, in: readColumnFilters, sort: readText } satisfies Record<
  keyof GridView,
  Reader<unknown>
>;
