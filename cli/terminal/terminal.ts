import { Writable } from "node:stream";
import type { ReadStream } from "node:tty";
import { EXIT, Failure } from "./failure.ts";
import type { TextStream } from "./text-stream.ts";

/** Everything a command may use of the machine it runs on; the entry point reads it once. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
  readonly stdin: ReadStream | NodeJS.ReadStream;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** The command that shows what is longer than the screen; undefined where there is to be none. */
  readonly pager?: string | undefined;
  readonly now: () => number;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** The folder of the user for files of one sort (XDG Base Directory). */
export function userFolder(place: Terminal, sort: "config" | "cache"): string {
  const named = place.environment[sort === "config" ? "XDG_CONFIG_HOME" : "XDG_CACHE_HOME"];
  // The specification has relative paths ignored.
  const base = named?.startsWith("/") ? named : `${place.home}/${sort === "config" ? ".config" : ".cache"}`;
  return `${base}/metaction`;
}

/** Asks on the terminal and answers what was typed; stdout stays free for data. */
export function ask(place: Terminal, question: string): Promise<string> {
  return read(place, question, false);
}

/** Asks for a secret, which is not shown while it is typed. */
export async function askSecretly(place: Terminal, question: string): Promise<string> {
  const secret = await read(place, question, true);
  place.stderr.writeLine("");
  return secret;
}

async function read(place: Terminal, question: string, hidden: boolean): Promise<string> {
  const { createInterface } = await import("node:readline");
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const line = createInterface({
    input: place.stdin,
    output: hidden ? nowhere : place.stderr.forTyping,
    terminal: true,
  });
  // Only now the terminal no longer shows by itself what is typed.
  await place.stderr.write(question);
  try {
    return await new Promise((resolve, reject) => {
      const interrupted = (): void => reject(new Failure("interrupted", EXIT.interrupted));
      // In raw mode Ctrl-C comes as a key.
      line.once("SIGINT", interrupted);
      line.once("close", interrupted);
      line.once("line", resolve);
    });
  } finally {
    line.close();
  }
}
