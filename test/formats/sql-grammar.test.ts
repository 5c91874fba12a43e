import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createExporter } from "../../shared/formats/exporter.ts";
import { createChance, seedOf } from "../support/chance.ts";
import { exported, models } from "./documents.ts";
import { parseByGrammar } from "./grammar/grammar-schema.ts";
import { drawnSql } from "./grammar/random-sql.ts";
import { linesOf, toSqlSchema } from "./grammar/sql-schema.ts";
import { readContent } from "./reading.ts";

const SEED = seedOf("sql grammar");
const SHOP = join(import.meta.dirname, "../databases/support/shop.pg.sql");

async function read(content: string): Promise<readonly string[]> {
  return linesOf(toSqlSchema((await readContent(content, { format: "postgresql", modelKey: "m" })).document));
}

const told = async (content: string): Promise<readonly string[]> => linesOf(await parseByGrammar(content));

describe("the reader of PostgreSQL agrees with PostgreSQL's own grammar", () => {
  test(`for 500 random texts (seed ${SEED})`, async () => {
    let lines = 0;
    for (let i = 0; i < 500; i++) {
      const text = drawnSql(createChance(SEED * 1_000_003 + i));
      const wanted = await told(text);
      lines += wanted.length;
      expect(await read(text), text).toEqual(wanted);
    }
    process.stdout.write(`${lines} facts\n`);
    expect(lines).toBeGreaterThan(10_000);
  });

  test(`for the exports of 100 random models (seed ${SEED})`, async () => {
    await fc.assert(
      fc.asyncProperty(models, async (model) => {
        const { content } = await createExporter().write(exported(model), "postgresql");
        expect(await read(content)).toEqual(await told(content));
      }),
      { seed: SEED, numRuns: 100, endOnFailure: true },
    );
  });

  test("for a schema with all constructs of PostgreSQL", async () => {
    const text = readFileSync(SHOP, "utf8");
    expect(await read(text)).toEqual(await told(text));
  });
});
