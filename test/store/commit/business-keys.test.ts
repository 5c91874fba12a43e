import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import { toLogEntry } from "../../../shared/store/log/log.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { objectsPartition, SWEEPS } from "../../../shared/store/table/keys.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import { partition } from "../support/check-model.ts";
import { sceneDocument } from "../support/scene.ts";
import { useFaultyWorld } from "../support/scenes.ts";
import { type Caller, type Outcome, writtenBody } from "../support/service-over.ts";

const CRM = { modelRef: "key:crm" };

const faulty = useFaultyWorld();
let caller: Caller;
let other: Caller;
let id: string;
let generation: string;

/** A model with the entities `going` and `staying`, each with the attribute `a`, and `bare` without one. */
beforeEach(async () => {
  ({ caller, quiet: other } = faulty);
  const a = { key: "a", type: "key:string", optional: true };
  const content: ModelDocument = {
    ...{ ...sceneDocument("crm"), tags: [], relationships: [], localTags: [], businessKeys: [] },
    entities: ["going", "staying", "bare"].map((key) => ({
      ...{ key, attributes: key === "bare" ? [] : [a], primaryKey: [] },
    })),
  };
  ({ id } = writtenBody(await other.call("import", { content })));
  const [log] = await partition(faulty.opened.table, `log#${id}`);
  generation = String(log?.generation);
});

const run = async (by: Caller, action: string, payload: object = {}) =>
  writtenBody(await by.call(action, { ...CRM, ...payload }));

const createKey = (by: Caller, key: string, entity: string, participants: readonly string[] = []): Promise<Outcome> =>
  by.call("business_key_create", { ...CRM, key, entityRef: `key:${entity}`, participants });

const deleteEntity = (by: Caller, key: string) => run(by, "entity_delete", { entityRef: `key:${key}` });
const deleteAttribute = (by: Caller) =>
  run(by, "entity_attribute_delete", { entityRef: "key:going", attributeRef: "key:a" });

const beforeCommit = (before: () => Promise<unknown>) =>
  faulty.table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { before } }] });

async function stored(): Promise<ReadonlyMap<string, Item>> {
  const items = await partition(faulty.opened.table, objectsPartition(id, generation));
  return new Map(items.filter(({ sk }) => sk.startsWith("business_key#")).map((item) => [String(item.key), item]));
}

async function listed(): Promise<readonly { readonly key: string; readonly id: string }[]> {
  const { answer, problem } = await other.call("business_key_list", CRM);
  if (!answer) throw problem ?? new Error("no answer");
  return (answer.body as { items: readonly { key: string; id: string }[] }).items;
}

afterEach(() => faulty.expectSound());

test("business keys of more entities than one batch of reads returns are all listed", async () => {
  const keys = Array.from({ length: 102 }, (_, i) => `e${String(i).padStart(3, "0")}`);
  const content: ModelDocument = {
    ...{ ...sceneDocument("many"), tags: [], relationships: [], localTags: [] },
    entities: keys.map((key) => ({ key, attributes: [], primaryKey: [] })),
    businessKeys: keys.map((key) => ({ key, entity: `key:${key}`, participants: [] })),
  };
  writtenBody(await caller.call("import", { content }));
  const { answer } = await caller.call("business_key_list", { modelRef: "key:many" });
  expect((answer?.body as { items: { key: string }[] }).items.map(({ key }) => key)).toEqual(keys);
});

describe("between the reads and the commit", () => {
  test.each([
    ["its entity", "key:going", () => deleteEntity(other, "going")],
    ["its attribute", "key:a", () => deleteAttribute(other)],
  ])("of a new business key, the deletion of %s refuses the key", async (_, gone, deletion) => {
    beforeCommit(deletion);
    const { problem } = await createKey(caller, "late", "going", ["key:a"]);
    expect(problem?.code).toBe("not_found");
    expect(problem?.message).toContain(gone);
    expect(await stored()).toEqual(new Map());
  });

  test.each([
    "going",
    "bare",
  ])("of the deletion of the entity `%s`, a new business key is deleted with it", async (entity) => {
    beforeCommit(async () => writtenBody(await createKey(other, "early", entity)));
    await deleteEntity(caller, entity);
    expect(await listed()).toEqual([]);
    expect(await partition(faulty.opened.table, SWEEPS)).toHaveLength(1);
    await sweep(faulty.opened.table, faulty.clock);
    expect(await stored()).toEqual(new Map());
  });

  test("of the deletion of an attribute, a new business key loses it", async () => {
    beforeCommit(async () => writtenBody(await createKey(other, "key", "going", ["key:a"])));
    await deleteAttribute(caller);
    expect((await stored()).get("key")?.participants).toEqual([]);
  });
});

describe("the key of a business key of a deleted entity", () => {
  test("is reused with its item, and the id of the old one is deleted in the same commit", async () => {
    const { id: gone } = writtenBody(await createKey(caller, "key", "going", ["key:a"]));
    await deleteEntity(caller, "going");
    const { id: made, revision } = writtenBody(await createKey(caller, "key", "staying", ["key:a"]));
    expect((await stored()).get("key")).toMatchObject({ id: made, revision });
    const ids = (await partition(faulty.opened.table, `ids#${id}#${generation}`)).map(({ sk }) => sk);
    expect(ids).toContain(made);
    expect(ids).not.toContain(gone);
    const before = await stored();
    await sweep(faulty.opened.table, faulty.clock);
    expect(await stored()).toEqual(before);
  });

  test("is available too if the sweeper deletes the old one between the reads and the commit", async () => {
    for (const key of ["one", "two"]) writtenBody(await createKey(caller, key, "going"));
    writtenBody(await createKey(caller, "mine", "staying"));
    await deleteEntity(caller, "going");
    beforeCommit(() => sweep(faulty.opened.table, faulty.clock));
    const { id: one } = writtenBody(await createKey(caller, "one", "staying"));
    const { id: two } = await run(caller, "business_key_update_key", { businessKeyRef: "key:mine", value: "two" });
    expect(Object.fromEntries((await listed()).map(({ key, id }) => [key, id]))).toEqual({ one, two });
  });
});

test("the deletion of an attribute logs the business keys that it changed, with their participants before and after", async () => {
  const b = { entityRef: "key:going", attributeKey: "b", type: "key:string", optional: true };
  await run(other, "entity_attribute_create", b);
  const { id: both } = writtenBody(await createKey(other, "both", "going", ["key:b", "key:a"]));
  const { id: only } = writtenBody(await createKey(other, "only", "going", ["key:a"]));
  writtenBody(await createKey(other, "none", "going", ["key:b"]));
  const { id: a } = await deleteAttribute(caller);
  const [newest] = (await partition(faulty.opened.table, `log#${id}`)).slice(-1).map(toLogEntry);
  const changes = newest?.touched ?? [];
  const kinds = changes.map(({ does, kind }) => `${does} ${kind}`);
  expect(kinds).toEqual(["delete attribute", "update business_key", "update business_key"]);
  const changed = new Map(changes.map((change) => [change.id, { before: change.before, after: change.after }]));
  const kept = (await stored()).get("none")?.participants as readonly string[];
  expect(changed.get(both)).toEqual({ before: { participants: [...kept, a] }, after: { participants: kept } });
  expect(changed.get(only)).toEqual({ before: { participants: [a] }, after: { participants: [] } });
});
