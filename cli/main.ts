import { homedir } from "node:os";
import { isStyled } from "./output/output.ts";
import { findPager, run } from "./run.ts";
import { EXIT, findExitCode, formatErrorLines } from "./terminal/failure.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { escapeLine, textStream } from "./terminal/text-stream.ts";

/**
 * Runs the command line of this process. It ends without `process.exit`, so that what was written to a pipe arrives. Only the
 * entry calls it: loading this module does nothing, since parts that are loaded later may load it once more, in a thread too.
 */
export async function main(): Promise<void> {
  const interrupt = new AbortController();
  process.on("SIGINT", () => {
    // The second Ctrl-C means it.
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
    interrupt.abort(new Error("interrupted"));
  });
  // Whoever reads has closed the pipe and wants no more.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) =>
      process.exit(error.code === "EPIPE" ? EXIT.done : EXIT.server),
    );
  }
  const given = process.argv.slice(2);
  let stdin: typeof process.stdin | undefined;
  const place: Terminal = {
    environment: process.env,
    home: homedir(),
    // Few commands ask for it, and making it takes a while.
    get stdin() {
      stdin ??= process.stdin;
      return stdin;
    },
    stdout: textStream(process.stdout),
    stderr: textStream(process.stderr),
    pager: findPager(process.env, given),
    now: Date.now,
    signal: interrupt.signal,
  };
  process.exitCode = await runToExitCode(place, given);
  // One that was read would keep the process.
  stdin?.unref?.();
}

/** The exit code of a command, whose failure is told on stderr. */
async function runToExitCode(place: Terminal, given: readonly string[]): Promise<number> {
  try {
    return await run(place, given);
  } catch (error) {
    if (place.signal.aborted) {
      place.stderr.writeLine("Interrupted.");
      return EXIT.interrupted;
    }
    const [first = "", ...more] = formatErrorLines(error);
    // What the caller ended is no error.
    const isError = findExitCode(error) !== EXIT.interrupted;
    await place.stderr.write(
      [{ text: escapeLine(first), told: "error" }, "\n"],
      isError && isStyled(place.stderr, place.environment, givenColor(given)),
    );
    for (const sentence of more) place.stderr.writeLine(sentence);
    return findExitCode(error);
  }
}

/** What `--color` says; the words behind `--` are no flags. */
function givenColor(given: readonly string[]): boolean | undefined {
  const flags = given.slice(0, given.includes("--") ? given.indexOf("--") : undefined);
  if (flags.includes("--no-color")) return false;
  return flags.includes("--color") ? true : undefined;
}
