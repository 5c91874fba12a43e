import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join, relative } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import { createExporter } from "../../shared/formats/exporter.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import { exported, models } from "../formats/documents.ts";
import { type Postgres, startPostgres } from "./support/postgres.ts";

const DATA = join(import.meta.dirname, "../../../shared/data");
const SEED = process.env.METACTION_SEED === "new" ? Date.now() % 2 ** 31 : Number(process.env.METACTION_SEED ?? 1);
const RUNS = 150;

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

/** Runs what a model is written as, and answers how many tables and views there are then; nothing of it stays. */
async function tablesMade(document: ModelDocument): Promise<number> {
  const { content } = await createExporter().write(document, "postgresql");
  const count = `select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'v', 'm') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`;
  return Number(postgres.run("postgres", `BEGIN;\n${content}\n${count};\nROLLBACK;`).trim());
}

describe("SQL that is written for PostgreSQL runs there", () => {
  test(`for random models with every kind of object (seed ${SEED})`, async () => {
    await fc.assert(
      fc.asyncProperty(models, async (made) => {
        const document = exported(made);
        expect(await tablesMade(document)).toBe(document.entities.length);
      }),
      // Models of this size take minutes to shrink; the seed shows the same one again.
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
  });

  test("for the models of all real files", async () => {
    const files = await Array.fromAsync(
      glob(join(DATA, "{sql,dbml,dbt,odcs,frictionless,versions}/**/*.{sql,dbml,yml,yaml,json}")),
    );
    const importer = createImporter({ allowPrivate: false });
    const made: Record<string, number> = {};
    for (const file of files.toSorted()) {
      const read = await importer
        .read({ content: readFileSync(file, "utf8") }, { modelKey: "m" })
        .catch(() => undefined);
      if (!read) continue;
      const { entities } = read.document;
      made[relative(DATA, file)] = await tablesMade(read.document);
      expect(made[relative(DATA, file)], file).toBe(entities.length);
    }
    console.log(made);
    expect(Object.keys(made).length).toBeGreaterThan(20);
  });
});
