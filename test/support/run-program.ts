import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** The exit code and the output of a program that ended. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly said: string;
}

const COVERAGE = join(import.meta.dirname, "../mutation/child-coverage.ts");

/** Returns the variables of every program that a test starts: its path, and those of mutation testing. */
export function inheritVariables(): NodeJS.ProcessEnv {
  const { PATH, COVERED_MUTANTS, __STRYKER_ACTIVE_MUTANT__ } = process.env;
  if (COVERED_MUTANTS) return { PATH, COVERED_MUTANTS, NODE_OPTIONS: `--import=${COVERAGE}` };
  return { PATH, __STRYKER_ACTIVE_MUTANT__ };
}

/** Runs a program of the repository to its end, as `npm run` does, with no more of the environment than is given. */
export async function runProgram(
  path: string,
  environment: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Ran> {
  const child = spawn(process.execPath, [path, ...words], {
    cwd: join(import.meta.dirname, "../.."),
    env: { ...inheritVariables(), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, out, said };
}
