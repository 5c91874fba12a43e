import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { inject } from "vitest";
import type { Outcome, Packed } from "./packed.ts";

/** Returns the package of this run as soon as it is packed. */
export async function readPacked(): Promise<Packed> {
  for (;;) {
    const text = await readFile(inject("packedFile"), "utf8").catch(() => undefined);
    if (text === undefined) {
      await setTimeout(100);
      continue;
    }
    const outcome = JSON.parse(text) as Outcome;
    if ("error" in outcome) throw new Error(outcome.error);
    return outcome.packed;
  }
}
