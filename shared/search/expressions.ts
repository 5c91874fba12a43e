import type { SearchFilter, SearchFilters } from "../domain/search/filters.ts";
import { folded } from "../domain/text/characters.ts";
import type { IndexStatements } from "./index-statements.ts";
import { MARK, type MarkNumbers, toNamedMark, toValueMark } from "./marks.ts";

/**
 * An expression of FTS5 for rows that may pass, true for all rows and false for none. Every row that passes a filter
 * matches its expression; a row that matches may still not pass.
 */
export type Expression = string | boolean;

/** The rows to look at, and the text that each of them holds. */
export interface Candidates {
  readonly expression: Expression;
  /** A text that the expression stands for in part only, or not at all; "" for none. */
  readonly within: string;
}

/** Characters of a trigram. */
const TRIGRAM = 3;
/** Rows in which a short text occurs often, and trigrams that it begins, beyond which rows are looked at in their order. */
const [OFTEN, MANY_GRAMS] = [20_000, 1_000];
/** Trigrams of a text of which the rarest is sought, and matches of each that tell how rare it is. */
const [COMPARED_GRAMS, SAMPLED_ROWS] = [32, 1_000];
/** Global tags up to which a search for anything with a tag names each. */
const FEW_TAGS = 200;

/** Makes expressions from the filters of searches; `globalTags` are the ids of those that are there. */
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

  /** The expression of a text, or the short text itself where it occurs often. */
  const text = (written: string): Candidates => {
    const needle = folded(written).trim();
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

  /** The rarest trigram of a longer text, judged by the beginning of the index, as an expression; undefined for a short text. */
  const rarestGram = (written: string): Expression | undefined => {
    const characters = [...folded(written).trim()];
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
    // A row may have links to global tags that are gone, which count as none.
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

  /** What stands for a condition beside others: FTS5 goes through all trigrams of each text before it looks whether they meet. */
  const beside = (filter: SearchFilter<string>): Candidates => {
    const alone = ofFilter(filter);
    if (filter.type !== "text") return alone;
    const gram = rarestGram(filter.value);
    return gram === undefined ? alone : { expression: gram, within: folded(filter.value).trim() };
  };

  /** The rows that filters can find. */
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
