import { describe, expect, test } from "vitest";
import { BANK } from "./support/bank.ts";
import { findPlace, PLACES, plantDefect } from "./support/defect.ts";
import { readSource } from "./support/defect-copy.ts";

describe("the bank of defects", () => {
  test("has every defect that it ever had, each under its own name", async () => {
    const required = (await readSource("test/soak/support/defect-names.txt")).trim().split("\n");
    const names = BANK.map(({ name }) => name);
    expect(required.filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => !required.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test("has no place without a defect", () => {
    const used = new Set<string>(BANK.map(({ where }) => where));
    expect([...PLACES.keys()].filter((place) => !used.has(place))).toEqual([]);
  });

  test.each(BANK)("can plant $name", async (defect) => {
    const text = await readSource(findPlace(defect).file);
    expect(plantDefect(defect, text)).not.toBe(text);
    expect(defect.caughtBy).not.toEqual([]);
    for (const { file } of defect.caughtBy) expect(await readSource(file)).not.toBe("");
  });
});
