import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ACTIONS } from "../support/actions.ts";
import { describedTypes } from "./support/described-types.ts";

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
  test("refuse every wrong use, and accept every right one", () => {
    const expectation = /^ *\/\/ @ts-expect-error.*$/;
    const lines = readFileSync(join(import.meta.dirname, "typed-use.ts"), "utf8").split("\n");
    const wrong = lines.flatMap((line, i) => (expectation.test(line) ? [i + 2] : []));
    const bare = lines.map((line) => (expectation.test(line) ? "" : line)).join("\n");
    expect(wrong.length).toBeGreaterThan(10);
    expect([...new Set(faultyLines(bare))]).toEqual(wrong);
  });

  test("equal the description of each action, parameter by parameter and member by member", () => {
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
    const faulty = faultyLines(text).map((line) => lines[line - above - 1]?.path ?? "the last");
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
