import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import { type MariaDb, startMariaDb } from "./support/mariadb.ts";
import { type Postgres, startPostgres } from "./support/postgres.ts";

const FOLDER = join(import.meta.dirname, "support/drift");
const readFile = (name: string) => readFileSync(join(FOLDER, name), "utf8");

let postgres: Postgres;
let mariadb: MariaDb;
beforeAll(async () => {
  [postgres, mariadb] = await Promise.all([startPostgres(), startMariaDb()]);
});
afterAll(async () => {
  await Promise.all([postgres?.stop(), mariadb?.stop()]);
});

async function read(content: string, format: "postgresql" | "mysql"): Promise<ModelDocument> {
  return (await createImporter({ allowPrivate: false }).read({ content }, { modelKey: "m", format })).document;
}

/** Expects no differences between a text and a dump, except how the server stores data. */
function expectSame(file: ModelDocument, dump: ModelDocument): void {
  for (const [left, right] of [
    [file, dump],
    [dump, file],
  ] as const) {
    const all = compareModels(left, right, { sameModel: false, scope: "complete" });
    expect(all.filter(({ impact }) => impact !== "operational")).toEqual([]);
  }
  expect(file.entities.length).toBeGreaterThan(0);
}

test.each(["forms", "steps", "quoted"])("the dump of PostgreSQL has the schema of its file %s", async (name) => {
  const text = readFile(`${name}.pg.sql`);
  postgres.run("postgres", `CREATE DATABASE ${name}`);
  postgres.run(name, text);
  expectSame(await read(text, "postgresql"), await read(postgres.dump(name), "postgresql"));
});

test.each(["forms", "steps"])("the dump of MariaDB has the schema of its file %s", async (name) => {
  const text = readFile(`${name}.mysql.sql`);
  mariadb.run(`CREATE DATABASE ${name} CHARACTER SET utf8mb4; USE ${name};\n${text}`);
  expectSame(await read(text, "mysql"), await read(mariadb.dump(name), "mysql"));
});
