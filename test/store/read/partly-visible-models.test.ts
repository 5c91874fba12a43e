import { describe, expect, test } from "vitest";
import { readPages } from "../../actions/support/checked-world.ts";
import { someone } from "../../support/someone.ts";
import { type Body, createWorld } from "../../support/world.ts";
import { scatterWrites } from "../support/fault-plan.ts";
import { createFaultTable, untilHidden } from "../support/fault-table.ts";
import { quickRuntime } from "../support/quick-runtime.ts";
import { sceneDocument } from "../support/scene.ts";
import { type Caller, type Outcome, serviceOver, writtenBody } from "../support/service-over.ts";

const world = await createWorld();

function newProcess() {
  const table = createFaultTable(world.table);
  return { table, caller: serviceOver(world, table, quickRuntime()) };
}

const hideWrites = (times = 1) => scatterWrites(1, 10_000, true, times);

const rowsOf = ({ answer }: Outcome): Body[] => (answer?.body ?? []) as Body[];

/** Runs a write whose items become visible one by one, in the order of a seed, and asks questions meanwhile. */
async function meanwhile(write: readonly [string, object], seed: number, ask: (call: Caller["call"]) => Promise<void>) {
  const { table, caller } = newProcess();
  table.arm({ rules: [scatterWrites(seed, seed % 4, false)] });
  const writing = caller.call(...write);
  await untilHidden(table, writing);
  await ask(caller.call);
  await table.settle();
  writtenBody(await writing);
}

test("while a model is created, readers that saw it in the list find it by its id and by its key", async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const key = `coming-${seed}`;
    await meanwhile(["model_create", { key, name: "Coming" }], seed, async (call) => {
      const row = rowsOf(await call("model_list")).find((one) => one.key === key);
      for (const modelRef of row ? [`id:${row.id}`, `key:${key}`] : [])
        expect((await call("model_get", { modelRef })).problem?.code, `seed ${seed}, ${modelRef}`).toBeUndefined();
    });
  }
});

type Ask = (call: Caller["call"], id: string, from: string, to: string) => Promise<unknown>;

test.each<[string, Ask]>([
  [
    "a list of models shows it once, under one key or the other",
    async (call, id) => rowsOf(await call("model_list")).filter((row) => row.id === id).length,
  ],
  [
    "it is found by one of its keys, in any order of reads",
    // The item has moved from its old key to the new one.
    async (call, _, ...keys) => {
      for (const key of keys) if ((await call("model_get", { modelRef: `key:${key}` })).answer) return 1;
      return 0;
    },
  ],
])("while a model gets another key, %s", async (title, countFound) => {
  const name = title.includes("list") ? "moving" : "found";
  const { id } = await world.run("model/import", { content: sceneDocument(`${name}-0`) });
  for (let seed = 1; seed <= 40; seed++) {
    const [from, to] = [`${name}-${seed - 1}`, `${name}-${seed}`];
    await meanwhile(["model_update_key", { modelRef: `key:${from}`, value: to }], seed, async (call) => {
      expect(await countFound(call, id, from, to), `seed ${seed}`).toBe(1);
    });
  }
});

/** Writes with the rows of the list of models afterwards, without the first key of the model. */
const WRITES: readonly (readonly [action: string, payload: (key: string) => object, rows: readonly string[]])[] = [
  ["model_create", (key) => ({ key: `${key}-new`, name: "New" }), [" Customers 0.0.1", "-new New 0.0.1"]],
  ["import", (key) => ({ content: sceneDocument(`${key}-in`) }), [" Customers 0.0.1", "-in Customers 0.0.1"]],
  ["model_update_key", (key) => ({ modelRef: `key:${key}`, value: `${key}-moved` }), ["-moved Customers 0.0.1"]],
  ["model_update_name", (key) => ({ modelRef: `key:${key}`, name: "Named" }), [" Named 0.0.1"]],
  ["model_release", (key) => ({ modelRef: `key:${key}`, value: "1.0.0" }), [" Customers 1.0.0"]],
  ["model_delete", (key) => ({ modelRef: `key:${key}` }), []],
];

