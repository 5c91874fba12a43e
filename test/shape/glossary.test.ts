import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as kinds from "../../shared/domain/kinds.ts";

const page = readFileSync(new URL("../../docs/glossary.md", import.meta.url), "utf8");

/** The rows of each section: term and meaning. */
const sections = page
  .split("\n## ")
  .slice(1)
  .map((section) =>
    [...section.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)]
      .slice(1)
      .map(([, term = "", meaning = ""]) => ({ term, meaning })),
  );
const rows = sections.flat();

test("the glossary has at most 100 terms, each once, in alphabetical order within its section", () => {
  expect(rows.length).toBeLessThanOrEqual(100);
  expect(new Set(rows.map(({ term }) => term)).size).toBe(rows.length);
  for (const section of sections) {
    const terms = section.map(({ term }) => term.toLowerCase());
    expect(terms.length).toBeGreaterThan(5);
    expect(terms).toEqual(terms.toSorted((a, b) => a.localeCompare(b, "en")));
  }
});

test("the glossary explains the noun of every kind", () => {
  const nouns = Object.values(kinds).flatMap((kind) => ("noun" in kind ? [kind.noun] : []));
  expect(nouns.length).toBeGreaterThan(10);
  expect(nouns.filter((noun) => !rows.some(({ term }) => term === noun))).toEqual([]);
});
