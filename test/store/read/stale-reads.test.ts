import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scatterWrites } from "../support/fault-plan.ts";
import { sceneDocument } from "../support/scene.ts";
import { useFaultyWorld } from "../support/scenes.ts";
import { writtenBody } from "../support/service-over.ts";

const faulty = useFaultyWorld();

beforeEach(async () => writtenBody(await faulty.caller.call("import", { content: sceneDocument("crm") })));

afterEach(async () => {
  await faulty.table.settle();
  await faulty.expectSound();
});

/** The transaction stays invisible, but for its log entry, until the plan ends. */
const invisible = scatterWrites(1, 100_000, true);

const write = async (name: string, payload: object) =>
  writtenBody(await faulty.caller.call(name, { modelRef: "key:crm", ...payload }));

async function sixMore() {
  for (let i = 0; i < 6; i++) await write("type_create", { typeKey: `t${i}` });
}

describe("a write that read an object of many commits ago", () => {
  const customer = { entityRef: "key:customer" };

  /** Renames the entity, which shows only after it was read once more. */
  async function renameUnseen() {
    faulty.table.arm({ rules: [invisible] });
    await write("entity_update_name", { ...customer, value: "Clients" });
    await sixMore();
    const read = { operation: "get", key: /\|entity#customer$/ } as const;
    faulty.table.arm({ rules: [{ match: read, do: { after: () => faulty.table.settle() } }] });
  }

  test("does not undo later changes", async () => {
    await renameUnseen();
    await write("entity_update_description", { ...customer, value: "Whoever buys." });
    const { body } = (await faulty.caller.call("entity_get", { modelRef: "key:crm", ...customer })).answer ?? {};
    expect(body).toMatchObject({ name: "Clients", description: "Whoever buys." });
  });

  test("does not delete it at another revision than that of the log", async () => {
    await renameUnseen();
    await write("entity_delete", customer);
  });
});

describe("a change that is in the log and not visible yet", () => {
  /** Four commits: an object is made, one deleted, one given another key, and one another name. */
  const CHANGES: readonly (readonly [string, object])[] = [
    ["entity_create", { entityKey: "supplier" }],
    ["type_delete", { typeRef: "key:unused" }],
    ["entity_update_key", { entityRef: "key:order", value: "purchase" }],
    ["entity_update_name", { entityRef: "key:customer", value: "Clients" }],
  ];
  const READS: readonly (readonly [string, object])[] = [
    ["entity_get", { entityRef: "key:supplier" }],
    ["type_get", { typeRef: "key:unused" }],
    ["entity_get", { entityRef: "key:order" }],
    ["entity_get", { entityRef: "key:purchase" }],
    ["entity_get", { entityRef: "key:customer" }],
    ["entity_list", {}],
    ["entity_list", { limit: 2 }],
    ["type_list", {}],
    ["model_export", {}],
  ];

  test("is seen by every read once the writer was answered", async () => {
    faulty.table.arm({ rules: [{ ...invisible, times: CHANGES.length }] });
    for (const [name, payload] of CHANGES) await write(name, payload);
    for (const [name, payload] of READS) {
      const said = await faulty.caller.call(name, { modelRef: "key:crm", ...payload });
      const right = await faulty.quiet.call(name, { modelRef: "key:crm", ...payload });
      expect(said.answer, `${name} ${JSON.stringify(payload)}`).toEqual(right.answer);
      expect(said.problem?.code).toBe(right.problem?.code);
    }
    expect(faulty.table.hides).toBe(true);
  });

  test("is found by its id under its new key", async () => {
    const { answer: before } = await faulty.caller.call("type_get", { modelRef: "key:crm", typeRef: "key:unused" });
    const typeRef = `id:${(before?.body as { id: string }).id}`;
    faulty.table.arm({ rules: [invisible] });
    await write("type_update_key", { typeRef, value: "used" });
    const { answer } = await faulty.caller.call("type_get", { modelRef: "key:crm", typeRef });
    expect(answer?.body).toMatchObject({ key: "used" });
  });

  test("is answered, and left to the sweeper if its owner is deleted", async () => {
    faulty.table.arm({ rules: [invisible] });
    const empty = { entityRef: "key:empty" };
    await write("entity_attribute_create", { ...empty, attributeKey: "late", type: "key:string", optional: true });
    await sixMore();
    const { answer } = await faulty.caller.call("entity_delete", { modelRef: "key:crm", ...empty });
    expect(answer?.body).toMatchObject({ removed: { count: 1, items: [{ kind: "attribute", key: "late" }] } });
  });
});
