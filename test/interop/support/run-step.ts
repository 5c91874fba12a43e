import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** The folder, environment and time limit that a program runs with. */
export interface StepOptions {
  readonly cwd?: string;
  /** Environment variables of the program, added to those of the suite. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds after which the program is ended; ten minutes unless given. */
  readonly timeout?: number;
}

/** Runs a program to its end and answers what it printed; where it fails, an error with the end of what it said. */
export async function runStep(program: string, words: readonly string[], options: StepOptions = {}): Promise<string> {
  try {
    const { stdout } = await execute(program, words, {
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      env: { ...process.env, ...options.env },
      maxBuffer: 100_000_000,
      timeout: options.timeout ?? 600_000,
    });
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "", code } = error as Error & { stdout?: string; stderr?: string; code?: unknown };
    // The words may hold a token.
    throw new Error([`${program} ended with ${code}`, endOf(stdout), endOf(stderr)].join("\n"));
  }
}

/** The last lines of an output; of long ones, as random values make them, the beginning. */
function endOf(output: string): string {
  const lines = output.split("\n").slice(-200);
  return lines.map((line) => (line.length > 2_000 ? `${line.slice(0, 2_000)}…` : line)).join("\n");
}

/** True where a program of that name can be run. */
export async function isInstalled(program: string): Promise<boolean> {
  return runStep("which", [program]).then(
    () => true,
    () => false,
  );
}
