import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import {
  isProduction,
  listDynamicImports,
  listFunctions,
  listLargeFolders,
  listMutualFolders,
  listSmallSingleUse,
} from "./support/code-structure.ts";
import { type Source, sources } from "./support/sources.ts";
import { LARGE_FUNCTIONS, SMALL_FILES } from "./support/structure-exceptions.ts";

const MOST_FUNCTION_LINES = 80;
const FEWEST_LINES = 40;
const MOST_FILES = 25;
const MOST_DYNAMIC_IMPORTS = 90;

const production = sources().filter(({ path }) => isProduction(path));
const file = (path: string, text: string): Source => ({ path, text });

describe("production code", () => {
  const large = production.flatMap(listFunctions).filter(({ lines }) => lines > MOST_FUNCTION_LINES);

  test(`has no function over ${MOST_FUNCTION_LINES} lines without a reason`, () => {
    const unexplained = large.filter(({ path, name }) => !LARGE_FUNCTIONS.has(`${path}:${name}`));
    expect(unexplained.map(({ path, line, name, lines }) => `${path}:${line} ${name} has ${lines} lines`)).toEqual([]);
  });

  test(`has no file under ${FEWEST_LINES} lines with a single importer, except a few with a reason`, () => {
    const small = listSmallSingleUse(production, FEWEST_LINES).filter(({ path }) => !SMALL_FILES.has(path));
    expect(small.map(({ path, importer }) => `${path} is only imported by ${importer}`)).toEqual([]);
    expect(SMALL_FILES.size).toBeLessThanOrEqual(10);
  });

  test(`has at most ${MOST_FILES} files in a folder`, () => {
    const paths = production.map(({ path }) => path);
    expect(listLargeFolders(paths, MOST_FILES)).toEqual([]);
  });

  test("has no two folders that import each other", () => expect(listMutualFolders(production)).toEqual([]));

  test(`loads at most ${MOST_DYNAMIC_IMPORTS} modules lazily, each from a place in the table of decision 33`, () => {
    const table = readFileSync(
      new URL("../../docs/decisions/0033-lazy-loading-at-the-border-of-features.md", import.meta.url),
      "utf8",
    );
    const imports = production.flatMap(listDynamicImports);
    expect(imports.length).toBeLessThanOrEqual(MOST_DYNAMIC_IMPORTS);
    const inTable = (place: string) => {
      const [path = ""] = place.split(" ");
      return path.startsWith("ui/") || table.includes(posix.basename(path));
    };
    expect(imports.filter((place) => !inTable(place))).toEqual([]);
  });

  test("uses every exception, and each has a reason", () => {
    const explained = new Set(large.map(({ path, name }) => `${path}:${name}`));
    expect([...LARGE_FUNCTIONS.keys()].filter((place) => !explained.has(place))).toEqual([]);
    const small = new Set(listSmallSingleUse(production, FEWEST_LINES).map(({ path }) => path));
    expect([...SMALL_FILES.keys()].filter((path) => !small.has(path))).toEqual([]);
    for (const reason of [...LARGE_FUNCTIONS.values(), ...SMALL_FILES.values()]) expect(reason).toMatch(/\w+ \w+ \w+/);
  });
});

describe("the structure checks", () => {
  const body = (lines: number) => "  step();\n".repeat(lines);

  test("find functions of every form, with their lines", () => {
    const text = `function a() {\n${body(2)}}\nconst b = () => {\n${body(1)}};\nclass C {\n  d() {\n${body(3)}  }\n}\nconst e = { f: function () {} };\n`;
    expect(listFunctions(file("x.ts", text)).map(({ name, line, lines }) => [name, line, lines])).toEqual([
      ["a", 1, 4],
      ["b", 5, 3],
      ["d", 9, 5],
      ["f", 15, 1],
    ]);
  });

  test("find lazily loaded modules", () => {
    const text = 'import "./a.ts";\nconst load = () => import("./b.ts");\n// import("./c.ts")\n';
    expect(listDynamicImports(file("x.ts", text))).toEqual(['x.ts import("./b.ts")']);
  });

  test("find a folder with too many files", () => {
    expect(listLargeFolders(["a/x.ts", "a/y.ts", "a/b/z.ts"], 1)).toEqual([{ folder: "a", count: 2 }]);
  });

  test("find folders that import each other, also for types and between subfolders", () => {
    const down = file("shared/a/x.ts", 'import { y } from "./b/y.ts";');
    const up = file("shared/a/b/z.ts", 'import type { X } from "../x.ts";');
    expect(listMutualFolders([down, up]).map(({ folders }) => folders)).toEqual([["shared/a", "shared/a/b"]]);
    expect(listMutualFolders([down])).toEqual([]);
  });
});
