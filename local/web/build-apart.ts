import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { inRepository } from "../../functions/web/web-folder.ts";

/** Most characters of what a failed build said that are repeated. */
const SAID = 4_000;

/** A build in a process of its own. */
export interface BuildApart {
  /** Rejects with what the build said where it fails. */
  readonly done: Promise<void>;
  /** Ends the build; resolves once the process is gone. */
  stop(): Promise<void>;
}

/** Builds the web application at the lowest priority, so that calls of the API do not wait for it. */
export function buildApart(): BuildApart {
  const child = spawn(process.execPath, [inRepository("functions/web/build.ts")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (child.pid !== undefined) lowest(child.pid);
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-SAID);
  });
  const done = new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(said.trim() || `it ended with ${code}`))));
  });
  return {
    done,
    stop: async () => {
      child.kill("SIGTERM");
      await done.catch(() => undefined);
    },
  };
}

function lowest(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It may be over already, or the system may not allow it: then it builds as any other process would.
  }
}
