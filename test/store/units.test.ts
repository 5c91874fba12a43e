import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ACTIONS } from "../../shared/actions/catalogue.ts";
import { isWrite } from "../../shared/actions/controls.ts";
import { createWorld, type World } from "../support/world.ts";
import { createFaultSeam, type FaultSeam } from "./support/fault-seam.ts";
import { sceneDocument } from "./support/scene.ts";
import { openTable } from "./support/table.ts";

/** What one call costs: capacity units, and storage calls of which each waited for the one before. */
interface Cost {
  readonly write: number;
  readonly read: number;
  readonly calls: number;
}

interface Budget extends Cost {
  readonly action: string;
  /** What is special about the call. */
  readonly when?: string;
  readonly payload?: object;
  readonly idempotencyKey?: string;
}

/** The caller: actor and roles. */
const CALLER = 2;
/** A model named by key: its summary and its head. */
const MODEL = 2;
/** Asking whether a later commit touched an answer that commits nothing. */
const CONFIRM = 2;
const ONE = CALLER + MODEL + 1;
const TWO = CALLER + MODEL + 2;

const model = { modelRef: "key:crm" };
const type = { ...model, typeRef: "key:string" };
const entity = { ...model, entityRef: "key:customer" };
const attribute = { ...entity, attributeRef: "key:code" };
const newAttribute = { attributeKey: "phone", type: "key:string", optional: true };

/** Every action on models, in the units of `write-path.md`. `calls` counts what is asked one after the other. */
const BUDGETS: readonly Budget[] = [
  { action: "model_create", payload: { key: "new", name: "New" }, write: 8, read: CALLER, calls: 2 },
  { action: "model_list", write: 0, read: CALLER + 1, calls: 2 },
  { action: "model_get", payload: model, write: 0, read: ONE, calls: 3 },
  { action: "model_update_name", payload: { ...model, name: "X" }, write: 6, read: ONE, calls: 4 },
  { action: "model_update_description", payload: { ...model, value: "X" }, write: 4, read: ONE, calls: 4 },
  {
    action: "model_update_documentation_link",
    payload: { ...model, value: "https://x.example/" },
    write: 4,
    read: ONE,
    calls: 4,
  },
  { action: "model_update_authority", payload: { ...model, value: "canonical" }, write: 6, read: ONE, calls: 4 },
  { action: "model_update_key", payload: { ...model, value: "new" }, write: 8, read: ONE, calls: 4 },
  { action: "model_delete", payload: model, write: 8, read: ONE, calls: 4 },
  { action: "model_export", payload: model, write: 0, read: CALLER + MODEL + 1 + CONFIRM, calls: 4 },
  { action: "inspect_models_json", write: 0, read: CALLER + 1 + 1 + 1 + CONFIRM, calls: 5 },
  // 11 objects and 6 ids staged, the record of the staging, a snapshot below 1 kB, a publication with a summary.
  {
    action: "model_copy",
    payload: { ...model, modelNewKey: "new" },
    write: 8 + 1 + 1 + 11 + 6,
    read: CALLER + MODEL + 1 + CONFIRM,
    calls: 7,
  },
  { action: "import", payload: { content: sceneDocument("new") }, write: 8 + 1 + 1 + 11 + 6, read: CALLER, calls: 4 },
  { action: "type_create", payload: { ...model, typeKey: "date" }, write: 6, read: CALLER + MODEL, calls: 3 },
  { action: "type_get", payload: type, write: 0, read: ONE, calls: 3 },
  { action: "type_get", when: "by id", payload: { ...model, typeRef: "id:string" }, write: 0, read: ONE + 1, calls: 4 },
  { action: "type_list", payload: model, write: 0, read: ONE + CONFIRM, calls: 4 },
  { action: "type_update_key", payload: { ...type, value: "text" }, write: 8, read: ONE, calls: 4 },
  { action: "type_update_name", payload: { ...type, value: "X" }, write: 4, read: ONE, calls: 4 },
  { action: "type_update_description", payload: { ...type, value: "X" }, write: 4, read: ONE, calls: 4 },
  // The log once more, and the whole model.
  {
    action: "type_delete",
    payload: { ...model, typeRef: "key:unused" },
    write: 6,
    read: ONE + 1 + 1 + CONFIRM,
    calls: 7,
  },
  { action: "entity_create", payload: { ...model, entityKey: "supplier" }, write: 6, read: CALLER + MODEL, calls: 3 },
  {
    action: "entity_create",
    when: "with an idempotency key",
    payload: { ...model, entityKey: "supplier" },
    idempotencyKey: "k1",
    write: 8,
    read: CALLER + MODEL + 1,
    calls: 4,
  },
  { action: "entity_get", payload: entity, write: 0, read: ONE, calls: 3 },
  {
    action: "entity_get",
    when: "model and entity by id",
    payload: { modelRef: "id:crm", entityRef: "id:customer" },
    write: 0,
    read: ONE,
    calls: 3,
  },
  { action: "entity_list", payload: model, write: 0, read: ONE + CONFIRM, calls: 4 },
  { action: "entity_update_key", payload: { ...entity, value: "client" }, write: 8, read: ONE, calls: 4 },
  { action: "entity_update_name", payload: { ...entity, value: "X" }, write: 4, read: ONE, calls: 4 },
  {
    action: "entity_update_name",
    when: "unchanged",
    payload: { ...entity, value: "Customers" },
    write: 0,
    read: ONE + CONFIRM,
    calls: 4,
  },
  {
    action: "entity_update_name",
    when: "unchanged, with an idempotency key",
    payload: { ...entity, value: "Customers" },
    idempotencyKey: "k2",
    write: 1,
    read: ONE + CONFIRM + 1,
    calls: 6,
  },
  { action: "entity_update_description", payload: { ...entity, value: "X" }, write: 4, read: ONE, calls: 4 },
  {
    action: "entity_update_documentation_link",
    payload: { ...entity, value: "https://x.example/" },
    write: 4,
    read: ONE,
    calls: 4,
  },
  {
    action: "entity_primary_key_update",
    payload: { ...entity, attributeRef: ["key:code", "key:name"] },
    write: 4,
    read: ONE + 2,
    calls: 5,
  },
  { action: "entity_delete", when: "with attributes", payload: entity, write: 8, read: ONE + 2, calls: 6 },
  {
    action: "entity_delete",
    when: "without",
    payload: { ...model, entityRef: "key:empty" },
    write: 6,
    read: ONE + 2,
    calls: 6,
  },
  { action: "entity_attribute_create", payload: { ...entity, ...newAttribute }, write: 4, read: TWO, calls: 5 },
  { action: "entity_attribute_get", payload: attribute, write: 0, read: TWO + CONFIRM, calls: 5 },
  {
    action: "entity_attribute_get",
    when: "by id",
    payload: { ...entity, attributeRef: "id:code" },
    write: 0,
    read: TWO + CONFIRM,
    calls: 5,
  },
  { action: "entity_attribute_list", payload: entity, write: 0, read: TWO + CONFIRM, calls: 5 },
  { action: "entity_attribute_update_key", payload: { ...attribute, value: "number" }, write: 6, read: TWO, calls: 5 },
  { action: "entity_attribute_update_name", payload: { ...attribute, value: "X" }, write: 4, read: TWO, calls: 5 },
  {
    action: "entity_attribute_update_description",
    payload: { ...attribute, value: "X" },
    write: 4,
    read: TWO,
    calls: 5,
  },
  {
    action: "entity_attribute_update_type",
    payload: { ...attribute, value: "key:integer" },
    write: 4,
    read: TWO + 1,
    calls: 6,
  },
  { action: "entity_attribute_update_optional", payload: { ...attribute, value: true }, write: 4, read: TWO, calls: 5 },
  { action: "entity_attribute_delete", payload: attribute, write: 4, read: TWO, calls: 5 },
  {
    action: "entity_attribute_delete",
    when: "in the primary key",
    payload: { ...entity, attributeRef: "key:name" },
    write: 6,
    read: TWO,
    calls: 5,
  },
];

