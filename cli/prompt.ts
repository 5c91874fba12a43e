import { Writable } from "node:stream";
import { EXIT, Failure } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

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
