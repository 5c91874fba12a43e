import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareModels } from "../../../shared/domain/compare/compare.ts";
import { mapObjects } from "../../../shared/domain/compare/document-members.ts";
import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import { mergeDocuments } from "../../../shared/domain/merge/merge.ts";
import { haveSameForm, normalizeBase, normalizeStored } from "../../../shared/domain/merge/stored-forms.ts";
import { listObjects } from "../../../shared/domain/merge/triples.ts";
import { readContent } from "../reading.ts";

const DIALECTS = ["postgresql", "mysql"] as const;
type Dialect = (typeof DIALECTS)[number];

/** Reads a text or the document that the reader of a former version, which knew no normal form, made of it. */
const readFile = (dialect: Dialect, extension: string): string =>
  readFileSync(join(import.meta.dirname, "former", `shop.${dialect}.${extension}`), "utf8");
// The file is a document of that version.
const readFormer = (dialect: Dialect) => JSON.parse(readFile(dialect, "json")) as ModelDocument;

async function readNow(dialect: Dialect, change: (text: string) => string = (text) => text): Promise<ModelDocument> {
  const names = { format: dialect, modelKey: "shop", source: "shop.sql" };
  return (await readContent(change(readFile(dialect, "sql")), names)).document;
}

/** Merges a source into a model that a former version made of it. */
async function mergeInto(dialect: Dialect, change?: (text: string) => string) {
  let count = 0;
  const former = readFormer(dialect);
  const stored = mapObjects(former, (object) => ({ ...object, id: `id-${count++}` }));
  const ids = [...listObjects(stored)].map(({ id = "" }) => id);
  const theirs = await readNow(dialect, change);
  const nextId = () => `new-${count++}`;
  const ours = normalizeStored(stored, nextId);
  const documents = { base: normalizeBase({ document: former, ids }, theirs), ours, theirs };
  const options = {
    label: "shop.sql",
    winner: "theirs",
    nextId,
    hasGlobalTag: () => false,
  } as const;
  return { ours, ids, ...mergeDocuments(documents, options) };
}

test.each(DIALECTS)("a model of %s in its former form has no differences from a new import", async (dialect) => {
  const [former, now] = [readFormer(dialect), await readNow(dialect)];
  expect(former).not.toEqual(now);
  for (const sameModel of [false, true]) {
    // Documents without ids are matched by their keys.
    expect(compareModels(former, now, { sameModel, scope: "complete" })).toEqual([]);
    expect(compareModels(now, former, { sameModel, scope: "complete" })).toEqual([]);
  }
});

test.each(DIALECTS)("a source of %s changes nothing in the model that a former version made of it", async (dialect) => {
  const { ours, target, conflicts } = await mergeInto(dialect);
  expect(conflicts).toEqual([]);
  expect(haveSameForm(ours, target)).toBe(true);
});

test.each(DIALECTS)("a changed source of %s changes what it changed in a model in its former form", async (dialect) => {
  const { ids, ours, target, conflicts } = await mergeInto(dialect, (text) =>
    text
      .replace("score int", "extra int, score int")
      .replace("total numeric(10, 0)", "total numeric(12)")
      .replace("total decimal(10)", "total decimal(12)"),
  );
  expect(conflicts).toEqual([]);
  const differences = compareModels(ours, target, { sameModel: true, scope: "structural" });
  expect(differences.map(({ status, attributeKey }) => `${status} ${attributeKey}`)).toEqual([
    "ADDED extra",
    "MODIFIED total",
  ]);
  const newIds = [...listObjects(target)].flatMap(({ id = "" }) => (ids.includes(id) ? [] : [id]));
  expect(newIds.every((id) => id.startsWith("new-"))).toBe(true);
  expect(target.entities.map(({ id }) => id)).toEqual(ours.entities.map(({ id }) => id));
});
