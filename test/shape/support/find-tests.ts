import { globSync, readFileSync } from "node:fs";
import { basename, matchesGlob } from "node:path";
import { fileURLToPath } from "node:url";
import { codeIn, tableUnder } from "./page-tables.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Row of the table in `test/README.md`: a glob of production files, and globs of the tests of each of them. */
export interface TestRow {
  readonly code: string;
  readonly tests: readonly string[];
}

/** Returns the paths that match a glob, from the root of the repository. */
export function listPaths(glob: string): readonly string[] {
  return globSync(glob, { cwd: ROOT }).sort();
}

/** Reads the rows of the table in `test/README.md`. */
export function readTestRows(): readonly TestRow[] {
  const page = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  return tableUnder(page, "| code | tests |").map(([code = "", tests = ""]) => ({
    code: codeIn(code)[0] ?? "",
    tests: codeIn(tests),
  }));
}

/** Returns the tests with the name of a file, in the same room or in the suites of all rooms. */
export function findTestsByName(path: string, tests: readonly string[]): readonly string[] {
  const room = path.split("/")[1];
  const name = basename(path, ".ts");
  const glob = `test/{${room},every-action,shape}/**/${name}{,.wire}.test.ts`;
  return tests.filter((test) => matchesGlob(test, glob));
}

/** Returns a row's globs of tests for a file, `<word>` replaced; undefined if the row is for other files. */
export function applyTestRow({ code, tests }: TestRow, path: string): readonly string[] | undefined {
  const at = code.split("/").findIndex((step) => /^<\w+>$/.test(step));
  const folder = path.split("/")[at] ?? "";
  const fill = (glob: string) => glob.replace(/<\w+>/, folder);
  return matchesGlob(path, fill(code)) ? tests.map(fill) : undefined;
}

/** Returns the tests of a file, by name or else by the first row that matches. */
export function findTests(path: string, rows: readonly TestRow[], tests: readonly string[]): readonly string[] {
  const named = findTestsByName(path, tests);
  if (named.length > 0) return named;
  for (const row of rows) {
    const globs = applyTestRow(row, path);
    if (globs) return tests.filter((test) => globs.some((glob) => matchesGlob(test, glob)));
  }
  return [];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tests = listPaths("test/**/*.test.ts");
  for (const path of process.argv.slice(2)) console.log([path, ...findTests(path, readTestRows(), tests)].join("\n  "));
}
