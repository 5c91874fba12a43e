import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ACTIONS } from "../support/actions.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The lines at which the compiler finds an error in a file of this text. */
function faultyLines(text: string): readonly number[] {
  const folder = mkdtempSync(join(tmpdir(), "metaction-types-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "use.ts"), text.replace('"../../client/', `"${ROOT}/client/`));
  const compilerOptions = { types: ["node"], typeRoots: [join(ROOT, "node_modules/@types")] };
  const project = { extends: join(ROOT, "tsconfig.json"), compilerOptions, include: [], files: ["use.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder, "--pretty", "false"], { encoding: "utf8" });
  return [...stdout.matchAll(/^(?:.*\/)?use\.ts\((\d+),/gm)].map(([, line]) => Number(line));
}

describe("the types of the client", () => {
  test("refuse every wrong use, and no right one", () => {
    const expectation = /^ *\/\/ @ts-expect-error.*$/;
    const lines = readFileSync(join(import.meta.dirname, "typed-use.ts"), "utf8").split("\n");
    const wrong = lines.flatMap((line, i) => (expectation.test(line) ? [i + 2] : []));
    const bare = lines.map((line) => (expectation.test(line) ? "" : line)).join("\n");
    expect(wrong.length).toBeGreaterThan(10);
    expect([...new Set(faultyLines(bare))]).toEqual(wrong);
  });

  test("know every action of the catalogue with its parameters", () => {
    const calls = ACTIONS.map(({ group, name, input }) => {
      // Each parameter is asked for by its name, so that a type that knows none of them does not pass.
      const names = Object.keys(input).map((parameter) => JSON.stringify(parameter));
      const keys = names.length > 0 ? names.join(" | ") : "never";
      return `export const ${group}_${name}: [${keys}] extends [keyof Actions["${group}"]["${name}"]["input"]] ? true : false = true;`;
    });
    const text = `import type { Actions } from "../../client/actions.ts";\n${calls.join("\n")}\nexport const last: false = true;\n`;
    // Only the line that is wrong on purpose.
    expect(faultyLines(text)).toEqual([calls.length + 2]);
  });
});
