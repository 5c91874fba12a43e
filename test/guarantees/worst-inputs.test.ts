import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { EXPORT_FORMAT_NAMES } from "../../shared/domain/values/export-formats.ts";
import { SOURCE_FORMAT_NAMES } from "../../shared/domain/values/source-formats.ts";
import { entryOf } from "../actions/support/models.ts";
import { problemOf, readContent } from "../formats/reading.ts";
import { ACTIONS } from "../support/actions.ts";
import { runtimeAt } from "../support/runtime.ts";
import { createWorld } from "../support/world.ts";
import { listExampleCalls, WORST_CALLS } from "./support/worst/calls.ts";
import { WORST_SOURCES } from "./support/worst/sources.ts";

/* What the suite `health-delay` measures with a clock is counted here. */

const EDGES = WORST_SOURCES.filter(({ hasEdge }) => hasEdge).map(
  (one) => [one.limit, one.format, one.shape, one] as const,
);

describe("the worst source above", () => {
  test.each(EDGES)("the limit %s, for %s: %s is refused by that limit", async (limit, format, _, { make }) => {
    const problem = await problemOf(readContent(make(1), { format, modelKey: "m" }));
    expect(JSON.stringify([problem.message, problem.members.errors])).toContain(String(LIMITS[limit]));
  });
});

describe("the worst calls include", () => {
  test("a source of each format, and an export in each", () => {
    expect([...new Set(WORST_SOURCES.map(({ format }) => format))].sort()).toEqual([...SOURCE_FORMAT_NAMES].sort());
    for (const format of EXPORT_FORMAT_NAMES)
      expect(WORST_CALLS.filter(({ name }) => name.startsWith(`write ${format} of`)).length).toBeGreaterThan(3);
  });

  test("every action, but those that end the session of the suite or need another first start", () => {
    const called = new Set(listExampleCalls(new Map()).map(({ action }) => action));
    const missing = ACTIONS.map(({ group, name }) => `${group}/${name}`).filter((path) => !called.has(path));
    expect(missing).toEqual(["auth/change_my_password", "auth/logout", "auth/admin_bootstrap"]);
    expect(new Set(WORST_CALLS.map(({ name }) => name)).size).toBe(WORST_CALLS.length);
  });
});

test("a reader of SQL yields after 50,000 tokens and the statement that it reads", async () => {
  const statements = 2;
  // Each statement has 3 tokens for a column.
  const columns = Math.floor(LIMITS.sqlTokens / 3) - 10;
  const list = Array.from({ length: columns }, (_, i) => `c${i} int`).join(",");
  const text = Array.from({ length: statements }, (_, i) => `CREATE TABLE t${i} (${list});`).join("\n");
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await readContent(text, { format: "postgresql", modelKey: "m" });
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(statements);
});

test("a batch yields after 20 ms and the entry that it runs", async () => {
  const clock = runtimeAt("2026-03-01T08:00:00.000Z");
  let [sinceYield, longest] = [0, 0];
  let isCounting = false;
  const world = await createWorld({
    runtime: {
      ...clock,
      now: () => clock.now(),
      sleep: async (ms) => {
        longest = Math.max(longest, sinceYield);
        sinceYield = 0;
        await clock.sleep(ms);
      },
      newId: () => {
        // Each entry makes one id.
        if (isCounting) sinceYield += 5;
        if (isCounting) clock.advance(5);
        return clock.newId();
      },
    },
  });
  await world.run("model/model_create", { key: "crm", name: "CRM" });
  isCounting = true;
  const actions = Array.from({ length: 300 }, (_, i) =>
    entryOf("entity_create", { modelRef: "key:crm", entityKey: `e${i}` }),
  );
  await world.run("batch/batch_run", { actions });
  isCounting = false;
  expect(longest).toBeGreaterThan(0);
  expect(longest).toBeLessThanOrEqual(30);
});
