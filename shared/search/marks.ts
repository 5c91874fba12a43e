import type { SearchRow } from "../domain/search/rows.ts";
import { toCanonicalJson } from "../domain/text/json-values.ts";
import { parseProperties } from "../domain/values/properties.ts";
import type { IndexStatements } from "./index-statements.ts";

/** A mark encodes a fact as three private-use characters of separate ranges, so trigrams across marks differ. */
const [NAMED, HASHED, SECOND, THIRD] = [0xe000, 0xe400, 0xe800, 0xf000];
const [FIRSTS, OTHERS] = [0x400, 0x800];
const MARKS = FIRSTS * OTHERS * OTHERS;

/** Returns the mark of a number. Different numbers have different marks. */
export const toNamedMark = (n: number): string => encodeMark(NAMED, n);

/** Returns the mark of a property's value. Different values may share a mark, so it only narrows a search. */
export function toValueMark(name: string, value: unknown): string {
  // FNV-1a.
  let hash = 0x811c9dc5;
  const text = `${name}=${toCanonicalJson(value)}`;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return encodeMark(HASHED, (hash >>> 0) % MARKS);
}

function encodeMark(first: number, n: number) {
  const [a, b, c] = [Math.floor(n / (OTHERS * OTHERS)) % FIRSTS, Math.floor(n / OTHERS) % OTHERS, n % OTHERS];
  return String.fromCharCode(first + a, SECOND + b, THIRD + c);
}

export const MARK = {
  row: "row",
  tagged: "tags",
  globallyTagged: "global tags",
  constrained: "constraints",
  described: "properties",
  tag: (id: string) => `tag ${id}`,
  globalTag: (id: string) => `global tag ${id}`,
  keyword: (name: string) => `keyword ${name}`,
  property: (name: string) => `property ${name}`,
  format: (name: string) => `format ${name}`,
  logicalType: (name: string) => `logical type ${name}`,
} as const;

/** Returns the marks of a row. `markOf` converts a name to its mark. */
export function encodeMarks(row: SearchRow, markOf: (name: string) => string): string {
  const { tags, globalTags, keywords, format, logicalType } = row;
  const properties = row.properties === undefined ? undefined : parseProperties(row.properties);
  const names = [
    MARK.row,
    ...(tags.length > 0 ? [MARK.tagged, ...tags.map(MARK.tag)] : []),
    ...(globalTags.length > 0 ? [MARK.globallyTagged, ...globalTags.map(MARK.globalTag)] : []),
    ...(keywords.length > 0 ? [MARK.constrained, ...keywords.map(MARK.keyword)] : []),
    ...(properties ? [MARK.described, ...Object.keys(properties).map(MARK.property)] : []),
    ...(format === undefined ? [] : [MARK.format(format)]),
    ...(logicalType === undefined ? [] : [MARK.logicalType(logicalType)]),
  ];
  const values = Object.entries(properties ?? {}).map(([name, value]) => toValueMark(name, value));
  return [...names.map(markOf), ...values].join("");
}

/** Numbers of marks, each looked up once. */
export interface MarkNumbers {
  find(name: string): number | undefined;
  getOrAdd(name: string): number;
  /** Forgets the numbers: some were assigned by a transaction that was rolled back. */
  forget(): void;
}

export function createMarkNumbers(statements: IndexStatements): MarkNumbers {
  const numbers = new Map<string, number>();
  const find = (name: string) => {
    const number = numbers.get(name) ?? statements.findMark(name);
    if (number !== undefined) numbers.set(name, number);
    return number;
  };
  return {
    find,
    getOrAdd: (name) => {
      const number = find(name);
      if (number !== undefined) return number;
      const mark = statements.addMark(name);
      numbers.set(name, mark);
      return mark;
    },
    forget: () => numbers.clear(),
  };
}
