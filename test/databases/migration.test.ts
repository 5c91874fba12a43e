import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createExporter } from "../../shared/formats/exporter.ts";
import { countOfRun, createChance, seedOf } from "../support/chance.ts";
import { catalogOf } from "./support/catalog.ts";
import { changedModel, HARSH, MILD, NUMBERED, placedModel } from "./support/changed-models.ts";
import { FIND_LOST_ROWS, KEEP_ROWS } from "./support/lost-rows.ts";
import { type Postgres, startPostgres } from "./support/postgres.ts";
import { closed, createDrawing, drawnModel, type OpenModel } from "./support/random-models.ts";
import { drawnRows } from "./support/random-rows.ts";

const SEED = seedOf("migrations");
const PAIRS = countOfRun("METACTION_MIGRATED_PAIRS", 200);

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
  for (const name of ["old", "new"]) postgres.run("postgres", `CREATE DATABASE ${name}`);
});
afterAll(() => postgres?.stop());

const EMPTY = `DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA IF EXISTS sales, "it's" CASCADE;`;
const exporter = createExporter();

/** The text that makes a database anew with what a model says. */
async function made(model: OpenModel): Promise<string> {
  const { content } = await exporter.write(closed(model), "postgresql");
  return `SET client_min_messages = error;\n${EMPTY}\n${content}`;
}

async function written(left: OpenModel, right: OpenModel) {
  const names = ["the left", "the right"] as const;
  const compared = { left: closed(left), right: closed(right), names, differences: [] };
  return exporter.writeDifference(compared, "postgresql");
}

async function draftOf(left: OpenModel, right: OpenModel): Promise<string> {
  return (await written(left, right)).content;
}

/** A draft with every step that is held back. */
const uncommented = (draft: string) => draft.replaceAll(/^-- /gm, "");
const isHeld = (draft: string) => /^-- /m.test(draft);

function run(database: string, text: string, at: string): string {
  try {
    return postgres.run(database, text);
  } catch (error) {
    throw new Error(`${String(error)}\n${at}`);
  }
}

function* pairs(changes: Parameters<typeof changedModel>[2], salt: number) {
  for (let i = 0; i < PAIRS; i++) {
    const drawing = createDrawing(createChance(SEED * 1_000_003 + i * 2 + salt));
    const left = drawnModel(drawing);
    yield { i, left, right: changedModel(drawing, left, changes) };
  }
}

/** Pairs of which every other one has several schemas, between which tables and enums move. */
function* placedPairs(changes: Parameters<typeof changedModel>[2], salt: number) {
  for (const { i, left, right } of pairs(changes, salt)) {
    const chance = createChance(SEED * 1_000_003 + i);
    const [before, after] = [new Map<string, string>(), new Map<string, string>()];
    const schemaOf = (schemas: Map<string, string>, id: string, otherwise?: string) => {
      const schema = schemas.get(id) ?? otherwise ?? chance.pick(["sales", "it's"]);
      schemas.set(id, schema);
      return schema;
    };
    if (i % 2 === 0) yield { i, chance, left, right };
    else
      yield {
        ...{ i, chance, left: placedModel(left, (id) => schemaOf(before, id)) },
        right: placedModel(right, (id) => schemaOf(after, id, chance.happens(0.7) ? before.get(id) : undefined)),
      };
  }
}

/** Tells how many rows there were before a draft, and which of them are lost behind it. */
function rowsKept(
  text: string,
  draft: string,
  at: string,
): { readonly rows: number; readonly lost: readonly string[] } {
  const said = run("old", [text, KEEP_ROWS, draft, FIND_LOST_ROWS].join("\n"), at);
  return JSON.parse(said.trim().split("\n").at(-1) ?? "");
}

describe("the draft of a migration, run in a database with the old schema", () => {
  test(`creates the new schema for ${PAIRS} random differences without loss (seed ${SEED})`, async () => {
    let steps = 0;
    for (const { i, left, right } of pairs(MILD, 0)) {
      const draft = await draftOf(left, right);
      steps += draft.split(/;\n/).length - 1;
      const at = `pair ${i}\n${draft}`;
      expect(isHeld(draft), at).toBe(false);
      run("new", await made(right), at);
      run("old", `${await made(left)}\n${draft}`, at);
      expect(catalogOf(postgres, "old"), at).toEqual(catalogOf(postgres, "new"));
    }
    process.stdout.write(`${PAIRS} pairs, ${steps} statements\n`);
  }, 1_200_000);

  test(`runs without its commented statements, and creates the new schema with them, for ${PAIRS} differences with loss (seed ${SEED})`, async () => {
    let held = 0;
    for (const { i, left, right } of pairs({ ...MILD, ...HARSH }, 1)) {
      const draft = await draftOf(left, right);
      if (isHeld(draft)) held++;
      const at = `pair ${i}\n${draft}`;
      run("new", await made(right), at);
      for (const text of [draft, uncommented(draft)]) run("old", `${await made(left)}\n${text}`, at);
      expect(catalogOf(postgres, "old"), at).toEqual(catalogOf(postgres, "new"));
    }
    process.stdout.write(`${PAIRS} pairs, ${held} of them with steps that are held back\n`);
    expect(held).toBeGreaterThan(PAIRS / 3);
  }, 1_200_000);

  test.each([
    ["lose nothing", MILD, 2],
    ["lose something", { ...MILD, ...HARSH }, 3],
  ] as const)(
    `keeps every row and every value for ${PAIRS} random differences that %s, in tables with rows (seed ${SEED})`,
    async (_, changes, salt) => {
      let total = 0;
      for (const { i, chance, left, right } of placedPairs({ ...changes, ...NUMBERED }, salt)) {
        const { content: draft, warnings } = await written(left, right);
        const inserts = drawnRows(chance, left);
        const at = `pair ${i}\n${draft}\n${inserts}`;
        const { rows, lost } = rowsKept(`${await made(left)}\n${inserts}`, draft, at);
        total += rows;
        expect(lost, at).toEqual([]);
        // A column does not begin to number its rows by the draft, which says so.
        const isWhole = !warnings.some(({ detail }) => detail.includes("serial"));
        if (isHeld(draft) || !isWhole) continue;
        run("new", await made(right), at);
        expect(catalogOf(postgres, "old"), at).toEqual(catalogOf(postgres, "new"));
      }
      process.stdout.write(`${PAIRS} pairs, ${total} rows\n`);
      expect(total).toBeGreaterThan(PAIRS * 4);
    },
    1_200_000,
  );
});
