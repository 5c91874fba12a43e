import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Application } from "./application.ts";

const SOURCE = join(import.meta.dirname, "../../../examples/library/datapackage.json");

/** The data package that the library is made of. */
export const libraryFile = SOURCE;

/** Runs a write as the administrator, and fails where it is refused. */
export async function write(application: Application, action: string, payload: object): Promise<unknown> {
  const { status, body } = await application.service.call(action, payload, application.token);
  expect(status, `${action}: ${JSON.stringify(body)}`).toBe(200);
  return body;
}

/** Imports the library under a key, as its version 1.2.0. */
export async function importLibrary(application: Application, modelKey: string): Promise<void> {
  const content = JSON.parse(await readFile(SOURCE, "utf8")) as object;
  await write(application, "model/import", { content, modelKey });
}
