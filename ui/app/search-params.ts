import type { GridView } from "../parts/grid/grid-view.ts";

/** Reads one query parameter; returns undefined if it is missing or invalid. */
export type Reader<T> = (given: unknown) => T | undefined;

/** Reads a text that is not empty. */
export const readText: Reader<string> = (given) => {
  if (typeof given === "number" || typeof given === "boolean") return String(given);
  return typeof given === "string" && given !== "" ? given : undefined;
};

/** Reads a number. */
export const readNumber: Reader<number> = (given) =>
  typeof given === "number" && Number.isFinite(given) ? given : undefined;

/** Reads a JSON object. */
export const readObject: Reader<Readonly<Record<string, unknown>>> = (given) =>
  // Everything that is not an array has named members.
  typeof given === "object" && given !== null && !Array.isArray(given) ? (given as Record<string, unknown>) : undefined;

/** Reads a list of texts; a single text is a list of one. */
export const readTexts: Reader<readonly string[]> = (given) => {
  const list = (Array.isArray(given) ? given : [given]).map(readText).filter((one) => one !== undefined);
  return list.length > 0 ? list : undefined;
};

/** Creates a reader that accepts one of the given words. */
export const readOneOf =
  <const T extends string>(...words: readonly T[]): Reader<T> =>
  (given) =>
    words.find((word) => word === given);

/** Readers by the name of their parameter. */
export type Readers = Readonly<Record<string, Reader<unknown>>>;

/** Result of the readers; every member is optional. */
export type Search<R extends Readers> = {
  [K in keyof R]?: NonNullable<ReturnType<R[K]>> | undefined;
};

/** Creates a function that reads query parameters and omits invalid ones. */
export function createSearchReader<const R extends Readers>(
  readers: R,
): (given: Readonly<Record<string, unknown>>) => Search<R> {
  return (given) => {
    const read = Object.entries(readers).map(([name, reader]) => [name, reader(given[name])] as const);
    // Each member is the result of the reader with its name.
    return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as Search<R>;
  };
}

const readColumnFilters: Reader<Readonly<Record<string, string>>> = (given) => {
  if (typeof given !== "object" || given === null) return undefined;
  const texts = Object.entries(given).filter(([, value]) => typeof value === "string" && value !== "");
  return texts.length > 0 ? Object.fromEntries(texts) : undefined;
};

/** Readers of the query parameters of a grid; a screen spreads them among its own. */
export const gridSearch = { q: readText, in: readColumnFilters, sort: readText } satisfies Record<
  keyof GridView,
  Reader<unknown>
>;
