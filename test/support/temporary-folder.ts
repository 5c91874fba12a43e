import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives a run a folder of its own for everything it writes, workers and programs included, and removes it with all in it. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "metaction-tests-"));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Creates an empty folder in the temporary folder of the run. */
export const createFolder = (): string => mkdtempSync(join(tmpdir(), "metaction-"));

/** Writes a text, or a value as JSON, into a file of a folder, and returns its path. */
export async function writeInto(folder: string, name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
