import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { DOCUMENT_SCHEMA } from "../../shared/domain/document/document.ts";
import { FREE_KEY } from "../../shared/domain/refs.ts";
import { readStdin } from "../calls/payload.ts";
import { ENDINGS, hasEnding, parseSource, type SourceObject } from "../input/source-text.ts";
import { readTextFile } from "../input/values.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A source to apply. */
export interface Source {
  readonly file: string;
  /** Parameters of `model_apply` that pass the source. */
  readonly parameters: { readonly content: SourceObject | string } | { readonly from: string };
  /** Key of the model it describes; a text takes the name of its file. Undefined if there is none. */
  readonly key?: string;
  /** True for a document in our own format, which can declare `renamedFrom`. */
  readonly isOwn: boolean;
}

/** Files of a folder. */
export interface Folder {
  readonly files: readonly string[];
  readonly others: readonly string[];
}

/** Lists the files of a folder recursively, without hidden ones; undefined if the word is not a folder. */
export async function readFolder(word: string): Promise<Folder | undefined> {
  if (isAddress(word) || word === "-") return undefined;
  const stats = await stat(word).catch(() => undefined);
  if (!stats?.isDirectory()) return undefined;
  const all: string[] = [];
  await collectFiles(word, all);
  all.sort();
  const files = all.filter((file) => hasEnding(file, ENDINGS));
  return { files, others: all.filter((file) => !files.includes(file)) };
}

async function collectFiles(folder: string, files: string[]) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    if (entry.isDirectory()) await collectFiles(path, files);
    else if (entry.isFile()) files.push(path);
  }
}

/** Reads a file, a URL or `-`. Throws a usage failure that names it when it cannot be read. */
export async function readSource(terminal: Terminal, word: string): Promise<Source> {
  if (isAddress(word)) return { file: word, parameters: { from: word }, isOwn: false };
  const file = word === "-" ? "stdin" : word;
  const text = word === "-" ? await readStdin(terminal) : readTextFile(word);
  const content = await parseSource(file, text);
  const isText = typeof content === "string";
  const key = isText ? (word === "-" ? undefined : toKey(word)) : findModelKey(content);
  const isOwn = !isText && isOwnDocument(content);
  return { file, parameters: { content }, isOwn, ...(key !== undefined && { key }) };
}

/** Returns why a file of a folder is not a model; undefined if it is one. */
export function explainNoModel({ parameters, key }: Source): string | undefined {
  if (!("content" in parameters)) return undefined;
  const { content } = parameters;
  if (typeof content === "string") return undefined;
  if (isOwnDocument(content) || /\/medatarun-model-/.test(String(content.$schema))) return undefined;
  if (Array.isArray(content.resources)) return undefined;
  if (Array.isArray(content.fields)) {
    // Tables of a package often are in separate files.
    return key === undefined ? "it is a table without a name" : undefined;
  }
  return "it is not a model document, Data Package or Table Schema";
}

const OWN_SCHEMAS = DOCUMENT_SCHEMA.replace(/\d+$/, "");

/** True for a model document in our own format. */
export function isOwnDocument({ $schema }: SourceObject): boolean {
  return typeof $schema === "string" && $schema.startsWith(OWN_SCHEMAS);
}

function findModelKey(content: SourceObject): string | undefined {
  const key = "resources" in content || "fields" in content ? content.name : content.key;
  return typeof key === "string" && FREE_KEY.test(key) ? key : undefined;
}

function toKey(file: string): string | undefined {
  const name = basename(file).replace(/(?<=.)\.\w+$/, "");
  return FREE_KEY.test(name) ? name : undefined;
}

/** True for a URL that the service reads itself. */
export function isAddress(word: string): boolean {
  return /^https?:\/\//i.test(word);
}
