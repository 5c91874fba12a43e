import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rewriteBuiltins } from "../../packaging/merge-start.ts";

test("a start reads one file, which takes modules of Node.js without importing them", async () => {
  const main = await readFile(join(import.meta.dirname, "../../dist/cli/main.js"), "utf8");
  expect(main).toContain('process.getBuiltinModule("node:fs")');
  expect(main).not.toMatch(/\bfrom\s*"(?:\.|node:)/);
});

test.each([
  ['import{a,b as c}from"node:fs/promises";c(a);', 'const {a,b:c}=process.getBuiltinModule("node:fs/promises");c(a);'],
  ['f();import*as m from"node:os";m.g();', 'const m=process.getBuiltinModule("node:os");f();m.g();'],
  ['import{x}from"./other.js";x();', 'import{x}from"./other.js";x();'],
])("%s takes what it needs", (code, taking) => {
  expect(rewriteBuiltins(code)).toBe(taking);
});
