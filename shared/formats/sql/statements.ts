import { LIMITS } from "../../domain/limits.ts";
import { type Diagnostics, quote } from "../common/diagnostics.ts";
import { FIRST_WORDS, OBJECTS, SKIPPED, type SkippedKind, type StatementClass, WORDS } from "./clause-words.ts";
import type { DialectFacts } from "./dialects.ts";
import { Scanner, type Token } from "./scanner.ts";

/** A statement of a SQL text. */
export interface Statement extends StatementClass {
  /** Tokens without the terminator. Only the first ones of a counted statement. */
  readonly tokens: readonly Token[];
  readonly line: number;
  /** True when a quote or comment is not closed, so that the statement extends to the end of the text. */
  readonly isOpen?: boolean;
  /** Number of brackets that are not closed at the end. */
  readonly openBrackets?: number;
}

const PLUS_LINES =
  /^(rem|remark|prompt|spool|set|whenever|define|undefine|connect|conn|exit|quit|show|column|accept|pause|host|clear|timing|variable|ttitle)\b/i;
const GO = /[ \t]*go([ \t]+\d+)?[ \t]*;?[ \t]*\r?(\n|$)/iy;
const SLASH = /\/[ \t]*\r?(\n|$)/y;
const DELIMITER = /delimiter[ \t]+(\S+)[ \t]*\r?(\n|$)/iy;
const STDIN = /\bfrom\s+stdin\b/i;

/** Splits a text into statements in one pass. Keeps the tokens of applied statements only. */
export function splitStatements(text: string, facts: DialectFacts): Generator<Statement> {
  return new StatementSplitter(text, facts).split();
}

class StatementSplitter {
  readonly #text: string;
  readonly #facts: DialectFacts;
  readonly #scanner: Scanner;
  #open: OpenStatement;
  #delimiter = ";";
  #lineStart = 0;
  #line = 1;

  constructor(text: string, facts: DialectFacts) {
    this.#text = text;
    this.#facts = facts;
    this.#scanner = new Scanner(text, facts);
    this.#open = new OpenStatement(facts.dialect);
  }

