import { posix } from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";
import { importsOf } from "./import-edges.ts";
import type { Source } from "./sources.ts";

/** A function of a source file with its first line, counted from 1, and its number of lines. */
export interface FunctionSize {
  readonly path: string;
  readonly name: string;
  readonly line: number;
  readonly lines: number;
}

/** Two folders whose files import each other, with one import of each direction. */
export interface FolderPair {
  readonly folders: readonly [string, string];
  readonly examples: readonly [string, string];
}

type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression;

/** True for files that are published or deployed: not tests, benchmarks, documentation and examples. */
export function isProduction(path: string): boolean {
  return !/^(test|bench|docs|examples)\//.test(path);
}

/** Returns the number of lines of a text as an editor counts them. */
export function countLines(text: string): number {
  return text.trimEnd().split("\n").length;
}

/** Returns every function of a file that has a name, methods and arrow functions in variables and members included. */
export function listFunctions({ path, text }: Source): readonly FunctionSize[] {
  const starts = lineStarts(text);
  const found: FunctionSize[] = [];
  const add = (name: string, node: FunctionNode) => {
    const line = lineAt(starts, node.start);
    found.push({ path, name, line, lines: lineAt(starts, node.end) - line + 1 });
  };
  const addValue = (key: ESTree.Node, value: ESTree.Node | null) => {
    if (key.type !== "Identifier" || !value) return;
    if (value.type === "ArrowFunctionExpression" || value.type === "FunctionExpression") add(key.name, value);
  };
  new Visitor({
    FunctionDeclaration: (node) => node.body && node.id && add(node.id.name, node),
    VariableDeclarator: (node) => addValue(node.id, node.init),
    Property: (node) => addValue(node.key, node.value),
    MethodDefinition: (node) => node.value.body && addValue(node.key, node.value),
  }).visit(parseSync(path, text).program);
  return found;
}

/** Returns the files shorter than `lines` lines that exactly one production file imports, with that file. */
export function listSmallSingleUse(
  files: readonly Source[],
  lines: number,
): readonly { readonly path: string; readonly importer: string }[] {
  const importers = new Map<string, Set<string>>();
  for (const { from, to } of files.filter(({ path }) => isProduction(path)).flatMap(importsOf))
    importers.set(to, (importers.get(to) ?? new Set()).add(from));
  return files.flatMap(({ path, text }) => {
    const [importer, ...others] = importers.get(path) ?? [];
    if (!importer || others.length > 0 || countLines(text) >= lines) return [];
    return [{ path, importer }];
  });
}

/** Returns every dynamic `import()` of a file, as `path import(…)`. */
export function listDynamicImports({ path, text }: Source): readonly string[] {
  const places: string[] = [];
  new Visitor({ ImportExpression: ({ start, end }) => places.push(`${path} ${text.slice(start, end)}`) }).visit(
    parseSync(path, text).program,
  );
  return places;
}

/** Returns the folders that hold more than `most` files directly, with the count. */
export function listLargeFolders(
  paths: readonly string[],
  most: number,
): readonly { readonly folder: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  return [...counts].flatMap(([folder, count]) => (count > most ? [{ folder, count }] : []));
}

/** Returns every pair of folders whose files import each other, type imports included. */
export function listMutualFolders(files: readonly Source[]): readonly FolderPair[] {
  const edges = new Map<string, string>();
  for (const { from, to } of files.flatMap(importsOf)) {
    const [a, b] = [posix.dirname(from), posix.dirname(to)];
    if (a !== b) edges.set(`${a} ${b}`, `${from} imports ${to}`);
  }
  return [...edges].flatMap(([key, example]) => {
    const [a = "", b = ""] = key.split(" ");
    const back = edges.get(`${b} ${a}`);
    return back && a < b ? [{ folders: [a, b] as const, examples: [example, back] as const }] : [];
  });
}

function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
