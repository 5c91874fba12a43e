import { DatabaseSync } from "node:sqlite";

/** What a reader that is not ours finds in a file. */
export interface ForeignFile {
  /** Decoded texts: names, values, comments. */
  readonly texts: readonly string[];
  /** Form of the file without its texts. */
  readonly structure: readonly string[];
}

/** How a dialect writes names and texts, by its manual. */
interface QuoteRules {
  readonly name: readonly [open: string, close: string];
  /** True if a backslash escapes the next character of a text. */
  readonly backslash: boolean;
  /** True if two quotes in a text are one. */
  readonly doubled: boolean;
  readonly comments: readonly string[];
}

const RULES = {
  mysql: { name: ["`", "`"], backslash: true, doubled: true, comments: ["-- ", "#"] },
  sqlite: { name: ['"', '"'], backslash: false, doubled: true, comments: ["--"] },
  tsql: { name: ["[", "]"], backslash: false, doubled: true, comments: ["--"] },
  snowflake: { name: ['"', '"'], backslash: true, doubled: true, comments: ["--", "//"] },
  bigquery: { name: ["`", "`"], backslash: true, doubled: false, comments: ["--", "#"] },
} as const satisfies Readonly<Record<string, QuoteRules>>;

export type LexedDialect = keyof typeof RULES;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Splits statements into names, texts and words by the manual of their database, without the code of the product. */
export function lexSql(content: string, dialect: LexedDialect): ForeignFile {
  const rules: QuoteRules = RULES[dialect];
  const texts: string[] = [];
  const structure: string[] = [];
  const comments: string[] = [];
  let depth = 0;
  for (let i = 0; i < content.length; ) {
    const comment = rules.comments.find((start) => content.startsWith(start, i));
    const letter = content[i] ?? "";
    if (comment !== undefined) {
      const end = content.indexOf("\n", i);
      comments.push(content.slice(i + comment.length, end < 0 ? undefined : end).trim());
      i = end < 0 ? content.length : end;
    } else if (content.startsWith("/*", i)) throw new Error(`a block comment at ${i}`);
    else if (letter === "'" || letter === rules.name[0]) {
      const isText = letter === "'";
      const [text, end] = isText ? readQuoted("'", rules, i + 1) : readQuoted(rules.name[1], NAME, i + 1);
      texts.push(text);
      structure.push(isText ? "text" : "name");
      i = end;
    } else if (/\s/.test(letter)) i += 1;
    else {
      const word = /[\w$@]+|[\s\S]/uy;
      word.lastIndex = i;
      const [token = ""] = word.exec(content) ?? [];
      if (token === "(") depth += 1;
      if (token === ")") depth -= 1;
      if (depth < 0 || (token === ";" && depth > 0)) throw new Error(`brackets do not match at ${i}`);
      structure.push(token);
      i += token.length;
    }
  }
  return { texts: [...texts, comments.join("\n")], structure };

  function readQuoted(quote: string, { backslash, doubled }: Pick<QuoteRules, "backslash" | "doubled">, start: number) {
    let text = "";
    for (let i = start; i < content.length; i++) {
      const letter = content[i] ?? "";
      if (letter === quote && doubled && content[i + 1] === quote) {
        text += quote;
        i += 1;
      } else if (letter === quote) return [text, i + 1] as const;
      else if (letter === "\\" && backslash) {
        i += 1;
        text += ESCAPES[content[i] ?? ""] ?? content[i];
      } else text += letter;
    }
    throw new Error(`a quote is not closed: ${content.slice(start - 1, start + 50)}`);
  }
}

const NAME = { backslash: false, doubled: true };

/** Runs statements in SQLite, which throws if it does not accept them, and splits them. */
export function runSqlite(content: string): ForeignFile {
  const database = new DatabaseSync(":memory:");
  database.exec(content);
  database.close();
  return lexSql(content, "sqlite");
}
