import type { SearchFilter, SearchFilters } from "../domain/search/filters.ts";
import { foldText } from "../domain/text/characters.ts";
import type { IndexStatements } from "./index-statements.ts";
import { MARK, type MarkNumbers, toNamedMark, toValueMark } from "./marks.ts";

/** FTS5 expression, true for all rows, false for no row. It matches at least the rows that pass. */
export type Expression = string | boolean;

/** Rows to check, and the text that each of them contains. */
export interface Candidates {
  readonly expression: Expression;
  /** Text that the expression does not cover completely; "" for none. */
  readonly within: string;
}

const TRIGRAM = 3;
/** Rows with a short text, and trigrams that begin with it, above which rows are scanned in order. */
const [OFTEN, MANY_GRAMS] = [20_000, 1_000];
/** Trigrams of a text that are compared to find the rarest, and matches of each that are counted. */
const [COMPARED_GRAMS, SAMPLED_ROWS] = [32, 1_000];
/** Up to this number of global tags, a search for rows with any tag names each global tag. */
const FEW_TAGS = 200;

/** The terms of an index, and the global tags that exist. */
export interface IndexTerms {
  readonly statements: IndexStatements;
  readonly marks: MarkNumbers;
  readonly globalTags: ReadonlySet<string>;
}

/** Converts filters of a search to expressions of FTS5. */
export function convertFilters(index: IndexTerms, { operator, items }: SearchFilters<string>): Candidates {
  const all = items.map((filter) => convertFilter(index, filter));
  const expressions = all.map(({ expression }) => expression);
  if (operator === "or") return { expression: joinAny(expressions), within: "" };
  const areSeveral = expressions.every(Boolean) && expressions.filter((one) => typeof one === "string").length > 1;
  const candidates = areSeveral ? items.map((filter) => convertCombined(index, filter)) : all;
  return {
    expression: joinAll(candidates.map(({ expression }) => expression)),
    within: pickLongest(candidates.map(({ within }) => within)),
  };
}

function convertFilter(index: IndexTerms, filter: SearchFilter<string>): Candidates {
  if (filter.type === "text") return convertText(index, filter.value);
  return { expression: convertCondition(index, filter), within: "" };
}

function convertCondition(index: IndexTerms, filter: Exclude<SearchFilter<string>, { type: "text" }>): Expression {
  if (!("value" in filter)) return matchAnyOf(index, filter.type, filter.condition === "notEmpty");
  if (filter.condition === "equals") {
    return joinAll(Object.entries(filter.value).map(([name, value]) => matchMark(toValueMark(name, value))));
  }
  const each = [...new Set(filter.value)].map((one) => matchValue(index, filter.type, one));
  if (filter.condition === "allOf") return joinAll(each);
  return filter.condition === "anyOf" ? joinAny(each) : negate(index, joinAny(each));
}

/** Converts a condition among others to the rarest trigram, because FTS5 reads all trigrams first. */
function convertCombined(index: IndexTerms, filter: SearchFilter<string>): Candidates {
  const candidates = convertFilter(index, filter);
  if (filter.type !== "text") return candidates;
  const gram = findRarestGram(index, filter.value);
  return gram === undefined ? candidates : { expression: gram, within: foldText(filter.value).trim() };
}

function convertText(index: IndexTerms, text: string): Candidates {
  const needle = foldText(text).trim();
  if (needle === "") return { expression: true, within: "" };
  if ([...needle].length >= TRIGRAM) return { expression: `text : ${quote(needle)}`, within: "" };
  const grams: string[] = [];
  let rows = 0;
  for (const [gram, count] of index.statements.iterateGrams(needle, `${needle}\u{10ffff}`)) {
    grams.push(gram);
    rows += count;
    if (rows > OFTEN || grams.length > MANY_GRAMS) return { expression: true, within: needle };
  }
  return { expression: grams.length > 0 && `text : (${grams.map(quote).join(" OR ")})`, within: "" };
}

/** Returns the rarest trigram at the beginning of the index; undefined for a short text. */
function findRarestGram(index: IndexTerms, text: string): Expression | undefined {
  const characters = [...foldText(text).trim()];
  if (characters.length <= TRIGRAM) return undefined;
  const starts = characters.slice(0, 1 - TRIGRAM).slice(0, COMPARED_GRAMS);
  const grams = starts.map((_, i) => `text : ${quote(characters.slice(i, i + TRIGRAM).join(""))}`);
  const measure = (gram: string) => index.statements.measureReach(gram, SAMPLED_ROWS) ?? Number.POSITIVE_INFINITY;
  return grams.map((gram) => [measure(gram), gram] as const).reduce((a, b) => (b[0] > a[0] ? b : a))[1];
}

function matchValue(index: IndexTerms, type: Exclude<SearchFilter["type"], "text">, value: string): Expression {
  if (type === "tags") return joinAny([matchName(index, MARK.tag(value)), matchGlobalTag(index, value)]);
  return matchName(index, VALUE_MARKS[type](value));
}

const VALUE_MARKS = {
  constraints: MARK.keyword,
  properties: MARK.property,
  format: MARK.format,
  logicalType: MARK.logicalType,
} as const;

function matchAnyOf(index: IndexTerms, type: "tags" | "constraints" | "properties", isWanted: boolean): Expression {
  const orNot = (expression: Expression) => (isWanted ? expression : negate(index, expression));
  if (type === "constraints") return orNot(matchName(index, MARK.constrained));
  if (type === "properties") return orNot(matchName(index, MARK.described));
  // A row may have links to deleted global tags, which do not count.
  const globally =
    index.globalTags.size <= FEW_TAGS
      ? joinAny([...index.globalTags].map((id) => matchGlobalTag(index, id)))
      : isWanted && matchName(index, MARK.globallyTagged);
  return orNot(joinAny([matchName(index, MARK.tagged), globally]));
}

function matchGlobalTag(index: IndexTerms, id: string): Expression {
  return index.globalTags.has(id) && matchName(index, MARK.globalTag(id));
}

function matchName(index: IndexTerms, name: string): Expression {
  const number = index.marks.find(name);
  return number !== undefined && matchMark(toNamedMark(number));
}

function negate(index: IndexTerms, expression: Expression): Expression {
  const all = matchName(index, MARK.row);
  if (typeof expression !== "string") return !expression;
  return typeof all === "string" ? `(${all} NOT ${expression})` : all;
}

function pickLongest(texts: readonly string[]) {
  return texts.reduce((a, b) => (b.length > a.length ? b : a), "");
}

function quote(text: string) {
  return `"${text.replaceAll('"', '""')}"`;
}

function matchMark(mark: string) {
  return `marks : ${quote(mark)}`;
}

function joinAll(all: readonly Expression[]): Expression {
  if (all.includes(false)) return false;
  return joinTexts(all, "AND") ?? true;
}

function joinAny(all: readonly Expression[]): Expression {
  if (all.includes(true)) return true;
  return joinTexts(all, "OR") ?? false;
}

function joinTexts(all: readonly Expression[], operator: "AND" | "OR"): string | undefined {
  const texts = [...new Set(all.filter((one) => typeof one === "string"))];
  if (texts.length < 2) return texts[0];
  return `(${texts.join(` ${operator} `)})`;
}
