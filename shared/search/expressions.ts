import type { SearchFilter, SearchFilters } from "../domain/search/filters.ts";
import { foldText } from "../domain/text/characters.ts";
import type { IndexStatements } from "./index-statements.ts";
import { MARK, type MarkNumbers, toNamedMark, toValueMark } from "./marks.ts";

/** FTS5 expression, true for all rows, false for none. Every passing row matches; a matching row may still fail. */
export type Expression = string | boolean;

/** Rows to check, and the text that each of them contains. */
export interface Candidates {
  readonly expression: Expression;
  /** Text that the expression does not cover completely; "" for none. */
  readonly within: string;
}

const TRIGRAM = 3;
/** Above these numbers of rows with a short text, and of trigrams that begin with it, rows are scanned in order. */
const [OFTEN, MANY_GRAMS] = [20_000, 1_000];
/** Trigrams of a text that are compared to find the rarest, and matches of each that are counted. */
const [COMPARED_GRAMS, SAMPLED_ROWS] = [32, 1_000];
/** Up to this number of global tags, a search for rows with any tag names each global tag. */
const FEW_TAGS = 200;

/** Converts filters of a search to expressions of FTS5. */
export class FilterExpressions {
  readonly #statements: IndexStatements;
  readonly #marks: MarkNumbers;
  readonly #globalTags: ReadonlySet<string>;

  constructor(statements: IndexStatements, marks: MarkNumbers, globalTags: ReadonlySet<string>) {
    this.#statements = statements;
    this.#marks = marks;
    this.#globalTags = globalTags;
  }

  convert({ operator, items }: SearchFilters<string>): Candidates {
    const all = items.map((filter) => this.#convertFilter(filter));
    const expressions = all.map(({ expression }) => expression);
    if (operator === "or") return { expression: joinAny(expressions), within: "" };
    const areSeveral = expressions.every(Boolean) && expressions.filter((one) => typeof one === "string").length > 1;
    const sought = areSeveral ? items.map((filter) => this.#convertCombined(filter)) : all;
    return {
      expression: joinAll(sought.map(({ expression }) => expression)),
      within: pickLongest(sought.map(({ within }) => within)),
    };
  }

  #convertFilter(filter: SearchFilter<string>): Candidates {
    if (filter.type === "text") return this.#convertText(filter.value);
    if (!("value" in filter)) {
      return { expression: this.#matchAnyOf(filter.type, filter.condition === "notEmpty"), within: "" };
    }
    if (filter.condition === "equals") {
      const values = Object.entries(filter.value).map(([name, value]) => matchMark(toValueMark(name, value)));
      return { expression: joinAll(values), within: "" };
    }
    const each = [...new Set(filter.value)].map((one) => this.#matchValue(filter.type, one));
    switch (filter.condition) {
      case "anyOf":
        return { expression: joinAny(each), within: "" };
      case "allOf":
        return { expression: joinAll(each), within: "" };
      case "noneOf":
        return { expression: this.#negate(joinAny(each)), within: "" };
    }
  }

  /** Converts a condition among others to the rarest trigram: FTS5 reads all trigrams before it intersects them. */
  #convertCombined(filter: SearchFilter<string>): Candidates {
    const alone = this.#convertFilter(filter);
    if (filter.type !== "text") return alone;
    const gram = this.#findRarestGram(filter.value);
    return gram === undefined ? alone : { expression: gram, within: foldText(filter.value).trim() };
  }

  #convertText(text: string): Candidates {
    const needle = foldText(text).trim();
    if (needle === "") return { expression: true, within: "" };
    if ([...needle].length >= TRIGRAM) return { expression: `text : ${quote(needle)}`, within: "" };
    const grams: string[] = [];
    let rows = 0;
    for (const [gram, count] of this.#statements.iterateGrams(needle, `${needle}\u{10ffff}`)) {
      grams.push(gram);
      rows += count;
      if (rows > OFTEN || grams.length > MANY_GRAMS) return { expression: true, within: needle };
    }
    return { expression: grams.length > 0 && `text : (${grams.map(quote).join(" OR ")})`, within: "" };
  }

  /** Returns the rarest trigram of a text, estimated from the beginning of the index; undefined for a short text. */
  #findRarestGram(text: string): Expression | undefined {
    const characters = [...foldText(text).trim()];
    if (characters.length <= TRIGRAM) return undefined;
    const starts = characters.slice(0, 1 - TRIGRAM).slice(0, COMPARED_GRAMS);
    const grams = starts.map((_, i) => `text : ${quote(characters.slice(i, i + TRIGRAM).join(""))}`);
    const measure = (gram: string): number =>
      this.#statements.measureReach(gram, SAMPLED_ROWS) ?? Number.POSITIVE_INFINITY;
    return grams.map((gram) => [measure(gram), gram] as const).reduce((a, b) => (b[0] > a[0] ? b : a))[1];
  }

  #matchValue(type: Exclude<SearchFilter["type"], "text">, value: string): Expression {
    switch (type) {
      case "tags":
        return joinAny([this.#matchName(MARK.tag(value)), this.#matchGlobalTag(value)]);
      case "constraints":
        return this.#matchName(MARK.keyword(value));
      case "properties":
        return this.#matchName(MARK.property(value));
      case "format":
        return this.#matchName(MARK.format(value));
    }
  }

  #matchAnyOf(type: "tags" | "constraints" | "properties", isWanted: boolean): Expression {
    const orNot = (expression: Expression): Expression => (isWanted ? expression : this.#negate(expression));
    if (type === "constraints") return orNot(this.#matchName(MARK.constrained));
    if (type === "properties") return orNot(this.#matchName(MARK.described));
    // A row may have links to deleted global tags, which do not count.
    const globally =
      this.#globalTags.size <= FEW_TAGS
        ? joinAny([...this.#globalTags].map((id) => this.#matchGlobalTag(id)))
        : isWanted && this.#matchName(MARK.globallyTagged);
    return orNot(joinAny([this.#matchName(MARK.tagged), globally]));
  }

  #matchGlobalTag(id: string): Expression {
    return this.#globalTags.has(id) && this.#matchName(MARK.globalTag(id));
  }

  #matchName(name: string): Expression {
    const number = this.#marks.find(name);
    return number !== undefined && matchMark(toNamedMark(number));
  }

  #negate(expression: Expression): Expression {
    const all = this.#matchName(MARK.row);
    if (typeof expression !== "string") return !expression;
    return typeof all === "string" ? `(${all} NOT ${expression})` : all;
  }
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
