import { homedir } from "node:os";
import { escapedLine } from "./escape.ts";
import { EXIT, exitOf, sentencesOf } from "./failure.ts";
import { isStyledByItself } from "./output.ts";
import { pagerOf, run } from "./run.ts";
import type { Terminal } from "./terminal.ts";
import { textStream } from "./text-stream.ts";

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
    pager: pagerOf(process.env, given),
    now: Date.now,
    signal: interrupt.signal,
  };
  process.exitCode = await ended(place, given);
  // One that was read would keep the process.
  stdin?.unref?.();
}

/** The exit code of a command, whose failure is told on stderr. */
async function ended(place: Terminal, given: readonly string[]): Promise<number> {
  try {
    return await run(place, given);
  } catch (error) {
    if (place.signal.aborted) {
      place.stderr.writeLine("Interrupted.");
      return EXIT.interrupted;
    }
    const [first = "", ...more] = sentencesOf(error);
    // What the caller ended is no error.
    const isError = exitOf(error) !== EXIT.interrupted;
    const isStyled = isError && !given.includes("--no-color") && isStyledByItself(place.stderr, place.environment);
    await place.stderr.write([{ text: escapedLine(first), colour: "red" }, "\n"], isStyled);
    for (const sentence of more) place.stderr.writeLine(sentence);
    return exitOf(error);
  }
}
