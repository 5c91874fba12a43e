import { beforeEach, describe, expect, test } from "vitest";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { checkModel } from "../support/check-model.ts";
import { createFaultTable, type FaultTable } from "../support/fault-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { type Caller, serviceOver, writtenBody } from "../support/service-over.ts";

let opened: TestTable;
let world: World;
let table: FaultTable;
let slower: Caller;
let faster: Caller;
let id: string;

beforeEach(async () => {
  opened = await openTable();
  world = await createWorld({ table: opened.table });
  table = createFaultTable(opened.table);
  slower = serviceOver(world, table, quickAmbient());
  faster = serviceOver(world, opened.table, quickAmbient());
  ({ id } = writtenBody(await faster.call("import", { content: sceneDocument("crm") })));
});

const control = { idempotencyKey: "the same for both" };
const WRITES: readonly (readonly [string, object])[] = [
  ["type_create", { modelRef: "key:crm", typeKey: "date" }],
  ["entity_update_name", { modelRef: "key:crm", entityRef: "key:customer", value: "Clients" }],
  ["entity_delete", { modelRef: "key:crm", entityRef: "key:customer" }],
  ["model_delete", { modelRef: "key:crm" }],
  ["model_create", { key: "new", name: "New" }],
  ["model_copy", { modelRef: "key:crm", modelNewKey: "copy" }],
];

describe("two calls with one idempotency key", () => {
  test.each(WRITES)("%s: the later commit gets the other's answer with its refusal", async (name, payload) => {
    let first: unknown;
    const twin = async (): Promise<void> => {
      first = (await faster.call(name, payload, control)).answer?.body;
    };
    table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { before: twin } }] });
    const { answer } = await slower.call(name, payload, control);
    expect(answer).toMatchObject({ body: first, replayed: true });
    // The commit of the slower call was refused; a publication closes its abandoned generation in another transaction.
    const commits = table.trace.filter(
      ({ operation, keys }) => operation === "transactWrite" && /^log#/.test(keys[0] ?? ""),
    );
    expect(commits).toHaveLength(1);
    expect(await checkModel(opened.table, id)).toEqual([]);
  });

  test.each(WRITES)("%s: the later reader does not report the other's work as its own", async (name, payload) => {
    const twin = async (): Promise<void> => {
      writtenBody(await faster.call(name, payload, control));
    };
    // The record was looked for just before.
    table.arm({ rules: [{ match: { operation: "get", key: /^idempotency#/ }, do: { after: twin } }] });
    const { answer, problem } = await slower.call(name, payload, control);
    expect(problem).toBeUndefined();
    expect(answer).toMatchObject({ replayed: true });
  });
});
