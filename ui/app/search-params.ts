import type { GridView } from "../parts/grid/grid-view.ts";

/** Reads one query parameter; returns undefined if it is missing or invalid. */
export type Reader<T> = (value: unknown) => T | undefined;

/** Reads a text that is not empty. */
export const readText: Reader<string> = (value) => {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** Reads a number. */
export const readNumber: Reader<number> = (value) =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** Reads a JSON object. */
export const readObject: Reader<Readonly<Record<string, unknown>>> = (value) =>
  // Everything that is not an array has named members.
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;

/** Reads a list of texts; a single text is a list of one. */
export const readTexts: Reader<readonly string[]> = (value) => {
  const list = (Array.isArray(value) ? value : [value]).map(readText).filter((one) => one !== undefined);
  return list.length > 0 ? list : undefined;
};

/** Creates a reader that accepts one of the given words. */
export const readOneOf =
  <const T extends string>(...words: readonly T[]): Reader<T> =>
  (value) =>
    words.find((word) => word === value);

/** Readers by the name of their parameter. */
export type Readers = Readonly<Record<string, Reader<unknown>>>;

/** Result of the readers; every member is optional. */
export type Search<R extends Readers> = {
  [K in keyof R]?: NonNullable<ReturnType<R[K]>> | undefined;
};

/** Creates a function that reads query parameters and omits invalid ones. */
export function createSearchReader<const R extends Readers>(
  readers: R,
): (values: Readonly<Record<string, unknown>>) => Search<R> {
  return (values) => {
    const pairs = Object.entries(readers).map(([name, reader]) => [name, reader(values[name])] as const);
    // Each member is the result of the reader with its name.
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as Search<R>;
  };
}

const readColumnFilters: Reader<Readonly<Record<string, string>>> = (filters) => {
  if (typeof filters !== "object" || filters === null) return undefined;
  const texts = Object.entries(filters).filter(([, value]) => typeof value === "string" && value !== "");
  return texts.length > 0 ? Object.fromEntries(texts) : undefined;
};

/** Readers of the query parameters of a grid; a screen spreads them among its own. */
export const gridSearch = { q: readText, in: readColumnFilters, sort: readText } satisfies Record<
  keyof GridView,
  Reader<unknown>
>;
