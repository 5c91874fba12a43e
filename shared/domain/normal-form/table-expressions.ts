import type { AttributeDocument, EntityDocument, ModelDocument } from "../document/document.ts";
import type { LogicalType } from "../types/logical/logical-type.ts";
import type { Properties } from "../values/properties.ts";
import { type DialectRules, findDialectRules } from "./dialect-rules.ts";
import { type Expression, formatText } from "./expressions/expression.ts";
import { formatExpression } from "./expressions/format-expression.ts";
import { parseExpression } from "./expressions/parse-expression.ts";
import { type ExpressionToken, formatName, scanExpression } from "./expressions/scan-expression.ts";
import { type SimplifyTerms, simplifyExpression } from "./expressions/simplify-expression.ts";
import { simplifyQuery } from "./expressions/simplify-query.ts";
import { resolveTypeName } from "./type-names.ts";

/** Document with the rules of its dialect. */
export interface ModelTerms {
  readonly document: ModelDocument;
  readonly rules: DialectRules;
  readonly schemas: ReadonlySet<string>;
}

/** Returns the terms of a document whose dialect has rules; undefined for another document. */
export function findModelTerms(document: ModelDocument, properties: Properties | undefined): ModelTerms | undefined {
  const rules = findDialectRules(properties);
  return rules && { document, rules, schemas: new Set(rules.schemas) };
}

type FindType = (attribute: AttributeDocument) => LogicalType | undefined;

/** Simplifies the expressions of one table. */
export class TableExpressions {
  readonly #rules: DialectRules;
  readonly #terms: SimplifyTerms;
  readonly #columns: ReadonlyMap<string, AttributeDocument>;

  constructor({ rules, schemas }: ModelTerms, entity?: EntityDocument, findType?: FindType) {
    this.#rules = rules;
    this.#columns = new Map((entity?.attributes ?? []).map((one) => [getSourceName(one).toLowerCase(), one]));
    this.#terms = {
      schemas,
      table: entity && getTableName(entity),
      ...{ synonyms: rules.synonyms, operators: rules.operators, addsCasts: rules.addsCasts },
      findType: (text) => resolveTypeName(text, rules.dialect, schemas),
      findColumnType: (column) => {
        const attribute = this.findColumn(column);
        return attribute && findType?.(attribute);
      },
      toColumnName: (column) => {
        const attribute = this.findColumn(column);
        return attribute ? getSourceName(attribute) : column;
      },
    };
  }

  /** Returns the attribute of a column, in any case. */
  findColumn(name: string): AttributeDocument | undefined {
    return this.#columns.get(name.toLowerCase());
  }

  /** Parses and simplifies an expression; undefined for a text with unknown syntax. */
  parse(text: string): Expression | undefined {
    const tokens = scanExpression(text, this.#rules.notation);
    const expression = tokens && parseExpression(tokens, this.#rules.notation);
    return expression && simplifyExpression(expression, this.#terms);
  }

  format(expression: Expression): string {
    return formatExpression(expression, this.#rules.notation);
  }

  /** Returns the normal form of an expression; of a text with unknown syntax, its words with single spaces. */
  normalize(text: string): string {
    const expression = this.parse(text);
    return expression ? this.format(expression) : this.joinTokens(text);
  }

  /** Returns a text with single spaces, without omitted schemas and needless quotes. */
  joinTokens(text: string): string {
    return this.#rewrite(text, (tokens) => tokens);
  }

  /** Returns the normal form of a query. */
  normalizeQuery(text: string): string {
    return this.#rewrite(text, simplifyQuery);
  }

  #rewrite(text: string, change: (tokens: readonly ExpressionToken[]) => readonly ExpressionToken[]): string {
    const tokens = scanExpression(text, this.#rules.notation);
    if (!tokens) return text;
    const kept = change(
      tokens.filter((token, i) => !this.#isSchema(token, tokens[i + 1]) && !this.#isDotOfSchema(tokens, i)),
    );
    return joinTexts(
      kept,
      kept.map((token) => this.#formatToken(token)),
    );
  }

  #isSchema({ is, value }: ExpressionToken, next: ExpressionToken | undefined): boolean {
    return (is === "word" || is === "name") && next?.key === "." && this.#terms.schemas.has(value);
  }

  #isDotOfSchema(tokens: readonly ExpressionToken[], i: number): boolean {
    const before = tokens[i - 1];
    return before !== undefined && tokens[i]?.key === "." && this.#isSchema(before, tokens[i]);
  }

  #formatToken({ is, value, key }: ExpressionToken): string {
    const { notation } = this.#rules;
    if (is === "text") return formatText(value, notation);
    if (is === "name") return formatName(value, notation);
    if (is !== "word") return value;
    if (QUERY_WORDS.has(key)) return key;
    return notation.names === "lower" ? value.toLowerCase() : notation.names === "upper" ? key : value;
  }
}

const QUERY_WORDS: ReadonlySet<string> = new Set(
  (
    "SELECT DISTINCT FROM WHERE GROUP ORDER BY HAVING UNION ALL EXCEPT INTERSECT LIMIT OFFSET AS ON USING JOIN LEFT RIGHT " +
    "FULL INNER OUTER CROSS NATURAL LATERAL AND OR NOT IN IS NULL LIKE BETWEEN CASE WHEN THEN ELSE END ASC DESC WITH " +
    "NULLS FIRST LAST EXISTS OVER PARTITION COLLATE TRUE FALSE"
  ).split(" "),
);

/** Joins tokens with single spaces: none inside of brackets, around dots and before commas. */
function joinTexts(tokens: readonly ExpressionToken[], texts: readonly string[]): string {
  return texts
    .map((text, i) => {
      const [before, own] = [tokens[i - 1], tokens[i]];
      if (!before || !own) return text;
      const isTight =
        /^[.),\]]$/.test(own.key) ||
        /^([.([]|::)$/.test(before.key) ||
        own.key === "::" ||
        (/^[([]$/.test(own.key) && before.is === "word" && !QUERY_WORDS.has(before.key));
      return isTight ? text : ` ${text}`;
    })
    .join("");
}

/** Returns the name of a table without its schema. */
export function getTableName(entity: EntityDocument): string {
  return removeQualifier(getSourceName(entity));
}

/** Returns the last part of a name with a schema. */
export function removeQualifier(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** Returns the name that an object has in its source. */
export function getSourceName({ key, name }: { readonly key: string; readonly name?: string | undefined }): string {
  return name ?? key;
}
