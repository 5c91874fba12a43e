import { spawn } from "node:child_process";
import { join } from "node:path";

/** The exit code and the output of a program that ended. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly said: string;
}

/** Runs a program of the repository to its end, as `npm run` does, with no more of the environment than is given. */
export function runProgram(
  path: string,
  environment: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Ran> {
  const child = spawn(process.execPath, [path, ...words], {
    cwd: join(import.meta.dirname, "../.."),
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, said] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out, said })));
}
