import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { usage } from "./failure.ts";

/** Writes a file as a whole or not at all; a file that cannot be written is a wrong argument. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, text);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw usage(`${file} cannot be written: ${error instanceof Error ? error.message : error}`);
  }
}
