import { Compiler, DEFAULT_ENTRY, MemoryProjectLayout } from "@dbml/parse";
import { Graphviz } from "@hpcc-js/wasm-graphviz";
import { parse as parseSql } from "libpg-query";
import { Marked } from "marked";
import mermaid from "mermaid";
import { parse as parseYaml } from "yaml";
import type { ExportFormat } from "../../../shared/domain/values/export-formats.ts";
import { type ForeignFile, lexSql, runSqlite } from "./sql-lexer.ts";

/** Reads a file of a format with a program that is not part of the product. Throws if the file is not valid. */
export const FOREIGN_READERS: Readonly<Record<ExportFormat, (content: string) => ForeignFile | Promise<ForeignFile>>> =
  {
    frictionless: (content) => readTree(JSON.parse(content)),
    jsonschema: (content) => readTree(JSON.parse(content)),
    avro: (content) => readTree(JSON.parse(content)),
    odcs: (content) => readTree(parseYaml(content)),
    dbt: (content) => readTree(parseYaml(content)),
    html: readMarkup,
    svg: readMarkup,
    markdown: (content) => readMarkup(new Marked().parse(content, { async: false })),
    dbml: readDbml,
    postgresql: readSql,
    sqlite: runSqlite,
    mysql: (content) => lexSql(content, "mysql"),
    tsql: (content) => lexSql(content, "tsql"),
    snowflake: (content) => lexSql(content, "snowflake"),
    bigquery: (content) => lexSql(content, "bigquery"),
    mermaid: readMermaid,
    graphviz: async (content) => readMarkup((await Graphviz.load()).layout(content, "svg", "dot")),
  };

function readTree(value: unknown, ignored: ReadonlySet<string> = new Set()): ForeignFile {
  const texts: string[] = [];
  const describe = (one: unknown): string => {
    if (typeof one === "string") texts.push(one);
    if (typeof one !== "object" || one === null) return typeof one;
    if (Array.isArray(one)) return `[${one.map(describe).join()}]`;
    const members = Object.entries(one).filter(([name]) => !ignored.has(name));
    texts.push(...members.map(([name]) => name));
    return `{${members.map(([, inner]) => describe(inner)).join()}}`;
  };
  return { texts, structure: [describe(value)] };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: " " };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, digits?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(digits) : Number.parseInt(hex, 16));
  });
}

const TOKEN =
  /<!--[\s\S]*?-->|<[!?][^>]*>|<(script|style)([^>]*)>[\s\S]*?<\/\1>|<(\/?[a-z][\w:-]*)((?:\s+[\w:-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*\/?>|[^<]+|</gi;

/** Reads HTML or XML by the rules that both share: tags, quoted attributes, entities. A stray `<` is an element "<". */
function readMarkup(content: string): ForeignFile {
  const texts = [""];
  const structure: string[] = [];
  for (const [token, raw, , tag, attributes = ""] of content.matchAll(TOKEN))
    if (raw !== undefined) structure.push(token);
    else if (tag?.toLowerCase() === "br") texts.push(`${texts.pop()}\n`);
    else if (tag !== undefined) {
      const named = [...attributes.matchAll(/([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)];
      structure.push(`${tag} ${named.map(([, name]) => name).join()}`);
      texts.push(...named.map(([, , double = "", single = ""]) => decodeEntities(double + single)), "");
    } else if (token === "<") structure.push("<");
    else if (!token.startsWith("<")) texts.push(`${texts.pop()}${decodeEntities(token)}`);
  return { texts, structure };
}

function readDbml(content: string): ForeignFile {
  const files = new MemoryProjectLayout();
  files.setSource(DEFAULT_ENTRY, content);
  const report = new Compiler(files).interpretFile(DEFAULT_ENTRY);
  const [error] = report.getErrors();
  if (error) throw new Error(`${error.diagnostic} in ${content.slice(Math.max(0, error.start - 100), error.end + 50)}`);
  return readTree(report.getValue(), new Set(["token", "filepath"]));
}

async function readSql(content: string): Promise<ForeignFile> {
  const { texts, structure } = readTree(await parseSql(content), new Set(["location", "stmt_location", "stmt_len"]));
  const comments = content.split("\n").filter((line) => line.startsWith("-- "));
  return { texts: [...texts, comments.map((line) => line.slice("-- ".length)).join("\n")], structure };
}

/** Mermaid replaces entities by placeholders before it parses, and puts them back when it draws. */
async function readMermaid(content: string): Promise<ForeignFile> {
  await mermaid.parse(content);
  const [, head = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(content) ?? [];
  const { db } = await mermaid.mermaidAPI.getDiagramFromText(body);
  const diagram = db as unknown as {
    getEntities(): ReadonlyMap<string, object>;
    getRelationships(): readonly object[];
  };
  const { texts, structure } = readTree([[...diagram.getEntities().values()], diagram.getRelationships()]);
  const decode = (text: string): string =>
    decodeEntities(text.replace(/ﬂ°°/g, "&#").replace(/ﬂ°/g, "&").replace(/¶ß/g, ";"));
  return { texts: [...texts.map(decode), String(parseYaml(head).title)], structure };
}
