import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import type { Difference } from "../../shared/domain/differences.ts";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import { createImporter } from "../../shared/formats/importer.ts";

const FOLDER = fileURLToPath(new URL("../../../shared/data/drift/", import.meta.url));
const DIALECTS = ["postgresql", "mysql"] as const;
const FILE = ".file.sql";

const importer = createImporter({ allowPrivate: false });

/** Schemas as files, each with the dump of a server that ran it. */
const PAIRS = DIALECTS.flatMap((dialect) =>
  readdirSync(join(FOLDER, dialect))
    .filter((name) => name.endsWith(FILE))
    .map((name) => [dialect, name.slice(0, -FILE.length)] as const),
);

async function read(dialect: (typeof DIALECTS)[number], name: string): Promise<ModelDocument> {
  const content = readFileSync(join(FOLDER, dialect, `${name}.sql`), "utf8");
  return (await importer.read({ content }, { modelKey: "m", format: dialect })).document;
}

/** Returns the differences that are not only about how a database stores and finds data. */
function listDifferences(left: ModelDocument, right: ModelDocument): readonly Difference[] {
  const all = compareModels(left, right, { sameModel: false, scope: "complete" });
  return all.filter(({ impact }) => impact !== "operational");
}

/** The server has no storage engine of the file, so its dump has no tables. */
const WITHOUT_TABLES = ["freeradius_ndb"];

test.each(PAIRS)("the schema of %s and %s is the same as file and as dump", async (dialect, name) => {
  const [file, dump] = [await read(dialect, `${name}.file`), await read(dialect, `${name}.dump`)];
  expect(file.entities.length).toBeGreaterThan(0);
  if (WITHOUT_TABLES.includes(name)) {
    expect(dump.entities).toEqual([]);
    return;
  }
  expect(listDifferences(file, dump)).toEqual([]);
  expect(listDifferences(dump, file)).toEqual([]);
});

test("there are schemas of both dialects", () => {
  expect(PAIRS.length).toBeGreaterThanOrEqual(22);
});
