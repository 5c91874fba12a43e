import { LIMITS } from "../../limits.ts";
import { BINDING, CONSTANTS, type Expression, getBinding, type Notation, RESERVED } from "./expression.ts";
import type { ExpressionToken } from "./scan-expression.ts";

class UnknownSyntax extends Error {}

/** Parses an expression. Returns undefined for a query, and for syntax that the grammar does not contain. */
export function parseExpression(tokens: readonly ExpressionToken[], notation: Notation): Expression | undefined {
  const parser = new ExpressionParser(tokens, notation);
  try {
    const expression = parser.parse(0);
    return parser.isAtEnd() ? expression : undefined;
  } catch (error) {
    if (error instanceof UnknownSyntax) return undefined;
    throw error;
  }
}

/** Words in the arguments of a function that have the role of a comma, or none. */
const SEPARATORS: ReadonlySet<string> = new Set(["FROM", "FOR", "USING"]);
const TYPE_WORDS = /^(PRECISION|VARYING|UNSIGNED|SIGNED|WITH|WITHOUT|TIME|ZONE|LOCAL)$/;

class ExpressionParser {
  readonly #tokens: readonly ExpressionToken[];
  readonly #notation: Notation;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly ExpressionToken[], notation: Notation) {
    this.#tokens = tokens;
    this.#notation = notation;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  /** Parses operators that bind more strongly than `binding`. */
  parse(binding: number): Expression {
    if (++this.#depth > LIMITS.sqlExpressionDepth) throw new UnknownSyntax();
    let left = this.#parseOperand();
    for (;;) {
      const next = this.#parseOperator(left, binding);
      if (!next) break;
      left = next;
    }
    this.#depth--;
    return left;
  }

  #peek(offset = 0): string {
    return this.#tokens[this.#at + offset]?.key ?? "";
  }

