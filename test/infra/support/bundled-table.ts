import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { bundle } from "../../../functions/bundle.ts";
import { createFolder } from "../../support/temporary-folder.ts";

/** Bundles a module as for a function, and loads it. */
export function loadBundled<Module>(entry: string): Module {
  const folder = createFolder();
  for (const { name, code } of bundle(entry).files) writeFileSync(join(folder, name), code);
  return createRequire(import.meta.url)(join(folder, "index.cjs")) as Module;
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
