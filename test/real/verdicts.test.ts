import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import { IMPACTS } from "../../shared/domain/differences.ts";
import { findLogicalType } from "../../shared/domain/types/find-logical-type.ts";
import { assessTypeChange } from "../../shared/domain/types/logical/type-change.ts";
import { createImporter } from "../../shared/formats/importer.ts";

/** A pair of schemas with the verdict of a person. */
interface JudgedCase {
  readonly dialect: "postgresql" | "mysql" | "tsql" | "oracle";
  readonly before: string;
  readonly after: string;
  readonly impact: string;
  readonly readers: string;
  readonly writers: string;
  readonly why: string;
}

const FILE = fileURLToPath(new URL("../../../shared/data/verdicts/cases.json", import.meta.url));
const CASES: readonly JudgedCase[] = JSON.parse(readFileSync(FILE, "utf8"));
const importer = createImporter({ allowPrivate: false });

/** Returns the gravest impact of the differences of a pair; `none` without differences. */
async function judge({ dialect, before, after }: JudgedCase): Promise<string> {
  const read = (content: string) => importer.read({ content }, { modelKey: "m", format: dialect });
  const [left, right] = await Promise.all([read(before), read(after)]);
  const entries = compareModels(left.document, right.document, { sameModel: false, scope: "complete" });
  return IMPACTS.find((impact) => entries.some((entry) => entry.impact === impact)) ?? "none";
}

/** The type of the only column besides the key, without options. */
const ONE_TYPE =
  /^CREATE TABLE t \(id [\w()]+ PRIMARY KEY, x (?!.*(?:NOT|DEFAULT|UNIQUE|CHECK|GENERATED|COLLATE))[\w.]+[^,;]*(?:\(\d+,\d+\))?\);$/;

const ofTypes = CASES.filter((one) => ONE_TYPE.test(one.before) && ONE_TYPE.test(one.after));

test.each(ofTypes)("the verdicts on both sides of $before and $after", async (one) => {
  const find = async (content: string) => {
    const { document } = await importer.read({ content }, { modelKey: "m", format: one.dialect });
    const attribute = document.entities[0]?.attributes.find(({ key }) => key.toLowerCase() === "x");
    return attribute && findLogicalType(attribute, document);
  };
  const change = assessTypeChange(await find(one.before), await find(one.after));
  expect([change.class, change.readers.verdict, change.writers.verdict]).toEqual([
    one.impact,
    one.readers,
    one.writers,
  ]);
});

/** Pairs whose impact differs from the verdict of the person, by cause: the position in the file, and the impact. */
const DISAGREEMENTS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  "differences have no class behavioural": {
    31: "breaking",
    37: "breaking",
    38: "breaking",
    53: "breaking",
    63: "breaking",
  },
  "a required column with a default is breaking": { 44: "breaking" },
  "a new foreign key is additive": { 62: "additive" },
  "other facts of a database are properties": {
    ...{ 64: "cosmetic", 65: "cosmetic", 66: "cosmetic", 67: "cosmetic", 68: "cosmetic", 69: "cosmetic" },
    70: "cosmetic",
  },
};

test("the impact of each judged pair is that of the verdict, except for known causes", async () => {
  const impacts = await Promise.all(CASES.map(judge));
  const found = impacts.flatMap((impact, i) => (impact === CASES[i]?.impact ? [] : [[i, impact] as const]));
  const known = Object.assign({}, ...Object.values(DISAGREEMENTS)) as Readonly<Record<number, string>>;
  expect(Object.fromEntries(found)).toEqual(known);
  expect(ofTypes.length).toBeGreaterThan(30);
  console.log(`${CASES.length - found.length} of ${CASES.length} verdicts agree`);
});
