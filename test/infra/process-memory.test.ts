import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createMemoryFlags } from "./support/emulated-function.ts";

/** Fills what a process keeps, in a process with the heap that Lambda gives a function of so much memory. */
async function filled(megabytes: number, filling: "objects" | "models" | "empty") {
  const flags = [...createMemoryFlags(megabytes), "--expose-gc"];
  const args = [...flags, "test/infra/support/fill-memory.ts", String(megabytes), filling];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Readonly<Record<"weight" | "room" | "megabytes", number>>;
}

test.each([
  [512, "objects"],
  [512, "models"],
  [1_769, "objects"],
  [1_769, "models"],
] as const)("the memory of full caches is a quarter of %i MB at most, filled with %s", async (megabytes, filling) => {
  const [empty, full] = [await filled(megabytes, "empty"), await filled(megabytes, filling)];
  expect(full.weight).toBeGreaterThan(full.room * 0.9);
  expect(full.weight).toBeLessThanOrEqual(full.room);
  expect(full.megabytes - empty.megabytes).toBeLessThan(megabytes / 4);
});
