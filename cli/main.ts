import { homedir } from "node:os";
import { isStyled } from "./output/output.ts";
import { findPager, run } from "./run.ts";
import { EXIT, findExitCode, formatErrorLines } from "./terminal/failure.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { createTextStream, escapeLine } from "./terminal/text-stream.ts";

/** Runs the command line of this process, without `process.exit`, so that piped output arrives. */
export async function main(): Promise<void> {
  const interrupt = new AbortController();
  process.on("SIGINT", () => {
    // A second Ctrl-C ends the process at once.
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
    interrupt.abort(new Error("interrupted"));
  });
  // The reader has closed the pipe.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) =>
      process.exit(error.code === "EPIPE" ? EXIT.done : EXIT.server),
    );
  }
  const args = process.argv.slice(2);
  let stdin: typeof process.stdin | undefined;
  const terminal: Terminal = {
    environment: process.env,
    home: homedir(),
    get stdin() {
      stdin ??= process.stdin;
      return stdin;
    },
    stdout: createTextStream(process.stdout),
    stderr: createTextStream(process.stderr),
    pager: findPager(process.env, args),
    now: Date.now,
    signal: interrupt.signal,
  };
  process.exitCode = await runToExitCode(terminal, args);
  // Reading from it would keep the process alive.
  stdin?.unref?.();
}

/** Runs one command line, prints its error, and returns the exit code. */
export async function runToExitCode(terminal: Terminal, args: readonly string[]): Promise<number> {
  try {
    return await run(terminal, args);
  } catch (error) {
    if (terminal.signal.aborted) {
      terminal.stderr.writeLine("Interrupted.");
      return EXIT.interrupted;
    }
    const [first = "", ...more] = formatErrorLines(error);
    // An interrupt by the caller is not an error.
    const isError = findExitCode(error) !== EXIT.interrupted;
    await terminal.stderr.write(
      [{ text: escapeLine(first), tone: "error" }, "\n"],
      isError && isStyled(terminal.stderr, terminal.environment, findColorFlag(args)),
    );
    for (const sentence of more) terminal.stderr.writeLine(sentence);
    return findExitCode(error);
  }
}

function findColorFlag(args: readonly string[]): boolean | undefined {
  const flags = args.slice(0, args.includes("--") ? args.indexOf("--") : undefined);
  if (flags.includes("--no-color")) return false;
  return flags.includes("--color") ? true : undefined;
}
