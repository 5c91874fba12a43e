import { matchesGlob } from "node:path";
import { describe, expect, test } from "vitest";
import { applyTestRow, findTests, findTestsByName, listPaths, readTestRows } from "./support/find-tests.ts";
import { importsOf } from "./support/import-edges.ts";
import { sources } from "./support/sources.ts";

const TESTS = listPaths("test/**/*.test.ts");
const CODE = listPaths("shared/**/*.ts");
const ROWS = readTestRows();

const IMPORTS = new Map(sources().map((source) => [source.path, importsOf(source).map(({ to }) => to)]));

function listLoaded(path: string): ReadonlySet<string> {
  const loaded = new Set([path]);
  // A set that grows while it is walked is walked to its new end.
  for (const file of loaded) for (const to of IMPORTS.get(file) ?? []) loaded.add(to);
  return loaded;
}

describe("the tests of production code", () => {
  test("are found by name or in the table of test/README.md for every file of shared/", () => {
    expect(CODE.length).toBeGreaterThan(300);
    expect(CODE.filter((path) => findTests(path, ROWS, TESTS).length === 0)).toEqual([]);
  });

  test("load the code that they test", () => {
    const loaded = new Map(TESTS.map((path) => [path, listLoaded(path)]));
    const unloaded = CODE.filter((path) => !findTests(path, ROWS, TESTS).some((found) => loaded.get(found)?.has(path)));
    expect(unloaded).toEqual([]);
  });
});

describe("the table of tests", () => {
  const unnamed = CODE.filter((path) => findTestsByName(path, TESTS).length === 0);

  test("has at most 40 rows", () => {
    expect(ROWS.length).toBeGreaterThan(20);
    expect(ROWS.length).toBeLessThanOrEqual(40);
  });

  test("has no row without a file that needs it", () => {
    const used = new Set(unnamed.map((path) => ROWS.find((row) => applyTestRow(row, path))));
    expect(ROWS.filter((row) => !used.has(row)).map(({ code }) => code)).toEqual([]);
  });

  test("names tests that exist", () => {
    const globs = new Set(unnamed.flatMap((path) => ROWS.map((row) => applyTestRow(row, path)).find(Boolean) ?? []));
    expect([...globs].filter((glob) => !TESTS.some((path) => matchesGlob(path, glob)))).toEqual([]);
  });
});