test.each(
  WRITES,
)("the list of models shows every answered write in every process: %s", async (action, payload, rows) => {
  const { table, caller } = newProcess();
  const reader = serviceOver(world, table, quickRuntime());
  for (let scatter = 0; scatter < 18; scatter++) {
    const key = `${action.replaceAll("_", "-")}-${String(scatter).padStart(2, "0")}`;
    const listed = async (): Promise<readonly string[]> =>
      rowsOf(await reader.call("model_list"))
        .filter((row) => row.key.startsWith(key))
        .map(({ key, name, version }) => `${key} ${name} ${version}`);
    await world.run("model/import", { content: sceneDocument(key) });
    const match = { operation: "transactWrite", key: /^models\|/ } as const;
    table.arm({ rules: [{ match, do: { scatter, hold: 50, answered: true } }] });
    writtenBody(await caller.call(action, payload(key)));
    const expected = rows.map((row) => `${key}${row}`);
    expect(await listed()).toEqual(expected);
    await table.settle();
    expect(await listed()).toEqual(expected);
  }
});

test("a list with pages does not end early if the rows of a page were just deleted", async () => {
  await world.run("model/import", { content: sceneDocument("paged") });
  for (const typeKey of ["a1", "a2", "a3", "a4", "a5"])
    await world.run("model/type_create", { modelRef: "key:paged", typeKey });
  const { table, caller } = newProcess();
  table.arm({ rules: [hideWrites(3)] });
  for (const key of ["a1", "a2", "a3"])
    writtenBody(await caller.call("type_delete", { modelRef: "key:paged", typeRef: `key:${key}` }));
  const pages = await readPages(
    async (after) => Object(await caller.call("type_list", { modelRef: "key:paged", limit: 1, ...after })).answer,
  );
  await table.settle();
  const keys = pages.flatMap(({ body }) => body.items.map(({ key }: Body) => key));
  expect(keys).toEqual(["a4", "a5", "integer", "string", "unused"]);
});

describe("the log before a decision on an absent object", () => {
  test("is read a hundred entries back, however large they are", async () => {
    await world.run("model/import", { content: sceneDocument("wordy") });
    const { table, caller } = newProcess();
    // A use of the type is added, and for long not visible.
    table.arm({ rules: [hideWrites()], pageRows: 3 });
    const use = { entityRef: "key:order", attributeKey: "late", type: "key:unused", optional: true };
    writtenBody(await caller.call("entity_attribute_create", { modelRef: "key:wordy", ...use }));
    for (let i = 0; i < 12; i++) {
      const payload = { modelRef: "key:wordy", entityRef: "key:customer", value: String(9 - (i % 10)).repeat(90_000) };
      writtenBody(await caller.call("entity_update_description", payload));
    }
    const { problem } = await caller.call("type_delete", { modelRef: "key:wordy", typeRef: "key:unused" });
    await table.settle();
    expect(problem?.code).toBe("still_used");
  });

  test("is read as far back for the remaining administrators", async () => {
    const { items } = await world.run("auth/role_list");
    const { id: role } = items.find(({ key }: Body) => key === "admin");
    const other = await someone(world, "other", role);
    const actors = await world.run("auth/actor_list");
    const { id: last } = actors.items.find(({ subject }: { subject: string }) => subject === "admin");
    const { table, caller } = newProcess();
    // One of two administrators loses the role, and for long that is not visible.
    table.arm({ rules: [hideWrites()] });
    const lose = { roleRef: "key:admin" };
    writtenBody(await caller.call("auth/actor_delete_role", { actorId: other.id, ...lose }));
    await world.run("auth/role_create", { key: "wordy", name: "Wordy" });
    for (let i = 0; i < 12; i++) {
      const value = String(9 - (i % 10)).repeat(90_000);
      writtenBody(await caller.call("auth/role_update_description", { roleRef: "key:wordy", value }));
    }
    const { problem } = await caller.call("auth/actor_delete_role", { actorId: last, ...lose });
    await table.settle();
    expect(problem?.code).toBe("last_administrator");
  });
});
