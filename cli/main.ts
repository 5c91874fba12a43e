import { homedir } from "node:os";
import { escapedLine } from "./escape.ts";
import { EXIT, exitOf, sentencesOf } from "./failure.ts";
import { isStyledByItself } from "./output.ts";
import { run } from "./run.ts";
import type { Terminal } from "./terminal.ts";
import { textStream } from "./text-stream.ts";

const interrupt = new AbortController();
process.on("SIGINT", () => {
  // The second Ctrl-C means it.
  if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
  interrupt.abort(new Error("interrupted"));
});

const place: Terminal = {
  environment: process.env,
  home: homedir(),
  stdin: process.stdin,
  stdout: textStream(process.stdout),
  stderr: textStream(process.stderr),
  now: Date.now,
  signal: interrupt.signal,
};

// Whoever reads has closed the pipe and wants no more.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? EXIT.done : EXIT.server));
}

/** Ends without `process.exit`, so that what was written to a pipe arrives. */
async function main(): Promise<number> {
  try {
    return await run(place, process.argv.slice(2));
  } catch (error) {
    if (interrupt.signal.aborted) {
      place.stderr.writeLine("Interrupted.");
      return EXIT.interrupted;
    }
    const [first = "", ...more] = sentencesOf(error);
    // What the caller ended is no error.
    const isError = exitOf(error) !== EXIT.interrupted;
    const isStyled =
      isError && !process.argv.includes("--no-color") && isStyledByItself(place.stderr, place.environment);
    await place.stderr.write([{ text: escapedLine(first), colour: "red" }, "\n"], isStyled);
    for (const sentence of more) place.stderr.writeLine(sentence);
    return exitOf(error);
  }
}

process.exitCode = await main();
// Sockets that are kept for another call would keep the process.
process.stdin.unref?.();
