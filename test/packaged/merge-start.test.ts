import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { rewriteBuiltins } from "../../packaging/merge-start.ts";
import { readPacked } from "./support/read-packed.ts";

test("a start reads one file, which gets modules of Node.js without imports", async () => {
  const packed = (await readPacked()).tarball;
  const main = execFileSync("tar", ["-xOf", packed, "package/dist/cli/main.js"], {
    encoding: "utf8",
    maxBuffer: 2 ** 27,
  });
  expect(main).toContain('process.getBuiltinModule("node:fs")');
  expect(main).not.toMatch(/\bfrom\s*"(?:\.|node:)/);
});

test.each([
  ['import{a,b as c}from"node:fs/promises";c(a);', 'const {a,b:c}=process.getBuiltinModule("node:fs/promises");c(a);'],
  ['f();import*as m from"node:os";m.g();', 'const m=process.getBuiltinModule("node:os");f();m.g();'],
  ['import{x}from"./other.js";x();', 'import{x}from"./other.js";x();'],
])("%s gets its modules", (code, taking) => expect(rewriteBuiltins(code)).toBe(taking));
