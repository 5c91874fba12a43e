import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** How a program is run. */
export interface StepOptions {
  /** The folder it runs in. */
  readonly cwd?: string;
  /** What it is told beside the environment of the suite. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds after which it is ended; ten minutes unless given. */
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
    const { stdout = "", stderr = "", message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error([message.split("\n")[0], stdout.slice(-6_000), stderr.slice(-6_000)].join("\n"));
  }
}

/** True where a program of that name can be run. */
export async function isInstalled(program: string): Promise<boolean> {
  return runStep("which", [program]).then(
    () => true,
    () => false,
  );
}
