import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import type { Difference, Snapshot } from "../../shared/domain/differences.ts";
import { isSameValue } from "../../shared/domain/text/json-values.ts";
import { createImporter } from "../../shared/formats/importer.ts";

const FOLDER = fileURLToPath(new URL("../../../shared/data/versions/", import.meta.url));

interface Step {
  readonly from: string;
  readonly to: string;
  readonly sourceRenamed: boolean;
  readonly changes: Readonly<Record<string, number>>;
}

const steps: (Step & { readonly schema: string })[] = [];
for (const schema of (await readdir(FOLDER)).sort()) {
  const listed: readonly Step[] = JSON.parse(await readFile(join(FOLDER, schema, "changes.json"), "utf8"));
  steps.push(...listed.map((step) => ({ ...step, schema })));
}

const importer = createImporter({ allowPrivate: false });

async function modelOf(schema: string, version: string) {
  const content = JSON.parse(await readFile(join(FOLDER, schema, `${version}.json`), "utf8"));
  return (await importer.read({ content }, {})).document;
}

type Values = Readonly<Record<string, unknown>>;

const propertyOf = (side: Snapshot | undefined, name: string): unknown =>
  (side?.properties as Values | undefined)?.[`frictionless:${name}`];

/** The constraints of a field: those that the attribute has, and those that stand beside them as the source wrote them. */
function constraintsOf(side: Snapshot | undefined): Values {
  const { format: _, ...own } = (side?.constraints ?? {}) as Values;
  const beside = (propertyOf(side, "constraints") ?? {}) as Values;
  return { ...own, ...beside };
}

const formatOf = (side: Snapshot | undefined): unknown =>
  propertyOf(side, "format") ?? (side?.constraints as Values | undefined)?.format;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function* wordsOf({ status, objectType, members = [], left, right }: Difference): Generator<string> {
  if (objectType === "entityAttribute" && status === "ADDED") yield "field added";
  if (objectType === "entityAttribute" && status === "DELETED") yield "field removed";
  if (objectType === "entity") {
    if (members.includes("attributes")) yield "field order";
    if (members.includes("primaryKey")) yield "primaryKey";
    if (members.includes("properties.frictionless:missingValues")) yield "missingValues";
  }
  if (objectType !== "entityAttribute" || !left || !right) return;
  for (const member of members) {
    if (member === "type") yield "type";
    if (member === "optional") yield right.optional === false ? "required +" : "required -";
    if (member === "properties.frictionless:example" || member === "properties.frictionless:examples") yield "example";
  }
  // A field whose title and description differ is counted once.
  if (members.includes("name") || members.includes("description")) yield "text";
  if (!isSameValue(formatOf(left), formatOf(right))) yield "format";
  const [before, after] = [constraintsOf(left), constraintsOf(right)];
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[keyword], after[keyword]];
    if (isSameValue(was, is)) continue;
    if (keyword !== "enum" || was === undefined || is === undefined) yield `constraint ${keyword}`;
    else {
      // One that lost values is counted for these, whatever it gained.
      const isGone = listOf(was).some((value) => !listOf(is).includes(value));
      yield isGone ? "enum value removed" : "enum value added";
    }
  }
}

function counted(differences: readonly Difference[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of differences.flatMap((one) => [...wordsOf(one)])) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

describe("two versions of a published schema", () => {
  test("exist, and some of them changed their names", () => {
    expect(steps.length).toBeGreaterThanOrEqual(20);
    expect(steps.filter((step) => step.sourceRenamed).length).toBeGreaterThanOrEqual(3);
  });

  test.each(steps)("$schema $from -> $to have the differences of their release notes", async (step) => {
    const [left, right] = [await modelOf(step.schema, step.from), await modelOf(step.schema, step.to)];
    const differences = compareModels(left, right, { sameModel: false, scope: "complete" });
    const statuses = differences.filter(({ objectType }) => objectType === "entity").map(({ status }) => status);
    expect(statuses.includes("RENAMED")).toBe(step.sourceRenamed);
    expect(statuses.includes("ADDED") || statuses.includes("DELETED")).toBe(false);
    expect(counted(differences)).toEqual(step.changes);
  });
});