const READS = new Set(["get", "batchGet", "query", "transactGet"]);

let world: World;
let seam: FaultSeam;
let spent = { write: 0, read: 0 };

beforeEach(async () => {
  const table = await openTable((operation, units) => {
    spent[READS.has(operation) ? "read" : "write"] += units;
  });
  seam = createFaultSeam(table.seam);
  world = await createWorld({ seam });
});

/** Replaces `id:<key>` by the id of the object with that key. */
async function withIds(payload: object): Promise<object> {
  const document = await world.run("model/model_export", model);
  const ids = new Map<string, string>([["crm", document.id]]);
  for (const one of [...document.types, ...document.entities]) ids.set(one.key, one.id);
  for (const one of document.entities.flatMap((e: { attributes: object[] }) => e.attributes)) ids.set(one.key, one.id);
  return JSON.parse(JSON.stringify(payload).replaceAll(/"id:([^"]+)"/g, (_, key) => `"id:${ids.get(key)}"`));
}

async function costOf({ action, payload = {}, idempotencyKey }: Budget): Promise<Cost> {
  await world.run("model/import", { content: sceneDocument("crm") });
  const asked = await withIds(payload);
  seam.arm({});
  spent = { write: 0, read: 0 };
  await world.run(`model/${action}`, asked, world.people.admin, idempotencyKey === undefined ? {} : { idempotencyKey });
  return { ...spent, calls: Math.max(...seam.trace.map(({ depth }) => depth)) };
}

describe("what a call costs", () => {
  for (const budget of BUDGETS) {
    const { action, when, write, read, calls } = budget;
    test(`${action}${when ? ` (${when})` : ""}: ${write} write units, ${read} read units, ${calls} calls in a row`, async () => {
      expect(await costOf(budget)).toEqual({ write, read, calls });
    });
  }

  test("does not grow with the model, its log or the number of models", async () => {
    const scene = sceneDocument("crm");
    const types = Array.from({ length: 300 }, (_, i) => ({ key: `t${i}` }));
    await world.run("model/import", { content: { ...scene, types: [...scene.types, ...types] } });
    for (let i = 0; i < 30; i++) await world.run("model/model_create", { key: `other-${i}`, name: "Other" });
    for (let i = 0; i < 30; i++) await world.run("model/entity_update_name", { ...entity, value: `Name ${i}` });
    spent = { write: 0, read: 0 };
    await world.run("model/entity_attribute_create", { ...entity, ...newAttribute });
    expect(spent).toEqual({ write: 4, read: TWO });
  });
});

describe("the budgets", () => {
  let known: Set<string>;
  beforeAll(() => {
    known = new Set(BUDGETS.map(({ action }) => action));
  });

  test("cover every action on models there is", () => {
    expect(ACTIONS.filter((a) => a.group === "model" && !known.has(a.name)).map(({ name }) => name)).toEqual([]);
  });

  test("spend nothing on writing where an action reads", () => {
    const reads = new Set(ACTIONS.filter((a) => !isWrite(a)).map(({ name }) => name));
    expect(BUDGETS.filter(({ action, write }) => reads.has(action) && write > 0)).toEqual([]);
  });
});
