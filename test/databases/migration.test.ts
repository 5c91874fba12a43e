import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createExporter } from "../../shared/exchange/exporter.ts";
import { countOfRun, createChance, seedOf } from "../support/chance.ts";
import { catalogOf } from "./support/catalog.ts";
import { changedModel, HARSH, MILD } from "./support/changed-models.ts";
import { closed, createDrawing, drawnModel, type OpenModel } from "./support/drawn-models.ts";
import { type Postgres, startPostgres } from "./support/postgres.ts";

const SEED = seedOf("migrations");
const PAIRS = countOfRun("METACTION_MIGRATED_PAIRS", 200);

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
  for (const name of ["old", "new"]) postgres.run("postgres", `CREATE DATABASE ${name}`);
});
afterAll(() => postgres?.stop());

const EMPTY = "DROP SCHEMA public CASCADE; CREATE SCHEMA public;";
const exporter = createExporter();

/** The text that makes a database anew with what a model says. */
async function made(model: OpenModel): Promise<string> {
  const { content } = await exporter.write(closed(model), "postgresql");
  return `SET client_min_messages = error;\n${EMPTY}\n${content}`;
}

async function draftOf(left: OpenModel, right: OpenModel): Promise<string> {
  const names = ["the left", "the right"] as const;
  const compared = { left: closed(left), right: closed(right), names, differences: [] };
  return (await exporter.writeDifference(compared, "postgresql")).content;
}

/** A draft with every step that is held back. */
const uncommented = (draft: string): string => draft.replaceAll(/^-- /gm, "");
const isHeld = (draft: string): boolean => /^-- /m.test(draft);

function run(database: string, text: string, at: string): void {
  try {
    postgres.run(database, text);
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

describe("the draft of a migration, run in a database that has the old state", () => {
  test(`makes the new one of ${PAIRS} random differences that lose nothing (seed ${SEED})`, async () => {
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

  test(`runs without what is held back, and makes the new state with it, of ${PAIRS} that lose something (seed ${SEED})`, async () => {
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
});
