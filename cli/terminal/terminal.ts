import { Writable } from "node:stream";
import type { ReadStream } from "node:tty";
import { EXIT, Failure } from "./failure.ts";
import type { TextStream } from "./text-stream.ts";

/** Everything that a command may use of the machine; the entry point reads it once. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly stdin: ReadStream | NodeJS.ReadStream;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly pager?: string | undefined;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Returns the user's folder for configuration or cache files (XDG Base Directory). */
export function getUserFolder(terminal: Terminal, kind: "config" | "cache"): string {
  const xdgFolder = terminal.environment[kind === "config" ? "XDG_CONFIG_HOME" : "XDG_CACHE_HOME"];
  // The specification requires relative paths to be ignored.
  const base = xdgFolder?.startsWith("/") ? xdgFolder : `${terminal.home}/${kind === "config" ? ".config" : ".cache"}`;
  return `${base}/metaction`;
}

/** True if somebody can answer a question: stdin and stderr are a terminal. */
export function canAsk({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY && stderr.isTTY;
}

/** Asks on the terminal and returns the input; stdout stays free for data. */
export function ask(terminal: Terminal, question: string): Promise<string> {
  return read(terminal, question, false);
}

/** Asks for a secret without echoing it. */
export async function askSecretly(terminal: Terminal, question: string): Promise<string> {
  const secret = await read(terminal, question, true);
  terminal.stderr.writeLine("");
  return secret;
}

async function read(terminal: Terminal, question: string, isHidden: boolean): Promise<string> {
  // Loaded here, because few commands ask.
  const { createInterface } = process.getBuiltinModule("node:readline");
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  const line = createInterface({
    input: terminal.stdin,
    output: isHidden ? sink : terminal.stderr.forTyping,
    terminal: true,
  });
  // Only now the terminal has stopped echoing.
  await terminal.stderr.write(question);
  try {
    return await new Promise((resolve, reject) => {
      const rejectInterrupted = () => reject(new Failure("interrupted", EXIT.interrupted));
      // In raw mode, Ctrl-C arrives as a key.
      line.once("SIGINT", rejectInterrupted);
      line.once("close", rejectInterrupted);
      line.once("line", resolve);
    });
  } finally {
    line.close();
  }
}
