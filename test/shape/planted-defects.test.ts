import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BANK } from "../soak/support/bank.ts";
import { type Defect, planted, strangeWords } from "../soak/support/defect.ts";
import { sourceOf } from "../soak/support/defect-copy.ts";

describe("the bank of defects", () => {
  test("knows thirty and more, each by a name of its own and each of notice to some suite", () => {
    expect(BANK.length).toBeGreaterThanOrEqual(30);
    expect(new Set(BANK.map(({ name }) => name)).size).toBe(BANK.length);
    expect(BANK.filter(({ caughtBy }) => caughtBy.length === 0)).toEqual([]);
  });

  test("has the defects of every file of them", async () => {
    const folder = join(import.meta.dirname, "../soak/support");
    const names = (await readdir(folder)).filter((name) => name.startsWith("defects-of-"));
    const load = (name: string): Promise<Record<string, unknown>> => import(/* @vite-ignore */ join(folder, name));
    const files = await Promise.all(names.map(load));
    expect(files.flatMap((file) => Object.values(file).flat()).filter((one) => !BANK.includes(one as Defect))).toEqual(
      [],
    );
  });

  test.each(BANK)("keeps up with the code: $name", async (defect) => {
    const text = await sourceOf(defect.file);
    expect(planted(defect, text)).not.toBe(text);
    expect(strangeWords(defect, text)).toEqual([]);
    for (const { file } of defect.caughtBy) expect(await sourceOf(file)).not.toBe("");
  });
});