  *split(): Generator<Statement> {
    const scanner = this.#scanner;
    while (scanner.next()) {
      const { start } = scanner;
      if (this.#isSeparator(start)) yield* this.#finish();
      else if (this.#isCommand(start)) {
        const command = scanner.isFirst ? this.#readCommand(start) : undefined;
        yield* this.#finish();
        if (command) yield command;
        scanner.skipLine(start);
      } else if (this.#isDelimiter(start)) {
        if (this.#delimiter !== ";") scanner.moveTo(start + this.#delimiter.length);
        else if (this.#open.isInside()) continue;
        const isCopy = this.#open.first === "COPY" && STDIN.test(this.#text.slice(this.#open.start, start));
        yield* this.#finish();
        if (isCopy) skipRows(scanner);
      } else {
        if (this.#open.tokens.length > 0 && this.#beginsStatement()) yield* this.#finish();
        this.#open.add(scanner);
      }
    }
    yield* this.#finish();
  }

  *#finish(): Generator<Statement> {
    const { tokens, start, depth: openBrackets } = this.#open;
    if (tokens.length === 0) return;
    const { isOpen } = this.#scanner;
    yield { tokens, line: this.#findLine(start), ...this.#open.classify(), isOpen, openBrackets };
    this.#open = new OpenStatement(this.#facts.dialect);
  }

  #findLine(position: number): number {
    for (;;) {
      const lineEnd = this.#text.indexOf("\n", this.#lineStart);
      if (lineEnd < 0 || lineEnd >= position) return this.#line;
      this.#line++;
      this.#lineStart = lineEnd + 1;
    }
  }

  #isSeparator(start: number): boolean {
    const { dialect } = this.#facts;
    const scanner = this.#scanner;
    if (!scanner.isFirst) return false;
    const c = this.#text[start] as string;
    if ((c === "G" || c === "g") && /^(tsql|sql)$/.test(dialect) && isAt(GO, this.#text, start)) {
      scanner.skipLine(start);
      return true;
    }
    if (c === "/" && /^(oracle|sql)$/.test(dialect) && isAt(SLASH, this.#text, start)) return true;
    if ((c !== "D" && c !== "d") || !isAt(DELIMITER, this.#text, start)) return false;
    DELIMITER.lastIndex = 0;
    this.#delimiter = DELIMITER.exec(this.#text.slice(start, start + 200))?.[1] ?? ";";
    scanner.skipLine(start);
    return true;
  }

  #isDelimiter(start: number): boolean {
    if (this.#delimiter !== ";") return this.#text.startsWith(this.#delimiter, start);
    return this.#scanner.kind === "mark" && this.#text[start] === ";";
  }

  #isCommand(start: number): boolean {
    const text = this.#text;
    const c = text[start] as string;
    if (c === "\\") return true;
    if (this.#open.tokens.length > 0 || !this.#scanner.isFirst) return false;
    switch (this.#facts.dialect) {
      case "sqlite":
        return c === "." && /[a-z]/.test(text[start + 1] ?? "");
      case "tsql":
        return c === ":" && /[a-z]/i.test(text[start + 1] ?? "");
      case "mysql":
        return /^(source|\.)\s/i.test(text.slice(start, start + 8));
      case "oracle": {
        const isStatement = /^set\s+(role|transaction|constraint)/i.test(text.slice(start, start + 30));
        return c === "@" || (PLUS_LINES.test(text.slice(start, start + 20)) && !isStatement);
      }
      default:
        return false;
    }
  }

  #readCommand(start: number): Statement {
    const line = this.#findLine(start);
    const end = this.#text.indexOf("\n", start);
    const command = this.#text.slice(start, end < 0 ? undefined : end);
    const [, name] = /^\\c(?:onnect)?\s+(?:-\S+\s+)*"?([\w$-]+)/.exec(command) ?? [];
    if (name === undefined) return { tokens: [], line, reason: "setting" };
    const token = { kind: "name", key: "", isFirst: true, start, end: start } as const;
    return { tokens: ["use", name].map((value) => ({ ...token, value })), line, kind: "use" };
  }

  #beginsStatement(): boolean {
    const { kind, isFirst, end } = this.#scanner;
    const { dialect } = this.#facts;
    if (kind !== "word" || this.#open.depth > 0) return false;
    const key = this.#scanner.getWord(9);
    if (dialect === "oracle") return isFirst && key === "CREATE";
    if (dialect !== "tsql" || !WORDS.tsqlStarts.has(key) || this.#open.isRoutine()) return false;
    const nextWord = /^\s*([A-Za-z]+|\(|)/.exec(this.#text.slice(end, end + 40))?.[1]?.toUpperCase() ?? "";
    if (this.#open.first === "ALTER" && /^(ALTER|DROP|SET)$/.test(key)) return !WORDS.alterParts.has(nextWord);
    return isFirst || ((key === "CREATE" || key === "ALTER") && nextWord === "TABLE");
  }
}

function isAt(pattern: RegExp, text: string, position: number) {
  pattern.lastIndex = position;
  return pattern.test(text);
}

function skipRows(scanner: Scanner) {
  scanner.skipLine(scanner.end);
  const { text } = scanner;
  const end = text.startsWith("\n\\.", scanner.end) ? scanner.end : text.indexOf("\n\\.", scanner.end);
  scanner.moveTo(end < 0 ? text.length : end + 3);
  scanner.skipLine(scanner.end);
}

class OpenStatement {
  tokens: Token[] = [];
  depth = 0;
  readonly #dialect: DialectFacts["dialect"];
  #class: StatementClass | undefined;
  #blocks = 0;
  #hadBlock = false;
  #lastWord = "";

  constructor(dialect: DialectFacts["dialect"]) {
    this.#dialect = dialect;
  }

  get start(): number {
    return this.tokens[0]?.start ?? 0;
  }

  get first(): string {
    return this.tokens[0]?.key ?? "";
  }

  classify(): StatementClass {
    this.#class ??= classifyStatement(this.tokens.slice(0, HEAD_TOKENS));
    return this.#class;
  }

  add(scanner: Scanner): void {
    if (scanner.kind === "mark") {
      const c = scanner.text[scanner.start];
      if (c === "(") this.depth++;
      else if (c === ")" && this.depth > 0) this.depth--;
    }
    if (this.tokens.length < HEAD_TOKENS) this.tokens.push(scanner.getToken());
    else if (this.classify().kind !== undefined) {
      this.tokens.push(scanner.getToken());
      if (this.tokens.length > LIMITS.sqlTokens) {
        this.tokens = this.tokens.slice(0, HEAD_TOKENS);
        this.#class = { reason: "long" };
      }
    }
    this.#countBlocks(scanner.getWord(7));
  }

  #countBlocks(word: string): void {
    if (word === "BEGIN" || word === "CASE") {
      if (this.#lastWord !== "END") this.#blocks++;
      this.#hadBlock ||= word === "BEGIN";
    } else if (this.#lastWord === "END" && WORDS.blocksBeforeEnd.has(word)) this.#blocks++;
    else if (word === "END") this.#blocks--;
    this.#lastWord = word;
  }

  isRoutine(): boolean {
    return /^(CREATE|ALTER)$/.test(this.first) && this.#isCode();
  }

  isInside(): boolean {
    if (this.#dialect === "tsql") return this.isRoutine();
    if (!this.#isCode()) return false;
    if (this.#blocks > 0) return true;
    if (this.#dialect !== "oracle") return false;
    // Declarations before a block belong to it. A package ends like a block.
    const isPackage = this.tokens.some(({ key }) => key === "PACKAGE" || key === "BODY");
    return isPackage ? this.#blocks >= 0 : !this.#hadBlock;
  }

  #isCode(): boolean {
    // The head may still be incomplete.
    return (this.#class ?? classifyStatement(this.tokens)).isRoutine === true;
  }
}

/** Warnings of one statement. */
export interface StatementWarnings {
  readonly line: number;
  warn(detail: string): void;
  warnLeftOut(subject: string): void;
  /** Rejects a broken part, or warns about it in a lenient import. */
  fail(detail: string): void;
}

export function createStatementWarnings(
  { line }: Statement,
  diagnostics: Diagnostics,
  isLenient: boolean | undefined,
): StatementWarnings {
  const path = toLinePath(line);
  return {
    line,
    warn: (detail) => diagnostics.warn(path, "not_carried_over", detail),
    fail: (detail) => {
      if (isLenient) diagnostics.warn(path, "not_carried_over", detail);
      else diagnostics.reject(path, `${detail}; repair the text, or import what can be read with lenient`);
    },
    warnLeftOut: (subject) => diagnostics.warn(path, "not_carried_over", `${subject} is not an entity`),
  };
}

/** Warns about a statement that is not applied. */
export function warnSkipped({ line, tokens }: Statement, kind: SkippedKind, diagnostics: Diagnostics): void {
  const words = tokens.slice(0, 2).map(({ value }) => value);
  const detail = kind === "other" ? `${SKIPPED.other}: ${quote(words.join(" "))}` : SKIPPED[kind];
  diagnostics.warn(toLinePath(line), "not_carried_over", detail);
}

/** Returns the path of a statement in warnings. */
export function toLinePath(line: number): string {
  return `/lines/${line}`;
}

const HEAD_TOKENS = 16;

const SETTING: StatementClass = { reason: "setting" };
const BLOCK: StatementClass = { reason: "routine", isRoutine: true };

function classifyStatement(head: readonly Token[]): StatementClass {
  const [first, second] = head;
  switch (first?.key) {
    case "CREATE":
      return classifyCreate(head);
    case "BEGIN": {
      const secondKey = second?.key ?? "";
      return secondKey === "" || WORDS.transactions.has(secondKey) ? SETTING : BLOCK;
    }
    case "ALTER":
      return classifyAlter(head);
    case "DROP":
      return classifyDrop(head);
    case "RENAME":
      return second?.key === "TABLE" ? { kind: "rename table" } : { reason: "other" };
    default:
      return FIRST_WORDS.get(first?.key ?? "") ?? { reason: "other" };
  }
}

function classifyCreate(head: readonly Token[]): StatementClass {
  const object = findObjectWord(head);
  // The body of a type is code.
  if (object === "TYPE" && head.some(({ key }) => key === "BODY")) return BLOCK;
  return OBJECTS.get(object) ?? { reason: "database" };
}

function findObjectWord(head: readonly Token[]) {
  const tokens = head.slice(1);
  const stop = tokens.findIndex(({ key, kind }) => key === "(" || (kind === "text" && key === ""));
  const words = stop < 0 ? tokens : tokens.slice(0, stop);
  return words.find(({ kind, key }) => kind === "word" && OBJECTS.has(key))?.key ?? "";
}

function classifyAlter(head: readonly Token[]): StatementClass {
  const object = head.slice(1, 6).find(({ key }) => WORDS.alteredObjects.has(key))?.key;
  if (object === "TABLE") return { kind: "alter table" };
  if (object === "TYPE") return { kind: "alter type" };
  if (object === "SESSION") return { kind: "alter session" };
  if (object === "INDEX" && head.some(({ key }) => key === "RENAME")) return { kind: "alter index" };
  if (object === "SEQUENCE") return { reason: "sequence" };
  const entry = OBJECTS.get(findObjectWord(head));
  if (entry?.isRoutine) return entry;
  return { reason: entry?.reason ?? "database" };
}

function classifyDrop(head: readonly Token[]): StatementClass {
  const object = findObjectWord(head);
  if (object === "TABLE" || object === "VIEW" || object === "INDEX") return { kind: "drop" };
  return { reason: OBJECTS.get(object)?.reason ?? "database" };
}
