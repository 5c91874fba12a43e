import type { SearchFilter, SearchFilters } from "../domain/search/filters.ts";
import { foldText } from "../domain/text/characters.ts";
import type { IndexStatements } from "./index-statements.ts";
import { MARK, type MarkNumbers, toNamedMark, toValueMark } from "./marks.ts";

/**
 * Expression of FTS5 for rows that may pass; true for all rows, false for none. Every row that passes a filter matches
 * its expression, but a matching row may still fail.
 */
export type Expression = string | boolean;

/** Rows to check, and the text that each of them contains. */
export interface Candidates {
  readonly expression: Expression;
  /** Text that the expression does not cover completely; "" for none. */
  readonly within: string;
}

/** Characters of a trigram. */
const TRIGRAM = 3;
/** Above these numbers of rows with a short text, and of trigrams that begin with it, rows are scanned in order. */
const [OFTEN, MANY_GRAMS] = [20_000, 1_000];
/** Trigrams of a text that are compared to find the rarest, and matches of each that are counted. */
const [COMPARED_GRAMS, SAMPLED_ROWS] = [32, 1_000];
/** Up to this number of global tags, a search for rows with any tag names each global tag. */
const FEW_TAGS = 200;

/** Creates the function that converts filters to expressions. `globalTags` are the ids of the existing global tags. */
export function createExpressions(statements: IndexStatements, marks: MarkNumbers, globalTags: ReadonlySet<string>) {
  const mark = (name: string): Expression => {
    const number = marks.find(name);
    return number !== undefined && matchMark(toNamedMark(number));
  };
  const globalTag = (id: string): Expression => globalTags.has(id) && mark(MARK.globalTag(id));
  const tag = (id: string): Expression => joinAny([mark(MARK.tag(id)), globalTag(id)]);
  const isFew = globalTags.size <= FEW_TAGS;
  const without = (expression: Expression): Expression => {
    const all = mark(MARK.row);
    if (typeof expression !== "string") return !expression;
    return typeof all === "string" ? `(${all} NOT ${expression})` : all;
  };

  /** Returns the expression of a text, or the text itself if it is short and frequent. */
  const text = (written: string): Candidates => {
    const needle = foldText(written).trim();
    if (needle === "") return { expression: true, within: "" };
    if ([...needle].length >= TRIGRAM) return { expression: `text : ${quote(needle)}`, within: "" };
    const grams: string[] = [];
    let rows = 0;
    for (const [gram, count] of statements.grams(needle, `${needle}\u{10ffff}`)) {
      grams.push(gram);
      rows += count;
      if (rows > OFTEN || grams.length > MANY_GRAMS) return { expression: true, within: needle };
    }
    return { expression: grams.length > 0 && `text : (${grams.map(quote).join(" OR ")})`, within: "" };
  };

  /**
   * Returns the rarest trigram of a longer text as an expression, estimated from the beginning of the index; undefined
   * for a short text.
   */
  const rarestGram = (written: string): Expression | undefined => {
    const characters = [...foldText(written).trim()];
    if (characters.length <= TRIGRAM) return undefined;
    const starts = characters.slice(0, 1 - TRIGRAM).slice(0, COMPARED_GRAMS);
    const grams = starts.map((_, i) => `text : ${quote(characters.slice(i, i + TRIGRAM).join(""))}`);
    const reach = (gram: string): number => statements.reach(gram, SAMPLED_ROWS) ?? Number.POSITIVE_INFINITY;
    return grams.map((gram) => [reach(gram), gram] as const).reduce((a, b) => (b[0] > a[0] ? b : a))[1];
  };

  const has = (type: Exclude<SearchFilter["type"], "text">, one: string): Expression => {
    switch (type) {
      case "tags":
        return tag(one);
      case "constraints":
        return mark(MARK.keyword(one));
      case "properties":
        return mark(MARK.property(one));
      case "format":
        return mark(MARK.format(one));
    }
  };

  const ofSome = (type: "tags" | "constraints" | "properties", isWanted: boolean): Expression => {
    if (type === "constraints") return isWanted ? mark(MARK.constrained) : without(mark(MARK.constrained));
    if (type === "properties") return isWanted ? mark(MARK.described) : without(mark(MARK.described));
    // A row may have links to deleted global tags, which do not count.
    const globally = isFew ? joinAny([...globalTags].map(globalTag)) : isWanted && mark(MARK.globallyTagged);
    const tagged = joinAny([mark(MARK.tagged), globally]);
    return isWanted ? tagged : without(tagged);
  };

  const ofFilter = (filter: SearchFilter<string>): Candidates => {
    if (filter.type === "text") return text(filter.value);
    if (!("value" in filter)) return { expression: ofSome(filter.type, filter.condition === "notEmpty"), within: "" };
    if (filter.condition === "equals") {
      const values = Object.entries(filter.value).map(([name, value]) => matchMark(toValueMark(name, value)));
      return { expression: joinAll(values), within: "" };
    }
    const each = [...new Set(filter.value)].map((one) => has(filter.type, one));
    switch (filter.condition) {
      case "anyOf":
        return { expression: joinAny(each), within: "" };
      case "allOf":
        return { expression: joinAll(each), within: "" };
      case "noneOf":
        return { expression: without(joinAny(each)), within: "" };
    }
  };

  /**
   * Returns the expression of a condition combined with others. FTS5 reads all trigrams of each text before it
   * intersects them.
   */
  const beside = (filter: SearchFilter<string>): Candidates => {
    const alone = ofFilter(filter);
    if (filter.type !== "text") return alone;
    const gram = rarestGram(filter.value);
    return gram === undefined ? alone : { expression: gram, within: foldText(filter.value).trim() };
  };

  return ({ operator, items }: SearchFilters<string>): Candidates => {
    const all = items.map(ofFilter);
    const expressions = all.map(({ expression }) => expression);
    if (operator === "or") return { expression: joinAny(expressions), within: "" };
    const areSeveral = expressions.every(Boolean) && expressions.filter((one) => typeof one === "string").length > 1;
    const sought = areSeveral ? items.map(beside) : all;
    return {
      expression: joinAll(sought.map(({ expression }) => expression)),
      within: pickLongest(sought.map(({ within }) => within)),
    };
  };
}

function pickLongest(texts: readonly string[]): string {
  return texts.reduce((a, b) => (b.length > a.length ? b : a), "");
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function matchMark(mark: string): string {
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
