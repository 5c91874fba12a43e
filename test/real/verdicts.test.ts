import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import { IMPACTS, VERDICTS } from "../../shared/domain/differences.ts";
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

/** Returns the most severe impact and verdicts of the differences of a pair; `none` without differences. */
async function judge({ dialect, before, after }: JudgedCase): Promise<string> {
  const read = (content: string) => importer.read({ content }, { modelKey: "m", format: dialect });
  const [left, right] = await Promise.all([read(before), read(after)]);
  const entries = compareModels(left.document, right.document, { sameModel: false, scope: "complete" });
  const findGravest = (side: "readers" | "writers") =>
    VERDICTS.find((verdict) => entries.some((entry) => entry[side].verdict === verdict)) ?? "safe";
  const impact = IMPACTS.find((one) => entries.some((entry) => entry.impact === one)) ?? "none";
  return [impact, findGravest("readers"), findGravest("writers")].join(" ");
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

/**
 * Pairs on which we disagree with the person, by their position in the file. A unique index has a name that statements
 * use, and PostgreSQL accepts only constraints in `ON CONFLICT ON CONSTRAINT`: its name is a difference, as in pair 75.
 */
const DISAGREEMENTS: Readonly<Record<number, string>> = { 68: "cosmetic safe safe" };

test("the impact of each judged pair and its verdicts are those of the person", async () => {
  const found = await Promise.all(CASES.map(judge));
  const others = found.flatMap((one, i) => {
    const { impact, readers, writers } = CASES[i] as JudgedCase;
    return one === [impact, readers, writers].join(" ") ? [] : [[i, one] as const];
  });
  console.log(`${CASES.length - others.length} of ${CASES.length} verdicts agree`);
  expect(Object.fromEntries(others)).toEqual(DISAGREEMENTS);
  expect(ofTypes.length).toBeGreaterThan(30);
});
