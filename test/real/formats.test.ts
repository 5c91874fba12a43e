import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import { createImporter } from "../../shared/formats/importer.ts";

const FOLDER = fileURLToPath(new URL("../../../shared/data/", import.meta.url));
const importer = createImporter({ allowPrivate: false });

/** The numbers that are read from a file: tables, columns, primary keys, unique keys, foreign keys and holdings, enums, warnings. */
type Counts = readonly [number, number, number, number, number, number, number];

/** The numbers counted by hand in each real file. */
const FILES: readonly (readonly [path: string, format: string, ...Counts])[] = [
  ["dbml/ecommerce.dbml", "dbml", 5, 33, 5, 4, 5, 3, 0],
  ["dbml/multiple-schemas.dbml", "dbml", 5, 18, 5, 0, 4, 8, 1],
  ["dbt/jaffle-shop.schema.yml", "dbt", 2, 16, 0, 2, 1, 1, 2],
  ["dbt/jaffle-shop.staging.schema.yml", "dbt", 3, 5, 0, 3, 0, 2, 1],
  ["odcs/all-data-types.odcs.yaml", "odcs", 1, 10, 0, 0, 0, 0, 0],
  ["odcs/all-schema-types.odcs.yaml", "odcs", 4, 6, 1, 0, 1, 0, 0],
  ["odcs/full-example.odcs.yaml", "odcs", 2, 7, 2, 1, 2, 0, 1],
  ["odcs/postgresql-adventureworks-contract.odcs.yaml", "odcs", 68, 456, 68, 0, 0, 0, 0],
];

function countsOf(document: ModelDocument, warnings: number): Counts {
  const { entities, businessKeys, relationships } = document;
  const attributes = entities.flatMap((one) => one.attributes);
  const keyed = entities.filter((one) => one.primaryKey.length > 0).length;
  const enums = attributes.filter((one) => one.constraints?.enum !== undefined).length;
  return [
    ...[entities.length, attributes.length, keyed, businessKeys.length, relationships.length, enums, warnings],
  ] as unknown as Counts;
}

const rows: string[] = [];
afterAll(() => {
  const head = "| file | format | tables | columns | primary keys | unique keys | relationships | enums | warnings |";
  console.log([head, "|---|---|---|---|---|---|---|---|---|", ...rows].join("\n"));
});

describe("a real file", () => {
  test.each(FILES)("%s is read completely", async (path, format, ...counts) => {
    const content = readFileSync(FOLDER + path, "utf8");
    const { document, recognised, warnings } = await importer.read({ content }, {});
    const found = countsOf(
      document,
      warnings.reduce((sum, { count }) => sum + count, 0),
    );
    rows.push(`| ${[path, recognised.format, ...found].join(" | ")} |`);
    expect([recognised.format, ...found]).toEqual([format, ...counts]);
  });
});
