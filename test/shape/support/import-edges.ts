import { posix } from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";
import type { Source } from "./sources.ts";

/** An import of one of our files by another. `types` is true of an import that is gone when the program runs. */
export interface FileEdge {
  readonly from: string;
  readonly to: string;
  readonly types: boolean;
}

/** The part of the house a file is in: `shared/<room>`, or its folder at the root. */
export function roomOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first === "shared" ? `${first}/${second}` : first;
}

const edgesBySource = new WeakMap<Source, readonly FileEdge[]>();

/** The imports of files of ours that a source has. Packages and built-in modules are left out. */
export function importsOf(source: Source): readonly FileEdge[] {
  const edges = edgesBySource.get(source) ?? parseImports(source);
  edgesBySource.set(source, edges);
  return edges;
}

function parseImports({ path, text }: Source): readonly FileEdge[] {
  const edges: FileEdge[] = [];
  const add = (source: ESTree.Node | null, types: boolean) => {
    if (source?.type !== "Literal" || typeof source.value !== "string" || !source.value.startsWith(".")) return;
    edges.push({ from: path, to: posix.join(posix.dirname(path), source.value), types });
  };
  new Visitor({
    ImportDeclaration: ({ source, importKind }) => add(source, importKind === "type"),
    ExportNamedDeclaration: ({ source, exportKind }) => add(source, exportKind === "type"),
    ExportAllDeclaration: ({ source, exportKind }) => add(source, exportKind === "type"),
    ImportExpression: ({ source }) => add(source, false),
    TSImportType: ({ source }) => add(source, true),
  }).visit(parseSync(path, text).program);
  return edges;
}

/** An edge between two rooms that is allowed, for a reason. `types`: for types alone. */
export interface RoomEdge {
  readonly from: string;
  readonly to: string;
  readonly types?: true;
  readonly because: string;
}

/** Every import that crosses from one room into another without an allowed edge, as a sentence. */
export function forbiddenEdges(files: readonly Source[], allowed: readonly RoomEdge[]): readonly string[] {
  return files.flatMap(importsOf).flatMap((edge) => {
    const [from, to] = [roomOf(edge.from), roomOf(edge.to)];
    if (from === to || allowed.some((a) => a.from === from && a.to === to && (edge.types || !a.types))) return [];
    return [`${edge.from} imports ${edge.types ? "types of " : ""}${edge.to}`];
  });
}

/** Every allowed edge that no file uses any more, or that is used for types alone although it allows more. */
export function unusedEdges(files: readonly Source[], allowed: readonly RoomEdge[]): readonly string[] {
  const edges = files.flatMap(importsOf);
  return allowed.flatMap(({ from, to, types }) => {
    const used = edges.filter((e) => roomOf(e.from) === from && roomOf(e.to) === to);
    if (used.length === 0) return [`${from} -> ${to} is used by no file`];
    return types || used.some((e) => !e.types) ? [] : [`${from} -> ${to} is used for types alone`];
  });
}

/** The rooms of a folder, lowest first; those of one floor know nothing of each other. */
export type Floors = readonly (readonly string[])[];

/** Lists imports between rooms that do not lead downwards; files without a floor are above all others. */
export function upwardEdges(files: readonly Source[], folder: string, floors: Floors): readonly string[] {
  const roomIn = (path: string) =>
    path
      .slice(folder.length + 1)
      .split("/")
      .slice(0, -1)[0] ?? "";
  const floorOf = (path: string) => {
    const floor = floors.findIndex((rooms) => rooms.includes(roomIn(path)));
    return floor < 0 ? floors.length : floor;
  };
  return files.flatMap(importsOf).flatMap(({ from, to }) => {
    if (!from.startsWith(`${folder}/`) || !to.startsWith(`${folder}/`) || roomIn(from) === roomIn(to)) return [];
    const isDown = floorOf(to) < floorOf(from) || floorOf(from) === floors.length;
    return isDown ? [] : [`${from} imports ${to}`];
  });
}

/** Every cycle of files that import each other, be it types alone, as a list of paths. */
export function cyclesAmong(files: readonly Source[]): readonly (readonly string[])[] {
  const loads = new Map(files.map((f) => [f.path, importsOf(f)]));
  const cycles: (readonly string[])[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]) => {
    const at = trail.indexOf(path);
    if (at >= 0) cycles.push([...trail.slice(at), path]);
    if (at >= 0 || done.has(path)) return;
    for (const { to } of loads.get(path) ?? []) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const path of loads.keys()) visit(path, []);
  return cycles;
}

export function missingFiles(files: readonly Source[]): readonly string[] {
  const paths = new Set(files.map((f) => f.path));
  return files
    .flatMap(importsOf)
    .filter((e) => /\.tsx?$/.test(e.to) && !paths.has(e.to))
    .map((e) => `${e.from} imports ${e.to}`);
}
