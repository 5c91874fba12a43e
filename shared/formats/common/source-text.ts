import { isAlias, isScalar, type Node, parseDocument, visit } from "yaml";
import { LIMITS } from "../../domain/limits.ts";
import { findJsonTextFault } from "../../domain/text/json-faults.ts";
import type { SourceFormat } from "../../domain/values/source-formats.ts";
import { quote } from "./diagnostics.ts";

const DIALECTS = [
  "postgresql",
  "redshift",
  "mysql",
  "sqlite",
  "tsql",
  "oracle",
  "snowflake",
  "bigquery",
  "sql",
] as const;

export type SqlDialect = (typeof DIALECTS)[number];

/** Returns true for the name of a format that is a dialect of SQL. */
export function isSqlDialect(format: string | undefined): format is SqlDialect {
  return DIALECTS.some((dialect) => dialect === format);
}

/** A parsed source, or the reason why it could not be parsed. */
export type Outcome = { readonly value: unknown } | string;

/** Parses a fetched file by its text and the extension of its URL. */
export async function parseFile({ url, bytes }: { readonly url: URL; readonly bytes: Uint8Array }): Promise<Outcome> {
  const text = decodeText(bytes);
  if (text === undefined) return "it is not UTF-8 text";
  if (/\.(sql|ddl)$/i.test(url.pathname)) return { value: text };
  return /\.ya?ml$/i.test(url.pathname) ? parseYaml(text) : parseText(text, undefined);
}

