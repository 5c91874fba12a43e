import { beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { createFaultTable } from "../support/fault-table.ts";
import { largeDocument, typeKey } from "../support/large-writes.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { serviceOver } from "../support/service-over.ts";

let world: World;
let opened: TestTable;

beforeAll(async () => {
  opened = await openTable();
  world = await createWorld({ table: opened.table });
  for (const key of ["one", "two"]) await world.run("model/import", { content: largeDocument(key) });
});

const admin = (): string => world.people.admin;
const batch = (actions: readonly object[], dryRun: boolean) =>
  world.problem("batch/batch_run", { actions }, admin(), { dryRun });
const entry = (action: string, payload: object) => ({ group: "model", action, payload });

/** Descriptions of the largest size, as many for each of two models. */
const described = (count: number): readonly object[] =>
  ["one", "two"].flatMap((key) =>
    Array.from({ length: count }, (_, i) =>
      entry("type_update_description", {
        ...{ modelRef: `key:${key}`, typeRef: `key:${typeKey(i)}` },
        value: "x".repeat(LIMITS.descriptionBytes),
      }),
    ),
  );

describe("a dry run that no transaction can hold is refused in the words of the call", () => {
  test("for too many bytes in two models", async () => {
    const rehearsed = await batch(described(20), true);
    expect(rehearsed.code).toBe("too_large");
    const { message } = await batch(described(20), false);
    expect(rehearsed.message).toBe(message);
    expect(message).toMatch(/needs 44 items and 4\d{6} bytes/);
  });

  test("for too many items in two models", async () => {
    const made = (count: number) =>
      ["one", "two"].flatMap((key) =>
        Array.from({ length: count }, (_, i) =>
          entry("type_create", { modelRef: `key:${key}`, typeKey: `made ${i}`, description: "y".repeat(100) }),
        ),
      );
    // Two log entries, each with a blob of what it changed, and two items for every type.
    for (const dryRun of [true, false]) {
      const { code, message } = await batch(made(30), dryRun);
      expect({ code, message }).toMatchObject({
        code: "too_large",
        message: expect.stringContaining("needs 124 items"),
      });
    }
  });
});

test("a dry run is refused for the present state: it decides again if that changed", async () => {
  const table = createFaultTable(opened.table);
  const caller = serviceOver(world, table, quickAmbient());
  const remove = () => world.run("model/model_delete", { modelRef: "key:two" });
  // The last of what the batch reads.
  table.arm({ rules: [{ match: { operation: "get", key: /type#t19/, nth: 2 }, do: { after: remove } }] });
  const { problem } = await caller.call("batch/batch_run", { actions: described(20) }, { dryRun: true });
  expect(problem?.code).toBe("not_found");
});
