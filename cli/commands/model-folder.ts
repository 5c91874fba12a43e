import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { DOCUMENT_SCHEMA } from "../../shared/domain/document/document.ts";
import { FREE_KEY } from "../../shared/domain/refs.ts";
import { readStdin } from "../calls/payload.ts";
import { contentIn, ENDINGS, endsIn, type SourceObject } from "../input/source-text.ts";
import { usage } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A source to apply. */
export interface Source {
  /** The file as it was named, an address, or `stdin`. */
  readonly file: string;
  /** The parameters of `model_apply` that hand it over. */
  readonly parameters: { readonly content: SourceObject | string } | { readonly from: string };
  /** The key of the model that it is of: a text is of the one named like its file. Undefined where it names none. */
  readonly key?: string;
  /** True for a document of the service's own, in which `renamedFrom` can be said. */
  readonly isOwn: boolean;
}

/** The files of a folder. */
export interface Folder {
  /** Those that may hold models, by their names. */
  readonly files: readonly string[];
  /** Those that do not. */
  readonly others: readonly string[];
}

/** The files of a folder and of those in it, but hidden ones; undefined where the word names no folder. */
export async function folderAt(word: string): Promise<Folder | undefined> {
  if (isAddress(word) || word === "-") return undefined;
  const found = await stat(word).catch(() => undefined);
  if (!found?.isDirectory()) return undefined;
  const all: string[] = [];
  await collect(word, all);
  all.sort();
  const files = all.filter((file) => endsIn(file, ENDINGS));
  return { files, others: all.filter((file) => !files.includes(file)) };
}

async function collect(folder: string, into: string[]): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    if (entry.isDirectory()) await collect(path, into);
    else if (entry.isFile()) into.push(path);
  }
}

/** Reads a file, an address or `-`; a sentence that names it where it cannot be read. */
export async function sourceAt(place: Terminal, word: string): Promise<Source> {
  if (isAddress(word)) return { file: word, parameters: { from: word }, isOwn: false };
  const file = word === "-" ? "stdin" : word;
  const text = word === "-" ? await readStdin(place) : await textAt(word);
  const content = await contentIn(file, text);
  const isText = typeof content === "string";
  const key = isText ? (word === "-" ? undefined : keyLike(word)) : findModelKey(content);
  const isOwn = !isText && isOwnDocument(content);
  return { file, parameters: { content }, isOwn, ...(key !== undefined && { key }) };
}

/** The text of a file; a sentence that names it where it cannot be read. */
export async function textAt(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw usage(`${file} ${code === "ENOENT" ? "is not there" : `cannot be read (${code})`}`);
  }
}

/** Why a file of a folder is no model; undefined for one that is. */
export function noModel({ parameters, key }: Source): string | undefined {
  if (!("content" in parameters)) return undefined;
  const { content } = parameters;
  if (typeof content === "string") return undefined;
  if (isOwnDocument(content) || /\/medatarun-model-/.test(String(content.$schema))) return undefined;
  if (Array.isArray(content.resources)) return undefined;
  if (Array.isArray(content.fields)) {
    // The tables of a package often lie in files of their own.
    return key === undefined ? "it is a table without a name" : undefined;
  }
  return "it is no model document, Data Package or Table Schema";
}

const OWN_SCHEMAS = DOCUMENT_SCHEMA.replace(/\d+$/, "");

/** True for a model document of the service's own. */
export function isOwnDocument({ $schema }: SourceObject): boolean {
  return typeof $schema === "string" && $schema.startsWith(OWN_SCHEMAS);
}

/** The key by which a source names its model: the `key` of a document, the `name` of a descriptor. */
function findModelKey(content: SourceObject): string | undefined {
  const said = "resources" in content || "fields" in content ? content.name : content.key;
  return typeof said === "string" && FREE_KEY.test(said) ? said : undefined;
}

/** The name of a file without its end, as a key. */
function keyLike(file: string): string | undefined {
  const name = basename(file).replace(/(?<=.)\.\w+$/, "");
  return FREE_KEY.test(name) ? name : undefined;
}

function isAddress(word: string): boolean {
  return /^https?:\/\//i.test(word);
}