function decodeText(bytes: Uint8Array): string | undefined {
  // Tools of SQL Server write scripts in UTF-16.
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Parses a text as JSON or YAML. Texts of SQL and DBML stay unchanged. */
export async function parseText(content: string, format: SourceFormat | undefined): Promise<Outcome> {
  // Byte order mark.
  const text = content.replace(/^\ufeff/, "");
  if (format === "dbml" || isSqlDialect(format)) return { value: text };
  if (/^\s*[[{]/.test(text)) return parseJsonOrInformix(text);
  const other = recogniseText(text);
  if ((other === DBML || other === SQL) && format === undefined) return { value: text };
  if (other !== undefined && format === undefined) return `it is ${other}`;
  const yaml = await parseYaml(text);
  if (typeof yaml === "string") return `it is not JSON; read as YAML, ${yaml}`;
  const isObject = typeof yaml.value === "object" && yaml.value !== null;
  return isObject ? yaml : "it is not JSON, not an object in YAML and not in another known format";
}

/** Parses JSON, or returns a text in the SQL of Informix that begins with a comment in braces, which becomes a standard one. */
function parseJsonOrInformix(text: string): Outcome {
  const outcome = parseJson(text);
  const [comment] = /^\s*\{[^{}]*\}/.exec(text) ?? [];
  if (typeof outcome !== "string" || comment === undefined) return outcome;
  const rest = text.slice(comment.length);
  if (recogniseText(rest) !== SQL) return outcome;
  const inner = comment.trimStart().slice(1, -1).replaceAll("*/", "*");
  return { value: `/*${inner}*/${rest}` };
}

/** Parses a JSON text after a check of its size. */
export function parseJson(text: string): Outcome {
  const fault = findJsonTextFault(text);
  if (fault) return `it ${fault.detail}`;
  try {
    // Messages of JSON.parse quote the text, so they are not shown.
    return { value: JSON.parse(text.replace(/^\ufeff/, "")) };
  } catch {
    return "it is not JSON";
  }
}

/** Parses YAML 1.2 with the limits of JSON, aliases expanded. Rejects values that JSON lacks. */
export async function parseYaml(text: string): Promise<Outcome> {
  if (Buffer.byteLength(text) > LIMITS.yamlBytes) {
    return `it has more than ${LIMITS.yamlBytes} bytes, the maximum for YAML; convert it to JSON`;
  }
  try {
    const document = parseDocument(text, { merge: true, uniqueKeys: false, logLevel: "error", prettyErrors: false });
    let duplicate: unknown;
    let anchors = 0;
    // The check for duplicate keys of the parser is quadratic: half a minute for the largest text.
    const count = (node: Node) => {
      if (isAlias(node) || node.anchor !== undefined) anchors += 1;
    };
    visit(document, {
      Node: (_, node) => count(node),
      Map: (_, map) => {
        count(map);
        const names = new Set<unknown>();
        for (const { key } of map.items) {
          const name = isScalar(key) ? key.value : key;
          if (names.has(name) && name !== "<<") duplicate = name;
          names.add(name);
        }
      },
    });
    if (duplicate !== undefined) return `an object has two members named ${quote(String(duplicate))}`;
    if (anchors > LIMITS.yamlAnchors) {
      return `it has more than ${LIMITS.yamlAnchors} anchors and aliases; expand them`;
    }
    const [error] = document.errors;
    const value: unknown = error ? undefined : document.toJS({ maxAliasCount: LIMITS.yamlAliases });
    // A text of another format is often one long YAML string.
    const other = typeof value === "object" ? undefined : recogniseText(text);
    if (other !== undefined) return `it is ${other}`;
    if (error) return `it is not YAML (${error.code} at character ${error.pos[0] + 1})`;
    const fault = findJsonFault(value, { members: LIMITS.jsonMembers, characters: LIMITS.sourceBytes });
    return fault === undefined ? { value } : `it ${fault}`;
  } catch (error) {
    // The parser throws for unknown or too many aliases, and exceeds the stack for deep nesting.
    if (error instanceof ReferenceError && /^unresolved/i.test(error.message)) return "it uses an undefined anchor";
    if (error instanceof ReferenceError) return `it uses one anchor more than ${LIMITS.yamlAliases} times`;
    if (error instanceof RangeError) return `it is nested deeper than ${LIMITS.jsonDepth} levels`;
    throw error;
  }
}

/** Returns the reason why a parsed value is not valid JSON or is too large. Counts repeated aliases. */
function findJsonFault(value: unknown, left: { members: number; characters: number }, depth = 0): string | undefined {
  if (--left.members < 0) return `has more than ${LIMITS.jsonMembers} members or items with aliases expanded`;
  if (typeof value === "string") {
    left.characters -= value.length;
    return left.characters < 0 ? `is larger than ${LIMITS.sourceBytes} bytes with aliases expanded` : undefined;
  }
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) return undefined;
  const isPlain = Array.isArray(value) || Object.prototype.toString.call(value) === "[object Object]";
  if (typeof value !== "object" || !isPlain || value instanceof Map || value instanceof Set) {
    return "contains a value that JSON does not have: an infinite number, a date, a set or binary data";
  }
  if (depth === LIMITS.jsonDepth) return `is nested deeper than ${LIMITS.jsonDepth} levels`;
  for (const [member, item] of Object.entries(value)) {
    left.characters -= member.length;
    const fault = findJsonFault(item, left, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

export const DBML = "DBML";
export const SQL = "SQL";

const SQL_START =
  /^(\\\w|;|\/[\r\n]|(create|alter|drop|insert|begin|set|use|select|with|pragma|if|grant|comment\s+on|exec|execute|declare|start|copy|lock|delimiter|print|go|rem|prompt|spool|whenever|connect|truncate|delete|update|merge|rename|rollback|commit|do|call)\b)/i;
const TABLE_STATEMENT = /^[^'"\n]{0,40}\b(create|alter)\s+(or\s+replace\s+)?(\w+\s+){0,2}(table|view)\s/im;

/** Text formats other than JSON and YAML: name, and pattern of the first text after comments. */
const TEXT_FORMATS: readonly (readonly [name: string, begins: RegExp, holds?: RegExp])[] = [
  ["an HTML or XML page; give the address of the JSON file itself", /^</],
  [SQL, /^(create|alter|drop|insert|begin|set|use|select|with|pragma)\s/i],
  // Commands of sqlcmd, with which SQL Server's scripts begin.
  [SQL, /^:(setvar|on\s+error|connect|r)\s/i],
  [DBML, /^(table|tablepartial|tablegroup|project)\s[^{\n]*\{/i],
  [DBML, /^(enum|ref|note)\b/i, /^[ \t]*table\s[^{\n]*\{/im],
  ["a Prisma schema", /^(datasource|generator|model)\s+\w+\s*\{/],
  ["a Protocol Buffers file", /^(syntax\s*=|package\s+[\w.]+;|message\s+\w+\s*\{)/],
  ["a GraphQL schema", /^(schema\s*\{|(type|input|interface|scalar|union|directive)\s+@?\w+)/],
  ["a GraphQL schema", /^enum\s+\w+/, /^(type|input|interface|scalar)\s+\w+/m],
  // Words that also begin other texts.
  [SQL, SQL_START, TABLE_STATEMENT],
  ["a Mermaid diagram", /^(erDiagram|classDiagram|(graph|flowchart)\s+(TB|TD|BT|LR|RL))\b/],
];

const YAML_LINE = /^["']?[\w $./@-]+["']?\s*:(\s|$)/;

/** Recognises the format of a text that is not JSON. */
export function recogniseText(text: string): string | undefined {
  const part = text.slice(0, 100_000);
  const start = part.replace(
    /^(\s+|--[^\n]*\n|\/\/[^\n]*\n|#[^\n]*\n|\/\*[^*]*\*+([^/*][^*]*\*+)*\/|"""[^"]*""")*/,
    "",
  );
  const [line = ""] = start.split("\n", 1);
  if (YAML_LINE.test(line)) return undefined;
  return TEXT_FORMATS.find(([, head, mark]) => head.test(start) && (mark?.test(part) ?? true))?.[0];
}
