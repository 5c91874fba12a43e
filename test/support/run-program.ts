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

/** Runs a program of the repository to its end, as `npm run` does, with no more of the environment than is given. */
export async function runProgram(
  path: string,
  environment: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Ran> {
  const child = spawn(process.execPath, [path, ...words], {
    cwd: join(import.meta.dirname, "../.."),
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, out, said };
}
