import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ACTIONS } from "../support/actions.ts";
import { describedTypes } from "./support/described-types.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Compiles files of these texts, and returns the lines of each at which the compiler finds an error. */
function findFaultyLines(texts: readonly string[]): readonly (readonly number[])[] {
  const folder = mkdtempSync(join(tmpdir(), "metaction-types-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const files = texts.map((text, i) => {
    writeFileSync(join(folder, `use${i}.ts`), text.replace('"../../client/', `"${ROOT}/client/`));
    return `use${i}.ts`;
  });
  const compilerOptions = { types: ["node"], typeRoots: [join(ROOT, "node_modules/@types")] };
  const project = { extends: join(ROOT, "tsconfig.json"), compilerOptions, include: [], files };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder, "--pretty", "false"], { encoding: "utf8" });
  return files.map((_, i) => {
    const lines = [...stdout.matchAll(new RegExp(`^(?:.*/)?use${i}\\.ts\\((\\d+),`, "gm"))];
    return [...new Set(lines.map(([, line]) => Number(line)))];
  });
}

describe("the types of the client", () => {
  const expectation = /^ *\/\/ @ts-expect-error.*$/;
  const uses = readFileSync(join(import.meta.dirname, "typed-use.ts"), "utf8").split("\n");
  const bare = uses.map((line) => (expectation.test(line) ? "" : line)).join("\n");
  let found: readonly (readonly number[])[] = [];

  beforeAll(() => {
    found = findFaultyLines([bare, text]);
  });

  test("refuse every wrong use, and accept every right one", () => {
    const wrong = uses.flatMap((line, i) => (expectation.test(line) ? [i + 2] : []));
    expect(wrong.length).toBeGreaterThan(10);
    expect(found[0]).toEqual(wrong);
  });

  test("equal the description of each action, parameter by parameter and member by member", () => {
    const faulty = (found[1] ?? []).map((line) => lines[line - above - 1]?.path ?? "the last");
    expect([...new Set(faulty)]).toEqual(["the last"]);
  });
});

function described(side: "input" | "output", i: number): string {
  const action = ACTIONS[i];
  if (!action) throw new Error(`no action ${i}`);
  return describedTypes(action)[side];
}

/** Types that compare two types: equal if each is assignable to the other, without `readonly` and `undefined`. */
const HEAD = `import type { Actions } from "../../client/actions.ts";
type Plain<T> = unknown extends T ? unknown : T extends boolean ? boolean : T extends string | number | null ? T : T extends readonly (infer U)[] ? Plain<U>[] : { -readonly [K in keyof T]: Plain<Exclude<T[K], undefined>> };
type Finer<A, B> = Plain<A> extends Plain<B> ? A : B;
type Same<A, B> = (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;`;

const lines = ACTIONS.flatMap(({ group, name }, i) =>
  (["input", "output"] as const).map((side) => ({
    path: `${group}/${name} ${side}`,
    line: `export const ${side}${i}: Same<Actions["${group}"]["${name}"]["${side}"], ${described(side, i)}> = true;`,
  })),
);
// The lines of the head stand above the first expectation, so a faulty line's number counts from there.
const text = [HEAD, ...lines.map(({ line }) => line), "export const last: Same<{ a: 1 }, { a?: 1 }> = true;"].join(
  "\n",
);
const above = HEAD.split("\n").length;
