import type { SearchRow } from "../domain/search/rows.ts";
import { jsonText } from "../domain/text/json-values.ts";
import { propertiesOf } from "../domain/values/properties.ts";
import type { IndexStatements } from "./index-statements.ts";

/*
 * A mark tells one fact of a row. Each is written as three characters of Unicode's private use, each of a range of its
 * own, so that the trigrams that run from one mark into the next are no mark.
 */
const [NAMED, HASHED, SECOND, THIRD] = [0xe000, 0xe400, 0xe800, 0xf000];
const [FIRSTS, OTHERS] = [0x400, 0x800];
/** Number of marks of each sort. */
const MARKS = FIRSTS * OTHERS * OTHERS;

/** The mark of a number, which is one mark's alone. */
export const toNamedMark = (n: number): string => encodeMark(NAMED, n);

/** The mark of a value of a property. Another value may have the same, so that it can tell only where to look. */
export function toValueMark(name: string, value: unknown): string {
  // FNV-1a.
  let hash = 0x811c9dc5;
  const text = `${name}=${jsonText(value)}`;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return encodeMark(HASHED, (hash >>> 0) % MARKS);
}

function encodeMark(first: number, n: number): string {
  const [a, b, c] = [Math.floor(n / (OTHERS * OTHERS)) % FIRSTS, Math.floor(n / OTHERS) % OTHERS, n % OTHERS];
  return String.fromCharCode(first + a, SECOND + b, THIRD + c);
}

/** The names of the marks of facts. */
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
} as const;

/** The marks of a row; `markOf` gives that of a name. */
export function toMarks(row: SearchRow, markOf: (name: string) => string): string {
  const { tags, globalTags, keywords, format } = row;
  const properties = row.properties === undefined ? undefined : propertiesOf(row.properties);
  const names = [
    MARK.row,
    ...(tags.length > 0 ? [MARK.tagged, ...tags.map(MARK.tag)] : []),
    ...(globalTags.length > 0 ? [MARK.globallyTagged, ...globalTags.map(MARK.globalTag)] : []),
    ...(keywords.length > 0 ? [MARK.constrained, ...keywords.map(MARK.keyword)] : []),
    ...(properties ? [MARK.described, ...Object.keys(properties).map(MARK.property)] : []),
    ...(format === undefined ? [] : [MARK.format(format)]),
  ];
  const values = Object.entries(properties ?? {}).map(([name, value]) => toValueMark(name, value));
  return [...names.map(markOf), ...values].join("");
}

/** The numbers of marks, each looked up once. */
export interface MarkNumbers {
  /** The number of a mark; undefined where no row has it. */
  find(name: string): number | undefined;
  /** The number of a mark, given out where it has none. */
  getOrAdd(name: string): number;
  /** Forgets the numbers, some of which were given out by a transaction that was not committed. */
  forget(): void;
}

export function createMarkNumbers(statements: IndexStatements): MarkNumbers {
  const known = new Map<string, number>();
  const find = (name: string): number | undefined => {
    const number = known.get(name) ?? statements.mark(name);
    if (number !== undefined) known.set(name, number);
    return number;
  };
  return {
    find,
    getOrAdd: (name) => {
      const number = find(name);
      if (number !== undefined) return number;
      const added = statements.addMark(name);
      known.set(name, added);
      return added;
    },
    forget: () => known.clear(),
  };
}
