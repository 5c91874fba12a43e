import { LIMITS } from "../../domain/limits.ts";
import { type Diagnostics, quote } from "../common/diagnostics.ts";
import type { DialectFacts } from "./dialects.ts";
import { createScanner, type Scanner, type Token } from "./scanner.ts";
import { classifyStatement, HEAD_TOKENS, SKIPPED, type SkippedKind, type StatementClass } from "./statement-kinds.ts";

/** A statement of a SQL text. */
export interface Statement extends StatementClass {
  /** Tokens without the terminator. Only the first ones of a counted statement. */
  readonly tokens: readonly Token[];
  /** First line, from 1. */
  readonly line: number;
  /** True when a quote or comment is not closed, so that the statement extends to the end of the text. */
  readonly isOpen?: true;
}

/** Words that begin a statement in SQL Server, which needs no terminator. */
const BEGINS = new Set([
  ...["CREATE", "ALTER", "DROP", "INSERT", "EXEC", "EXECUTE", "PRINT", "USE", "GRANT", "DENY", "REVOKE", "DECLARE"],
  ...["IF", "TRUNCATE", "RAISERROR", "BEGIN", "END", "UPDATE", "DELETE", "MERGE", "SET"],
]);
const PARTS_OF_ALTER = new Set(["COLUMN", "CONSTRAINT", "(", "NULL", "DEFAULT"]);
/** Commands of SQL*Plus, which end with the line. */
const PLUS_LINES =
  /^(rem|remark|prompt|spool|set|whenever|define|undefine|connect|conn|exit|quit|show|column|accept|pause|host|clear|timing|variable|ttitle)\b/i;
const GO = /[ \t]*go([ \t]+\d+)?[ \t]*;?[ \t]*\r?(\n|$)/iy;
const SLASH = /\/[ \t]*\r?(\n|$)/y;
const DELIMITER = /delimiter[ \t]+(\S+)[ \t]*\r?(\n|$)/iy;
const STDIN = /\bfrom\s+stdin\b/i;

/**
 * Splits a text into statements: by semicolons, `GO`, slashes, client commands, `DELIMITER` and the rows of `COPY`.
 * Reads each character once and keeps the tokens of applied statements only.
 */
