import { beforeAll, describe, expect, test } from "vitest";
import { LISTED } from "../actions/support/calls.ts";
import { type Checked, expectFaults, newKey, readPages, useWorld } from "../actions/support/checked-world.ts";
import { aModel, anAttribute, anEntity, aType, exampleModel, type Made, RUN } from "../actions/support/models.ts";
import { PASSWORD } from "../support/accounts.ts";
import { ACTIONS } from "../support/actions.ts";

const world = useWorld();

const ROWS = 25;
/** Keys in an order of their own, some of which are beginnings of others. */
const KEYS = Array.from({ length: ROWS }, (_, i) => "x".repeat(i % 3) + String.fromCharCode(65 + ((i * 7) % 25)));
const SORTED = [...KEYS].sort((a, b) => (a < b ? -1 : 1));

/** A model that holds 25 of everything, with others around it that hold the same keys. */
async function full(): Promise<Place> {
  const model = await aModel(world);
  for (const key of KEYS) await aType(world, model, key);
  for (const key of KEYS) await anEntity(world, model, key);
  const type = await aType(world, model, KEYS[0] + " more");
  await world.ok("model/type_delete", { modelRef: model.ref, typeRef: type.ref });
  const [entity, other] = [await anEntity(world, model, "~1"), await anEntity(world, model, "~2")];
  const typed = await aType(world, model, "~");
  for (const key of KEYS) await anAttribute(world, { model, entity, type: typed }, key);
  await anAttribute(world, { model, entity: other, type: typed }, KEYS[3]);
  await world.ok("model/entity_delete", { modelRef: model.ref, entityRef: other.ref });
  await world.ok("model/entity_update_key", { modelRef: model.ref, entityRef: entity.ref, value: "~" });
  return { model, entity: { ...entity, key: "~", ref: "key:~" } };
}

let made: ReturnType<typeof full> | undefined;

type Place = Readonly<Record<"model" | "entity", Made>>;
const inModel = ({ model }: Place) => ({ modelRef: model.ref });
const inEntity = ({ model, entity }: Place) => ({ modelRef: model.ref, entityRef: entity.ref });

const LISTS = [
  { action: "model/type_list", all: [...SORTED, "~"], refs: inModel },
  { action: "model/entity_list", all: [...SORTED, "~"], refs: inModel },
  { action: "model/entity_attribute_list", all: KEYS, refs: inEntity },
  { action: "model/entity_attribute_list", all: SORTED, refs: (at: Place) => ({ ...inEntity(at), sort: "key" }) },
];

const keysOf = ({ body }: Checked): readonly string[] =>
  (Array.isArray(body) ? body : body.items).map((row: { key: string }) => row.key);

async function walk(action: string, payload: object, limit: number): Promise<readonly (readonly string[])[]> {
  return (await readPages((after) => world.ok(action, { ...payload, limit, ...after }))).map(keysOf);
}

describe.each(LISTS)("$action of 25 rows, the first of them $all.0", ({ action, all, refs }) => {
  const payload = async () => {
    made ??= full();
    return refs(await made);
  };

  test("answers all of them without a limit, with no next page", async () => {
    const answer = await world.ok(action, await payload());
    expect(keysOf(answer)).toEqual(all);
    expect(answer).not.toHaveProperty("next");
  });

  test.each([1, 7, 24, 25, 26, 27, 1000])("answers each row once, in order, in pages of %i", async (limit) => {
    const pages = await walk(action, await payload(), limit);
    expect(pages.flat()).toEqual(all);
    expect(pages).toHaveLength(Math.ceil(all.length / limit));
    for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
  });

  test("continues from a cursor to the end without a limit", async () => {
    const first = await world.ok(action, { ...(await payload()), limit: 10 });
    const rest = await world.ok(action, { ...(await payload()), cursor: first.next });
    expect([...keysOf(first), ...keysOf(rest)]).toEqual(all);
  });

  test.each([0, -1, 1.5, 1001, "7", true, []])("refuses the limit %j", async (limit) => {
    expectFaults(await world.refused(action, { ...(await payload()), limit }), "/limit");
  });

  test.each(["!", "a", "QQ==", "Q Q", "____", "x".repeat(401), 7])("refuses the cursor %j", async (cursor) => {
    expectFaults(await world.refused(action, { ...(await payload()), limit: 5, cursor }), "/cursor");
  });
});

describe("every list that has pages", () => {
  const FEW_ROWS = 3;
  /** A part of a document, a finding or an entry for each page; jobs need time, and this instance has nothing to repair. */
  const EMPTY = new Set(["batch/job_list", "model/maintenance_rebuild_caches"]);
  const PAGED = LISTED.filter(({ action }) => "cursor" in action.input);
  const FILTERED: Readonly<Record<string, object>> = {
    "auth/audit_list": { act: "auth/user_create" },
    "auth/token_list": { all: true },
    "auth/session_list": { actorRef: "key:grace" },
  };

  beforeAll(async () => {
    await exampleModel(world);
    for (let i = 0; i < FEW_ROWS; i++) {
      await world.ok("model/model_release", { modelRef: "key:crm", version: `1.0.${i}` }, { run: RUN });
      await world.ok("model/run_begin", { title: "Another" });
      await world.ok("model/model_delete", { modelRef: (await aModel(world)).ref });
      await world.ok("auth/login", { username: "grace", password: PASSWORD });
    }
    for (const action of ACTIONS.filter(({ name }) => name.endsWith("_create"))) {
      const [member = ""] = Object.keys(action.example).filter((one) => /^(key|username|\w+Key)$/.test(one));
      for (let i = 0; i < FEW_ROWS; i++) {
        const payload = { ...action.example, ...(member !== "" && { [member]: newKey("row") }) };
        // Some examples belong together and exist once.
        await world.answer(`${action.group}/${action.name}`, payload).catch(() => undefined);
      }
    }
  });

  test.each(PAGED)("$path answers each row once in pages of one row, and ends", async ({ path, action }) => {
    const payload = FILTERED[path] ?? action.example;
    const rowsIn = ({ body }: Checked): readonly object[] =>
      Array.isArray(body) ? body : (body.items ?? body.findings);
    const all = rowsIn(await world.ok(path, payload));
    if (!EMPTY.has(path)) expect(all.length).toBeGreaterThanOrEqual(FEW_ROWS);
    const pages = (await readPages((after) => world.ok(path, { ...payload, limit: 1, ...after }))).map(rowsIn);
    for (const rows of pages) expect(rows.length).toBeLessThanOrEqual(1);
    expect(pages.flat()).toEqual(all);
  });
});

test("a page after a change of the list continues after a deleted row, and includes a new one behind the cursor", async () => {
  const model = await aModel(world);
  for (const key of ["a", "b", "d"]) await aType(world, model, key);
  const first = await world.ok("model/type_list", { modelRef: model.ref, limit: 2 });
  await world.ok("model/type_delete", { modelRef: model.ref, typeRef: "key:b" });
  await aType(world, model, "c");
  const second = await world.ok("model/type_list", { modelRef: model.ref, limit: 2, cursor: first.next });
  expect(keysOf(second)).toEqual(["c", "d"]);
  expect(second).not.toHaveProperty("next");
});
