import type { ReadStream } from "node:tty";
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
