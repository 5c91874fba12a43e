import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../../../functions/bundle.ts";

/** Bundles a module as for a function, and loads it. `remove` deletes its files. */
export function loadBundled<Module>(entry: string): { readonly module: Module; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "metaction-bundled-"));
  for (const { name, code } of bundle(entry).files) writeFileSync(join(folder, name), code);
  return {
    module: createRequire(import.meta.url)(join(folder, "index.cjs")) as Module,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Returns the message and the members of the error that a call fails with; undefined if it does not fail. */
export async function catchFailure(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
    return undefined;
  } catch (error) {
    // The SDK makes the message of an error enumerable.
    const { message: _, ...members } = { ...(error as Error) };
    return { text: (error as Error).message, ...members };
  }
}