export function* splitStatements(text: string, facts: DialectFacts): Generator<Statement> {
  const scanner = createScanner(text, facts);
  const { dialect } = facts;
  const isPlus = dialect === "oracle";
  const hasGo = dialect === "tsql" || dialect === "sql";
  const hasSlash = isPlus || dialect === "sql";
  let delimiter = ";";
  let counted = 0;
  let line = 1;
  let open = newStatement();

  while (scanner.next()) {
    const { start, isFirst } = scanner;
    const c = text[start] as string;
    const isEmpty = open.tokens.length === 0;
    if (isFirst && hasGo && (c === "G" || c === "g") && at(GO, start)) {
      yield* ended();
      scanner.skipLine(start);
      continue;
    }
    if (isFirst && hasSlash && c === "/" && at(SLASH, start)) {
      yield* ended();
      continue;
    }
    if (isFirst && (c === "D" || c === "d") && at(DELIMITER, start)) {
      yield* ended();
      delimiter = DELIMITER.exec(text.slice(start, start + 200))?.[1] ?? ";";
      DELIMITER.lastIndex = 0;
      scanner.skipLine(start);
      continue;
    }
    if (c === "\\" || (isEmpty && isFirst && isCommand(start, c))) {
      const found = scanner.isFirst ? commandAt(start) : undefined;
      yield* ended();
      if (found) yield found;
      scanner.skipLine(start);
      continue;
    }
    if (delimiter === ";" ? c === ";" && scanner.kind === "mark" : text.startsWith(delimiter, start)) {
      if (delimiter !== ";") scanner.moveTo(start + delimiter.length);
      else if (open.isInside()) continue;
      const isCopy = open.first === "COPY" && STDIN.test(text.slice(open.start, start));
      yield* ended();
      if (isCopy) skipRows(scanner);
      continue;
    }
    if (!isEmpty && beginsAnother(isFirst)) yield* ended();
    open.add(scanner);
  }
  yield* ended();

  function at(pattern: RegExp, place: number): boolean {
    pattern.lastIndex = place;
    return pattern.test(text);
  }

  function lineAt(place: number): number {
    for (let next = text.indexOf("\n", counted); next >= 0 && next < place; next = text.indexOf("\n", counted)) {
      line++;
      counted = next + 1;
    }
    return line;
  }

  function* ended(): Generator<Statement> {
    const { tokens, start } = open;
    if (tokens.length === 0) return;
    yield { tokens, line: lineAt(start), ...open.classify(), ...(scanner.isOpen && { isOpen: true }) };
    open = newStatement();
  }

  function isCommand(start: number, c: string): boolean {
    if (dialect === "sqlite") return c === "." && /[a-z]/.test(text[start + 1] ?? "");
    if (dialect === "tsql") return c === ":" && /[a-z]/i.test(text[start + 1] ?? "");
    if (dialect === "mysql") return /^(source|\.)\s/i.test(text.slice(start, start + 8));
    if (!isPlus) return false;
    if (c === "@") return true;
    const words = text.slice(start, start + 20);
    return PLUS_LINES.test(words) && !/^set\s+(role|transaction|constraint)/i.test(text.slice(start, start + 30));
  }

  /** Returns the statement for a client command that selects a database. Other commands are settings. */
  function commandAt(start: number): Statement {
    const end = text.indexOf("\n", start);
    const [, name] =
      /^\\c(?:onnect)?\s+(?:-\S+\s+)*"?([\w$-]+)/.exec(text.slice(start, end < 0 ? undefined : end)) ?? [];
    const token = { kind: "name", key: "", isFirst: true, start, end: start } as const;
    const tokens =
      name === undefined
        ? []
        : [
            { ...token, value: "use" },
            { ...token, value: name },
          ];
    const sort = name === undefined ? ({ skipped: "setting" } as const) : ({ kind: "use" } as const);
    return { tokens, line: lineAt(start), ...sort };
  }

  /** Returns true when a token begins a statement without a terminator before it. */
  function beginsAnother(isFirst: boolean): boolean {
    if (scanner.kind !== "word" || open.depth > 0) return false;
    if (isPlus) return isFirst && isWord(scanner, "CREATE");
    if (dialect !== "tsql" || open.isRoutine()) return false;
    const length = scanner.end - scanner.start;
    if (length < 2 || length > 9) return false;
    const key = text.slice(scanner.start, scanner.end).toUpperCase();
    if (!BEGINS.has(key)) return false;
    const follows = /^\s*([A-Za-z]+|\(|)/.exec(text.slice(scanner.end, scanner.end + 40))?.[1]?.toUpperCase() ?? "";
    if (open.first === "ALTER" && (key === "ALTER" || key === "DROP" || key === "SET"))
      return !PARTS_OF_ALTER.has(follows);
    if (isFirst) return true;
    return (key === "CREATE" || key === "ALTER") && follows === "TABLE";
  }

  function newStatement() {
    return createOpenStatement(facts);
  }
}

function isWord({ text, start, end }: Scanner, word: string): boolean {
  return end - start === word.length && text.slice(start, end).toUpperCase() === word;
}

/** Skips the rows of `COPY … FROM stdin`. */
function skipRows(scanner: Scanner): void {
  scanner.skipLine(scanner.end);
  const { text } = scanner;
  const end = text.startsWith("\n\\.", scanner.end) ? scanner.end : text.indexOf("\n\\.", scanner.end);
  scanner.moveTo(end < 0 ? text.length : end + 3);
  scanner.skipLine(scanner.end);
}

/** A statement while it is read. */
interface OpenStatement {
  readonly tokens: readonly Token[];
  readonly start: number;
  /** First word in upper case. */
  readonly first: string;
  /** Number of open brackets. */
  readonly depth: number;
  add(scanner: Scanner): void;
  classify(): StatementClass;
  /** True for a function, procedure or trigger. */
  isRoutine(): boolean;
  /** True inside a block of code. */
  isInside(): boolean;
}

function createOpenStatement({ dialect }: DialectFacts): OpenStatement {
  let tokens: Token[] = [];
  let sort: StatementClass | undefined;
  let depth = 0;
  let blocks = 0;
  let hadBlock = false;
  let last = "";
  const known = (): StatementClass => {
    sort ??= classifyStatement(tokens.slice(0, HEAD_TOKENS));
    return sort;
  };
  const isRoutine = (): boolean =>
    /^(CREATE|ALTER)$/.test(tokens[0]?.key ?? "") && (sort ?? classifyStatement(tokens)).isRoutine === true;
  return {
    get tokens() {
      return tokens;
    },
    get start() {
      return tokens[0]?.start ?? 0;
    },
    get first() {
      return tokens[0]?.key ?? "";
    },
    get depth() {
      return depth;
    },
    classify: known,
    add: (scanner) => {
      const c = scanner.text[scanner.start];
      if (scanner.kind === "mark") {
        if (c === "(") depth++;
        else if (c === ")" && depth > 0) depth--;
      }
      if (tokens.length < HEAD_TOKENS) tokens.push(scanner.token());
      else if (known().kind !== undefined) {
        tokens.push(scanner.token());
        if (tokens.length > LIMITS.sqlTokens) {
          tokens = tokens.slice(0, HEAD_TOKENS);
          sort = { skipped: "long" };
        }
      }
      if (scanner.kind === "word") {
        // Only short words control blocks. The head may still be incomplete.
        const word =
          scanner.end - scanner.start <= 7 ? scanner.text.slice(scanner.start, scanner.end).toUpperCase() : "";
        if (word === "BEGIN" || word === "CASE") {
          if (last !== "END") blocks++;
          hadBlock ||= word === "BEGIN";
        } else if (last === "END" && /^(IF|LOOP|WHILE|REPEAT|FOR)$/.test(word)) blocks++;
        else if (word === "END") blocks--;
        last = word;
      } else last = "";
    },
    isRoutine: () => isRoutine(),
    isInside: () => {
      if (dialect === "tsql") return isRoutine();
      if (!(sort ?? classifyStatement(tokens)).isRoutine) return false;
      if (blocks > 0) return true;
      if (dialect !== "oracle") return false;
      // Declarations before a block belong to it. A package ends like a block.
      const isPackage = tokens.some(({ key }) => key === "PACKAGE" || key === "BODY");
      return isPackage ? blocks >= 0 : !hadBlock;
    },
  };
}

/** Warnings of one statement. */
export interface StatementWarnings {
  /** First line of the statement. */
  readonly line: number;
  /** Warns about a part that is not imported. */
  warn(detail: string): void;
  /** Warns about something that is not an entity. */
  warnLeftOut(what: string): void;
}

export function createStatementWarnings({ line }: Statement, diagnostics: Diagnostics): StatementWarnings {
  const place = toLinePath(line);
  return {
    line,
    warn: (detail) => diagnostics.warn(place, "not_carried_over", detail),
    warnLeftOut: (what) => diagnostics.warn(place, "not_carried_over", `${what} is no entity of its own`),
  };
}

/** Warns about a statement that is not applied. */
export function warnSkipped({ line, tokens }: Statement, skipped: SkippedKind, diagnostics: Diagnostics): void {
  const words = tokens.slice(0, 2).map(({ value }) => value);
  const detail = skipped === "other" ? `${SKIPPED.other}: ${quote(words.join(" "))}` : SKIPPED[skipped];
  diagnostics.warn(toLinePath(line), "not_carried_over", detail);
}

/** Returns the path of a statement in warnings. */
export function toLinePath(line: number): string {
  return `/lines/${line}`;
}
