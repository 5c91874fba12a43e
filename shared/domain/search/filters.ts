import type { KeywordName } from "../constraints/keywords.ts";
import type { Ref } from "../refs.ts";
import { foldText } from "../text/characters.ts";
import { toCanonicalJson } from "../text/json-values.ts";
import type { LogicalTypeName } from "../types/logical/logical-type.ts";
import { type Properties, parseProperties } from "../values/properties.ts";
import type { SearchRow } from "./rows.ts";

/** Conditions of a search; tags as refs, or as ids after the lookup. */
export interface SearchFilters<T = Ref> {
  readonly operator: "and" | "or";
  readonly items: readonly SearchFilter<T>[];
}

type ListCondition = "anyOf" | "allOf" | "noneOf";

/** One condition of a search. */
export type SearchFilter<T = Ref> =
  | { readonly type: "tags" | "constraints" | "properties"; readonly condition: "empty" | "notEmpty" }
  | { readonly type: "tags"; readonly condition: ListCondition; readonly value: readonly T[] }
  | { readonly type: "constraints"; readonly condition: ListCondition; readonly value: readonly KeywordName[] }
  | { readonly type: "properties"; readonly condition: ListCondition; readonly value: readonly string[] }
  | { readonly type: "properties"; readonly condition: "equals"; readonly value: Properties }
  | { readonly type: "format"; readonly condition: "anyOf" | "noneOf"; readonly value: readonly string[] }
  | { readonly type: "logicalType"; readonly condition: "anyOf" | "noneOf"; readonly value: readonly LogicalTypeName[] }
  | { readonly type: "text"; readonly condition: "contains"; readonly value: string };

type RowTest = (row: SearchRow) => boolean;

/** Creates a test of rows. Links to tags other than `globalTags` are ignored. */
export function createRowTest({ operator, items }: SearchFilters<string>, globalTags: ReadonlySet<string>): RowTest {
  const tests = items.map((filter) => filterTest(filter, globalTags));
  return operator === "and"
    ? (row) => tests.every((passes) => passes(row))
    : (row) => tests.some((passes) => passes(row));
}

function filterTest(filter: SearchFilter<string>, isThere: ReadonlySet<string>): RowTest {
  if (filter.type === "text") {
    const needle = foldText(filter.value).trim();
    return (row) => row.text.includes(needle);
  }
  if (!("value" in filter)) {
    const isFilled = filter.condition === "notEmpty";
    if (filter.type === "properties") return ({ properties }) => (properties !== undefined) === isFilled;
    if (filter.type === "constraints") return ({ keywords }) => keywords.length > 0 === isFilled;
    return ({ tags, globalTags }) => (tags.length > 0 || globalTags.some((tag) => isThere.has(tag))) === isFilled;
  }
  if (filter.condition === "equals") return createEqualsTest(filter.value);
  const has = createMemberTest(filter.type, isThere);
  const values = [...new Set(filter.value)];
  switch (filter.condition) {
    case "anyOf":
      return (row) => values.some((one) => has(row, one));
    case "allOf":
      return (row) => values.every((one) => has(row, one));
    case "noneOf":
      return (row) => !values.some((one) => has(row, one));
  }
}

function hasProperty({ properties }: SearchRow, name: string) {
  return properties?.includes(JSON.stringify(name)) === true && Object.hasOwn(parseProperties(properties), name);
}

function createEqualsTest(properties: Properties): RowTest {
  const texts = Object.entries(properties).map(([name, value]) => [name, toCanonicalJson(value)] as const);
  return (row) =>
    texts.every(
      ([name, text]) => hasProperty(row, name) && toCanonicalJson(parseProperties(row.properties)[name]) === text,
    );
}

function createMemberTest(
  type: Exclude<SearchFilter["type"], "text">,
  isThere: ReadonlySet<string>,
): (row: SearchRow, one: string) => boolean {
  switch (type) {
    case "tags":
      return (row, tag) => row.tags.includes(tag) || (isThere.has(tag) && row.globalTags.includes(tag));
    case "constraints":
      return (row, keyword) => row.keywords.includes(keyword);
    case "properties":
      return hasProperty;
    case "format":
      return (row, format) => row.format === format;
    case "logicalType":
      return (row, name) => row.logicalType === name;
  }
}
