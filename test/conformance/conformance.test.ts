import { randomUUID } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openSqliteTable } from "../../local/sqlite/table.ts";
import { createDynamoTable } from "../../shared/store/table/dynamo.ts";
import { ensureTable } from "../../shared/store/table/dynamo-admin.ts";
import { directTable } from "../simulation/support/direct-table.ts";
import { createSimulatedTable } from "../simulation/support/simulated-table.ts";
import { seedOf } from "../support/chance.ts";
import { startDynamoDbLocal } from "./support/dynamodb-local.ts";
import { EDGES } from "./support/edges.ts";
import { type KnownDifference, OF_DYNAMODB_LOCAL, OF_ENGINE } from "./support/known-differences.ts";
import { outcomeOf, type StoreInTest, type TableCall } from "./support/outcome.ts";
import { calls, PLACES } from "./support/random-calls.ts";

type Count = (operation: string, units: number) => void;

async function counting(name: string, open: (count: Count) => Promise<StoreInTest["table"]>): Promise<StoreInTest> {
  let units: number[] = [];
  const table = await open((_, some) => units.push(some));
  return {
    name,
    table,
    takeUnits: () => {
      const taken = units;
      units = [];
      return taken;
    },
  };
}

function sqliteStore(): Promise<StoreInTest> {
  return counting("SQLite", async (onCapacity) => {
    const file = join(await mkdtemp(join(tmpdir(), "metaction-conformance-")), "table.db");
    return openSqliteTable({ file, onCapacity }, Date.now).connect(Number.POSITIVE_INFINITY);
  });
}

function simulatedStore(): Promise<StoreInTest> {
  return counting("the simulated table", async (onCapacity) =>
    directTable(createSimulatedTable({ now: Date.now, onCapacity })),
  );
}

function dynamoStore(name: string, endpoint: string): Promise<StoreInTest> {
  return counting(name, async (onCapacity) => {
    const credentials = { accessKeyId: "test", secretAccessKey: "test" };
    const connection = { table: `test-${randomUUID()}`, endpoint, region: "local", credentials, onCapacity };
    await ensureTable(connection);
    return createDynamoTable(connection);
  });
}

interface ComparedStore extends StoreInTest {
  readonly known: readonly KnownDifference[];
}

/** Counts how often each known difference was met, by store and name. */
type Met = Map<string, number>;

/** Sends the same calls to all stores, which begin empty; an error at the first that comes to another outcome than `wanted`. */
async function compare(
  calls: readonly TableCall[],
  wanted: StoreInTest,
  others: readonly ComparedStore[],
  met: Met,
): Promise<void> {
  for (const store of [wanted, ...others]) await empty(store);
  for (const [i, call] of calls.entries()) {
    const [right, ...came] = await Promise.all([wanted, ...others].map((store) => outcomeOf(store, call)));
    if (!right) throw new Error("no store");
    for (const [at, outcome] of came.entries()) {
      const store = others[at];
      if (!store || isDeepStrictEqual(outcome, right)) continue;
      const difference = store.known.find((one) => one.explains(call, right, outcome));
      if (!difference) throw new Difference(call, i, [wanted.name, right], [store.name, outcome]);
      const name = `${store.name}: ${difference.name}`;
      met.set(name, (met.get(name) ?? 0) + 1);
    }
  }
}

class Difference extends Error {
  constructor(call: TableCall, at: number, ...outcomes: readonly (readonly [string, object])[]) {
    const lines = outcomes.map(([name, outcome]) => `${name}: ${short(outcome)}`);
    super(`call ${at + 1}, ${short(call)}\n${lines.join("\n")}`);
  }
}

function short(value: object): string {
  const cut = (_: string, one: unknown): unknown =>
    typeof one === "string" && one.length > 60 ? `${one.slice(0, 20)}… (${one.length})` : one;
  return JSON.stringify(value, cut).slice(0, 2_000);
}

async function empty({ table, takeUnits }: StoreInTest) {
  for (let i = 0; i < PLACES.length; i += 25) await table.batchDelete(PLACES.slice(i, i + 25));
  takeUnits();
}

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
