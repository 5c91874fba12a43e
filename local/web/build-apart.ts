import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { computeSourceDigest, isBuilt, resolveInRepository, WEB_FOLDER } from "../../packaging/web/sources.ts";
import { readStaticFiles } from "./static-files.ts";
import type { WebFiles } from "./web-application.ts";

/** Maximum characters of the output of a failed build that are repeated. */
const OUTPUT_CHARACTERS = 4_000;

/** A build in a separate process. */
export interface BuildApart {
  readonly done: Promise<void>;
  /** Ends the build; resolves once the process is gone. */
  stop(): Promise<void>;
}

/** Builds the web application at the lowest priority, so that calls do not wait for it. */
export function buildApart(): BuildApart {
  const child = spawn(process.execPath, [resolveInRepository("packaging/web/build.ts")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (child.pid !== undefined) lowerPriority(child.pid);
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => {
    output = (output + chunk.toString("utf8")).slice(-OUTPUT_CHARACTERS);
  });
  const done = new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(output.trim() || `it ended with ${code}`)),
    );
  });
  return {
    done,
    stop: async () => {
      child.kill("SIGTERM");
      await done.catch(() => undefined);
    },
  };
}

function lowerPriority(pid: number) {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It may have ended, or the system may not allow it: then it builds like any other process.
  }
}

/** Returns the files of the current build, and builds it if it is missing. */
export function createBuiltFiles(): WebFiles {
  let building: BuildApart | undefined;
  let isStopped = false;
  return {
    read: async (begins) => {
      if (existsSync(resolveInRepository("ui")) && !(await isBuilt(computeSourceDigest()))) {
        if (isStopped) throw new Error("the service was ended before");
        begins();
        building = buildApart();
        await building.done;
      }
      return readStaticFiles(WEB_FOLDER);
    },
    stop: async () => {
      isStopped = true;
      await building?.stop();
    },
  };
}
