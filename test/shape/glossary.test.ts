import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as kinds from "../../shared/domain/kinds.ts";
import { exportsOf, misplacedTerms, missingTerms, sectionsOf, strayTerms } from "./support/glossary-page.ts";
import { sources } from "./support/sources.ts";

const sections = sectionsOf(readFileSync(new URL("../../docs/glossary.md", import.meta.url), "utf8"));
const rows = sections.flatMap((section) => section.rows);
const exported = exportsOf(sources());

/** Every type that is exported here is a term: these are what most of the code passes around. */
const CENTRAL = [
  "shared/actions/contract",
  "shared/actions/pipeline",
  "shared/domain/model/changes.ts",
  "shared/domain/kinds.ts",
  "shared/domain/model/objects.ts",
  "shared/domain/problems.ts",
  "shared/domain/refs.ts",
  "shared/store/log",
  "shared/store/publish",
  "shared/store/sweep",
  "shared/store/table/table.ts",
];

describe("the glossary", () => {
  test("has terms that the code exports where it says so", () => {
    expect(strayTerms(sections, exported)).toEqual([]);
  });

  test("has the nouns of all kinds and no other", () => {
    const nouns = Object.values(kinds).flatMap((k) => ("noun" in k ? [k.noun] : []));
    expect(new Set(rows.filter((row) => row.isNoun).map((row) => row.term))).toEqual(new Set(nouns));
  });

  test("has every type that most of the code passes around", () => {
    expect(missingTerms(sections, exported, CENTRAL)).toEqual([]);
    for (const place of CENTRAL) expect(missingTerms([], exported, [place]), place).not.toEqual([]);
  });

  test("has each term once, in the order of the alphabet", () => {
    expect(misplacedTerms(sections)).toEqual([]);
  });

  test("explains each term in one plain line", () => {
    expect(rows.length).toBeGreaterThan(200);
    for (const { term, line } of rows) expect(line, term).toMatch(/^(?!What )[^|\n]{10,130}[^.|\n]$/);
  });
});

describe("the check of the glossary", () => {
  const page = (...terms: readonly string[]): string =>
    ["# G", "", "## Some", "", "Exported by `shared/x`.", "", "| term | means |", "|---|---|"]
      .concat(terms.map((term) => `| ${term} | a thing |`))
      .join("\n");
  const files = [
    { path: "shared/x/a.ts", text: "export interface Ant {}\nexport const BEE = 1;\n// export type No = 1;" },
  ];

  test("finds a term that nothing exports, or something else does", () => {
    expect(strayTerms(sectionsOf(page("`Ant`", "`BEE`", "cow")), exportsOf(files))).toEqual([]);
    expect(strayTerms(sectionsOf(page("`No`")), exportsOf(files))).toHaveLength(1);
    const elsewhere = [{ path: "shared/y/a.ts", text: "export class Ant {}" }];
    expect(strayTerms(sectionsOf(page("`Ant`")), exportsOf(elsewhere))).toHaveLength(1);
  });

  test("finds a type that is not explained, or explained in the section of other folders", () => {
    expect(missingTerms(sectionsOf(page("`Ant`")), exportsOf(files), ["shared/x"])).toEqual([]);
    expect(missingTerms(sectionsOf(page("`BEE`", "Ant")), exportsOf(files), ["shared/x"])).toHaveLength(1);
    const elsewhere = [{ path: "shared/xy/a.ts", text: "export class Ant {}" }];
    expect(missingTerms(sectionsOf(page("`Ant`")), exportsOf(elsewhere), ["shared/xy"])).toHaveLength(1);
  });

  test("finds a term that is there twice, and one out of order", () => {
    expect(misplacedTerms(sectionsOf(page("`Ant`", "`BEE`")))).toEqual([]);
    expect(misplacedTerms(sectionsOf(page("`Ant`", "`Ant`")))).toHaveLength(1);
    expect(misplacedTerms(sectionsOf(page("`BEE`", "`Ant`")))).toHaveLength(1);
  });
});
