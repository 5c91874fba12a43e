import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { seedOf } from "../support/chance.ts";
import { type ComparedStore, compare, type Met } from "./support/compare.ts";
import { startDynamoDbLocal } from "./support/dynamodb-local.ts";
import { EDGES } from "./support/edges.ts";
import { OF_DYNAMODB_LOCAL, OF_ENGINE } from "./support/known-differences.ts";
import type { StoreInTest } from "./support/outcome.ts";
import { calls } from "./support/random-calls.ts";
import { dynamoStore, simulatedStore, sqliteStore } from "./support/stores.ts";

/** The number of random sequences; the guarantees run many more. */
const RUNS = Number(process.env.METACTION_CONFORMANCE_RUNS ?? 60);

let sqlite: StoreInTest;
/** The other stores on this machine: each comes to the outcomes of SQLite, but for its known differences. */
const others: ComparedStore[] = [];
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  sqlite = await sqliteStore();
  others.push({ ...(await simulatedStore()), known: [] });
  const engine = inject("endpoint");
  if (engine) others.push({ ...(await dynamoStore("the engine", engine)), known: OF_ENGINE });
  else process.stdout.write("conformance: no engine on this platform\n");
  const local = await startDynamoDbLocal();
  if (typeof local === "string") process.stdout.write(`conformance: no DynamoDB Local, ${local}\n`);
  else {
    stops.push(local.stop);
    others.push({ ...(await dynamoStore("DynamoDB Local", local.endpoint)), known: OF_DYNAMODB_LOCAL });
  }
}, 300_000);

afterAll(async () => {
  for (const stop of stops) await stop();
});

describe("SQLite, the simulated table and the implementations of DynamoDB's protocol have the same answers, refusals and units", () => {
  const met: Met = new Map();

  test.each(Object.keys(EDGES))("at an edge: %s", (about) => compare(EDGES[about] ?? [], sqlite, others, met));

  test(`in ${RUNS} random sequences of calls`, { timeout: 60_000 + RUNS * 500 }, async () => {
    const seed = seedOf("conformance");
    const property = fc.asyncProperty(calls, (sequence) => compare(sequence, sqlite, others, met));
    await fc.assert(property, { numRuns: RUNS, seed });
  });

  test("except for known differences, all of which occur", () => {
    const known = others.flatMap((store) => store.known.map(({ name }) => `${store.name}: ${name}`));
    expect(known.filter((name) => !met.has(name))).toEqual([]);
  });
});
