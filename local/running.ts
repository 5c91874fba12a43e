import { readFileSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { BadSetting } from "./settings.ts";

/** Who works on a data folder. */
interface Running {
  readonly service: number;
  readonly engine: number;
}

/**
 * Makes sure that nobody else works on the data: another service that is alive is refused, an engine whose service died
 * is ended first.
 */
export async function takeOver(file: string, folder: string): Promise<void> {
  const last = await readRunning(file);
  if (!last) return;
  if (isOurs(last.service, /\bnode\b|metaction/)) {
    throw new BadSetting(
      `Another service (process ${last.service}) works on ${folder}: stop it, or set METACTION_DATA_DIR.`,
    );
  }
  if (!isOurs(last.engine, /dynoxide/)) return;
  process.kill(last.engine, "SIGTERM");
  while (isOurs(last.engine, /dynoxide/)) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Notes who works on the data from now on. */
export async function noteRunning(file: string, running: Running): Promise<void> {
  await writeFile(file, `${JSON.stringify(running)}\n`);
}

export async function forgetRunning(file: string): Promise<void> {
  await rm(file, { force: true });
}

async function readRunning(file: string): Promise<Running | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Running;
  } catch {
    // No file, or one cut off by a crash: either way nobody can be told from it.
    return undefined;
  }
}

/** True for a live process that looks like ours; process numbers are used again after a crash. */
function isOurs(pid: number, looksLike: RegExp): boolean {
  try {
    process.kill(pid, 0);
    const [state, command] = [readFileSync(`/proc/${pid}/stat`, "utf8"), readFileSync(`/proc/${pid}/cmdline`, "utf8")];
    return !/^\d+ \(.*\) Z/.test(state) && looksLike.test(command);
  } catch {
    return false;
  }
}
