import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { type Ended, runToEnd } from "./command.ts";

/** A step of a workflow or of an action of GitHub. */
export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the script of a step in a folder, as a runner does, with the values of the expressions that its environment may use. */
export async function runStep(
  { run = "", env = {} }: Step,
  folder: string,
  expressions: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv,
): Promise<Ended> {
  // Texts of a pull request are no part of a command.
  expect(run).not.toContain("${{");
  for (const text of Object.values(env)) expect(Object.keys(expressions)).toContain(text);
  const own = Object.entries(env).map(([variable, text]) => [variable, expressions[text]]);
  const files = { GITHUB_OUTPUT: "output", GITHUB_STEP_SUMMARY: "summary.md" };
  await writeFile(join(folder, "step.sh"), run);
  const shell = ["--noprofile", "--norc", "-eo", "pipefail", "step.sh"];
  return runToEnd("bash", shell, { ...environment, ...files, ...Object.fromEntries(own) }, { cwd: folder });
}

/** Returns the text of a file in a folder; empty where it is missing. */
export const textOf = (folder: string, name: string): Promise<string> =>
  readFile(join(folder, name), "utf8").catch(() => "");

/** Returns the outputs that the steps in a folder have set so far. */
export async function outputsIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const lines = (await textOf(folder, "output")).matchAll(/^(\w+)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, key, value]) => [key, value]));
}
