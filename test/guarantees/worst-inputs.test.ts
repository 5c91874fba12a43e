import { describe, expect, test } from "vitest";
import { CallBudget, LongCall } from "../../shared/actions/contract/budget.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { EXPORT_FORMAT_NAMES } from "../../shared/domain/values/export-formats.ts";
import { SOURCE_FORMAT_NAMES } from "../../shared/domain/values/source-formats.ts";
import type { SourceContent } from "../../shared/domain/values/value-types.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import { entryOf } from "../actions/support/models.ts";
import { problemOf, readContent } from "../formats/reading.ts";
import { ACTIONS } from "../support/actions.ts";
import { runtimeAt } from "../support/runtime.ts";
import { createWorld } from "../support/world.ts";
import { listExampleCalls, WORST_CALLS } from "./support/worst/calls.ts";
import { WORST_SOURCES } from "./support/worst/sources.ts";

/* What the suite `health-delay` measures with a clock is counted here. */

const EDGES = WORST_SOURCES.filter(({ make }) => make.length > 0).map(
  (one) => [one.limit, one.format, one.shape, one] as const,
);

describe("the worst source above", () => {
  test.each(EDGES)("the limit %s, for %s: %s is refused by that limit", async (limit, format, _, { make }) => {
    const problem = await problemOf(readContent(make(1), { format, modelKey: "m" }));
    expect(JSON.stringify([problem.message, problem.members.errors])).toContain(String(LIMITS[limit]));
  });
});

test("every worst source is a long call: by its length, or by what it expands to", async () => {
  const clock = { now: () => 0, sleep: async () => undefined };
  const importer = createImporter({ allowPrivate: false });
  const short: string[] = [];
  for (const { format, shape, make } of WORST_SOURCES) {
    const content = make(0);
    const bytes = Buffer.byteLength(typeof content === "string" ? content : JSON.stringify(content));
    if (bytes > LIMITS.sharedThreadBytes) continue;
    const isLong = await importer
      .read({ content: content as SourceContent }, { format, modelKey: "m" }, new CallBudget(clock, 1, true))
      .then(
        () => false,
        (error: unknown) => error instanceof LongCall,
      );
    if (!isLong) short.push(`${format}: ${shape}, ${bytes} bytes`);
  }
  expect(short).toEqual([]);
}, 60_000);

describe("the worst calls include", () => {
  test("a source of each format, and an export in each", () => {
    expect([...new Set(WORST_SOURCES.map(({ format }) => format))].sort()).toEqual([...SOURCE_FORMAT_NAMES].sort());
    for (const format of EXPORT_FORMAT_NAMES)
      expect(WORST_CALLS.filter(({ name }) => name.startsWith(`write ${format} of`)).length).toBeGreaterThan(3);
  });

  test("every action, but three", () => {
    expect(listExampleCalls(new Map())).toHaveLength(ACTIONS.length - 3);
    expect(new Set(WORST_CALLS.map(({ name }) => name)).size).toBe(WORST_CALLS.length);
  });
});

/** Counts the turns of the event loop while a source of SQL is read. */
async function countTurns(content: string): Promise<number> {
  let [turns, isDone] = [0, false];
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await readContent(content, { format: "postgresql", modelKey: "m" });
  isDone = true;
  return turns;
}

test("a reader of SQL yields after 50,000 tokens and the statement that it reads", async () => {
  // Each column has three tokens.
  const columns = Array.from({ length: 16_700 }, (_, i) => `c${i} int`).join(",");
  const tables = (count: number) =>
    Array.from({ length: count }, (_, i) => `CREATE TABLE t${i} (${columns});`).join("\n");
  // The first one loads the reader.
  const [, one, four] = [await countTurns(tables(1)), await countTurns(tables(1)), await countTurns(tables(4))];
  expect(four - one).toBeGreaterThanOrEqual(3);
});

test("a batch yields after 20 ms and the entry that it runs", async () => {
  const clock = runtimeAt("2026-03-01T08:00:00.000Z");
  let [entryMs, sinceYield, longest] = [0, 0, 0];
  const sleep = (ms: number) => {
    [longest, sinceYield] = [Math.max(longest, sinceYield), 0];
    return clock.sleep(ms);
  };
  // Each entry makes one id.
  const newId = () => {
    sinceYield += entryMs;
    clock.advance(entryMs);
    return clock.newId();
  };
  const world = await createWorld({ runtime: { ...clock, sleep, newId } });
  await world.run("model/model_create", { key: "crm", name: "CRM" });
  entryMs = 5;
  const create = (i: number) => entryOf("entity_create", { modelRef: "key:crm", entityKey: `e${i}` });
  await world.run("batch/batch_run", { actions: Array.from({ length: 300 }, (_, i) => create(i)) });
  expect(longest).toBeGreaterThan(0);
  expect(longest).toBeLessThanOrEqual(20 + 2 * entryMs);
});
