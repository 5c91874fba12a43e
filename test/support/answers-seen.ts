import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Names the folder of a run in which each of its processes notes what actions answered. */
export const ANSWERS_FOLDER = "METACTION_TEST_ANSWERS";

const noted = new Set<string>();

/** Notes that an action answered, over HTTP, with success ("ok") or with a problem of this code. */
export function note(action: string, code: string): void {
  const folder = process.env[ANSWERS_FOLDER];
  const line = `${action} ${code}`;
  if (folder === undefined || noted.has(line)) return;
  noted.add(line);
  appendFileSync(join(folder, String(process.pid)), `${line}\n`);
}

/** Everything that was noted in the folder of a run: `<group>/<action> <code>`. */
export function answersSeen(folder: string): ReadonlySet<string> {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
  return new Set(lines.filter((line) => line !== ""));
}