  #next(): ExpressionToken {
    const token = this.#tokens[this.#at++];
    if (!token) throw new UnknownSyntax();
    return token;
  }

  #accept(...keys: readonly string[]): boolean {
    if (!keys.every((key, i) => this.#peek(i) === key)) return false;
    this.#at += keys.length;
    return true;
  }

  #expect(key: string): void {
    if (!this.#accept(key)) throw new UnknownSyntax();
  }

  #parseOperand(): Expression {
    const token = this.#next();
    if (token.is === "text" || token.is === "number" || token.is === "bits") {
      return { is: token.is, value: token.value };
    }
    if (token.is === "name") return this.#parseName(token.value);
    switch (token.key) {
      case "(":
        return this.#parseBrackets();
      case "-":
      case "+":
      case "~":
      case "!":
      case "@":
      case "|/":
        return { is: "operation", operator: token.key, operands: [this.parse(BINDING.sign)] };
      case "NOT":
        return { is: "operation", operator: "NOT", operands: [this.parse(BINDING.NOT)] };
      case "CASE":
        return this.#parseCase();
      case "CAST":
        return this.#parseCast();
      case "ARRAY":
        this.#expect("[");
        return { is: "array", operands: this.#parseList("]") };
      case "ROW":
        this.#expect("(");
        return { is: "row", operands: this.#parseList(")") };
    }
    if (token.is !== "word") throw new UnknownSyntax();
    const text = this.#tokens[this.#at];
    // A literal with its type before it, such as `DATE '2020-01-02'`.
    if (text?.is === "text" && !RESERVED.has(token.key)) {
      this.#at++;
      return { is: "cast", type: token.value.toLowerCase(), operands: [{ is: "text", value: text.value }] };
    }
    if (CONSTANTS.has(token.key)) return this.#parseConstant(token.key);
    if (RESERVED.has(token.key)) throw new UnknownSyntax();
    return this.#parseName(this.#toCase(token.value), token.value);
  }

  #toCase(name: string): string {
    const { names } = this.#notation;
    return names === "kept" ? name : names === "lower" ? name.toLowerCase() : name.toUpperCase();
  }

  #parseConstant(value: string): Expression {
    if (!this.#accept("(")) return { is: "constant", value };
    const operands = this.#parseList(")");
    return operands.length === 0 ? { is: "constant", value } : { is: "call", name: value.toLowerCase(), operands };
  }

  #parseName(first: string, written?: string): Expression {
    const path = [first];
    let last = written;
    while (this.#accept(".")) {
      const token = this.#next();
      if (token.is !== "word" && token.is !== "name") throw new UnknownSyntax();
      path.push(token.is === "word" ? this.#toCase(token.value) : token.value);
      last = token.is === "word" ? token.value : undefined;
    }
    if (!this.#accept("(")) return { is: "name", path };
    // Names of functions have no case, except with quotes.
    const name = [...path.slice(0, -1), last?.toLowerCase() ?? path.at(-1) ?? ""].join(".");
    const operands = this.#parseArguments();
    if (/^(OVER|FILTER|WITHIN)$/.test(this.#peek())) throw new UnknownSyntax();
    return { is: "call", name, operands };
  }

  #parseArguments(): readonly Expression[] {
    if (this.#accept(")")) return [];
    if (this.#accept("*", ")")) return [{ is: "name", path: ["*"] }];
    if (/^(BOTH|LEADING|TRAILING)$/.test(this.#peek())) {
      const side = this.#next().key;
      if (side !== "BOTH") throw new UnknownSyntax();
      this.#accept("FROM");
    }
    const operands = [this.parse(0)];
    while (!this.#accept(")")) {
      if (!this.#accept(",") && !(SEPARATORS.has(this.#peek()) && this.#next())) throw new UnknownSyntax();
      operands.push(this.parse(0));
    }
    return operands;
  }

  #parseList(close: string): readonly Expression[] {
    if (this.#accept(close)) return [];
    const operands = [this.parse(0)];
    while (!this.#accept(close)) {
      this.#expect(",");
      operands.push(this.parse(0));
    }
    return operands;
  }

  #parseBrackets(): Expression {
    const operands = this.#parseList(")");
    const [only] = operands;
    return operands.length === 1 && only ? only : { is: "row", operands };
  }

  #parseCase(): Expression {
    const operands: Expression[] = [];
    const hasSubject = this.#peek() !== "WHEN";
    if (hasSubject) operands.push(this.parse(0));
    while (this.#accept("WHEN")) {
      operands.push(this.parse(0));
      this.#expect("THEN");
      operands.push(this.parse(0));
    }
    const hasOther = this.#accept("ELSE");
    if (hasOther) operands.push(this.parse(0));
    this.#expect("END");
    return { is: "case", hasSubject, hasOther, operands };
  }

  #parseCast(): Expression {
    this.#expect("(");
    const operand = this.parse(0);
    this.#expect("AS");
    const type = this.#parseType();
    this.#expect(")");
    return { is: "cast", type, operands: [operand] };
  }

  #parseType(): string {
    const first = this.#next();
    if (first.is !== "word" && first.is !== "name") throw new UnknownSyntax();
    let type = first.is === "word" ? first.value.toLowerCase() : first.value;
    while (this.#accept(".")) type += `.${this.#next().value}`;
    for (;;) {
      if (TYPE_WORDS.test(this.#peek())) type += ` ${this.#next().key.toLowerCase()}`;
      else if (this.#accept("(")) {
        const values = this.#parseList(")").map((one) => ("value" in one ? one.value : ""));
        type += `(${values.join(",")})`;
      } else if (this.#accept("[", "]")) type += "[]";
      else return type;
    }
  }

  #parseOperator(left: Expression, binding: number): Expression | undefined {
    const token = this.#tokens[this.#at];
    if (token?.is !== "word" && token?.is !== "mark") return undefined;
    const { key } = token;
    if (key === "::") {
      this.#at++;
      return { is: "cast", type: this.#parseType(), operands: [left] };
    }
    if (key === "[") {
      this.#at++;
      return { is: "operation", operator: "[]", operands: [left, ...this.#parseList("]")] };
    }
    if (token.is === "mark") return this.#parseSymbol(left, key, binding);
    return this.#parseWordOperator(left, key, binding);
  }

  #parseSymbol(left: Expression, key: string, binding: number): Expression | undefined {
    if (/^[()[\],.;:{}]$/.test(key)) return undefined;
    const operator = key === "!=" || key === "^=" ? "<>" : key;
    const own = getBinding(operator);
    if (own <= binding) return undefined;
    this.#at++;
    if (/^(ANY|ALL|SOME)$/.test(this.#peek()) && this.#peek(1) === "(") {
      const quantifier = this.#next().key === "ALL" ? "ALL" : "ANY";
      this.#expect("(");
      return { is: "operation", operator: `${operator} ${quantifier}`, operands: [left, ...this.#parseList(")")] };
    }
    return { is: "operation", operator, operands: [left, this.parse(own)] };
  }

  #parseWordOperator(left: Expression, key: string, binding: number): Expression | undefined {
    const isNegated = key === "NOT";
    const word = isNegated ? this.#peek(1) : key;
    const start = this.#at;
    if (isNegated) this.#at++;
    const result = binding < BINDING.LIKE ? this.#parseComparison(left, word, isNegated) : undefined;
    if (result) return result;
    this.#at = start;
    if (isNegated) return undefined;
    const own = getBinding(key);
    switch (key) {
      case "AND":
      case "OR":
      case "XOR":
      case "DIV":
      case "MOD":
        if (own <= binding) return undefined;
        this.#at++;
        return { is: "operation", operator: key, operands: [left, this.parse(own)] };
      case "COLLATE":
        if (own <= binding) return undefined;
        this.#at++;
        return { is: "operation", operator: key, operands: [left, this.#parseOperand()] };
      case "IS":
        return binding < BINDING.IS ? this.#parseIs(left) : undefined;
      case "ISNULL":
      case "NOTNULL":
        if (binding >= BINDING.IS) return undefined;
        this.#at++;
        return { is: "operation", operator: key === "ISNULL" ? "IS NULL" : "IS NOT NULL", operands: [left] };
      case "AT":
        if (binding >= BINDING.AT || !this.#accept("AT", "TIME", "ZONE")) return undefined;
        return { is: "call", name: "timezone", operands: [this.parse(BINDING.AT), left] };
    }
    return undefined;
  }

  #parseComparison(left: Expression, word: string, isNegated: boolean): Expression | undefined {
    const negate = (operator: string) => (isNegated ? `NOT ${operator}` : operator);
    switch (word) {
      case "IN":
        if (this.#peek(1) !== "(") return undefined;
        this.#at += 2;
        return { is: "membership", isNegated, operands: [left, ...this.#parseList(")")] };
      case "BETWEEN": {
        this.#at++;
        const low = this.parse(BINDING.comparison);
        this.#expect("AND");
        const high = this.parse(BINDING.comparison);
        const bounds = [
          { is: "operation", operator: isNegated ? "<" : ">=", operands: [left, low] },
          { is: "operation", operator: isNegated ? ">" : "<=", operands: [left, high] },
        ] as const;
        return { is: "operation", operator: isNegated ? "OR" : "AND", operands: bounds };
      }
      case "LIKE":
      case "ILIKE":
      case "REGEXP":
      case "RLIKE": {
        this.#at++;
        const operator = word === "RLIKE" ? "REGEXP" : word;
        const pattern = this.parse(BINDING.LIKE);
        if (this.#peek() === "ESCAPE") throw new UnknownSyntax();
        return { is: "operation", operator: negate(operator), operands: [left, pattern] };
      }
      case "SIMILAR":
        if (this.#peek(1) !== "TO") return undefined;
        this.#at += 2;
        return { is: "operation", operator: negate("SIMILAR TO"), operands: [left, this.parse(BINDING.LIKE)] };
    }
    return undefined;
  }

  #parseIs(left: Expression): Expression {
    this.#expect("IS");
    const not = this.#accept("NOT") ? "NOT " : "";
    if (this.#accept("DISTINCT", "FROM")) {
      const operator = `IS ${not}DISTINCT FROM`;
      return { is: "operation", operator, operands: [left, this.parse(BINDING.IS)] };
    }
    const { key } = this.#next();
    if (!/^(NULL|TRUE|FALSE|UNKNOWN)$/.test(key)) throw new UnknownSyntax();
    return { is: "operation", operator: `IS ${not}${key}`, operands: [left] };
  }
}
