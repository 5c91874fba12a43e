import { describe, expect, test } from "vitest";
import { Problem } from "../../../shared/domain/problems.ts";
import { createLedgerChecks } from "../../../shared/store/fsck/ledger-checks.ts";
import { toIdKey, toObjectKey } from "../../../shared/store/table/items.ts";
import { logPartition, objectsPartition, SUMMARIES, summaryKey, TAGS } from "../../../shared/store/table/keys.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { getItem } from "../support/check-model.ts";
import { type FsckWorld, fsckWorld } from "../support/fsck-world.ts";
import { sceneDocument } from "../support/scene.ts";

interface Answer {
  readonly findings: readonly { readonly code: string; readonly mended: boolean }[];
}

const check = (world: FsckWorld, payload: object = {}): Promise<Answer> =>
  world.run("model/maintenance_rebuild_caches", payload);

const codes = ({ findings }: Answer) => findings.map(({ code, mended }) => `${code} ${mended}`).sort();

async function three() {
  const world = await fsckWorld();
  const make = async (key: string): Promise<string> =>
    (await world.run("model/import", { content: sceneDocument(key) })).id;
  return { world, a: await make("a"), b: await make("b"), c: await make("c") };
}

async function objectsOf(world: FsckWorld, id: string): Promise<string> {
  const [entry] = await world.items(logPartition(id));
  return objectsPartition(id, String(entry?.generation));
}

const spoil = async ({ table }: FsckWorld, key: Parameters<typeof getItem>[1], fields: object) =>
  table.batchPut([{ ...(await getItem(table, key)), ...fields }]);

describe("maintenance_rebuild_caches of models", () => {
  test("finds nothing in consistent models, and reports that all were checked", async () => {
    const { world } = await three();
    expect(await check(world)).toEqual({ checked: 3, complete: true, found: 0, findings: [] });
    const one = { checked: 1, complete: true, found: 0, findings: [] };
    expect(await check(world, { modelRef: "key:b", repair: true })).toEqual(one);
  });

  test("reports violations without changes, and repairs them on request", async () => {
    const { world, a, b } = await three();
    const pk = await objectsOf(world, a);
    await world.table.batchDelete([{ pk, sk: "entity#order" }]);
    await spoil(world, { pk, sk: "entity#customer" }, { name: "Somebody else" });
    await spoil(world, { pk: await objectsOf(world, b), sk: "type#string" }, { name: "Another" });
    const expected = { modelId: a, code: "object-missing", place: `${pk} entity#order`, mended: false };
    const found = await check(world);
    expect(found.findings).toHaveLength(3);
    expect(found.findings).toContainEqual({ ...expected, sentence: expect.stringContaining("entity#order") });
    expect(await check(world)).toEqual(found);
    const repaired = await check(world, { modelRef: "key:a", repair: true });
    expect(codes(repaired)).toEqual(["object-differs true", "object-missing true"]);
    expect(codes(await check(world))).toEqual(["object-differs false"]);
    expect(codes(await check(world, { repair: true }))).toEqual(["object-differs true"]);
    expect(await world.codes()).toEqual([]);
    const { name } = await world.run("model/entity_get", { modelRef: "key:a", entityRef: "key:customer" });
    expect(name).toBe("Customers");
  });

  test("repairs a wrong row and the violations that it hid", async () => {
    const { world, a, b } = await three();
    await spoil(world, summaryKey("a"), { id: b });
    expect(codes(await check(world, { modelRef: "key:b", repair: true }))).toEqual(["summary-unexpected true"]);
    // The model has no summary row now, so that its id alone leads to it.
    expect(codes(await check(world, { modelRef: `id:${a}`, repair: true }))).toEqual(["summary-missing true"]);
    expect(await world.codes()).toEqual([]);
  });

  test("reports a broken log as one for a person to decide", async () => {
    const { world, c } = await three();
    for (const value of ["C", "D"]) await world.run("model/model_update_name", { modelRef: "key:c", name: value });
    const [, second] = await world.items(logPartition(c));
    if (!second) throw new Error("there is no second revision");
    await world.table.batchDelete([{ pk: second.pk, sk: second.sk }]);
    const { findings } = await check(world, { modelRef: `id:${c}`, repair: true });
    expect(findings.every(({ code, mended }) => code.startsWith("log-") && !mended)).toBe(true);
    expect(findings.map(({ code }) => code)).toContain("log-gap");
  });

  test("checks the models page by page", async () => {
    const { world } = await three();
    const checks = createLedgerChecks(world.table, world.runtime);
    const ids = (await world.items(SUMMARIES)).map(({ id }) => String(id));
    const inTime = await checks.checkModels(ids, { repair: false, until: world.runtime.now() + 60_000 });
    expect(inTime.map(({ id }) => id)).toEqual(ids);
    // The first one is checked whatever the time is.
    const tooLate = await checks.checkModels(ids, { repair: false, until: world.runtime.now() });
    expect(tooLate.map(({ id }) => id)).toEqual(ids.slice(0, 1));
    expect(await check(world, { limit: 2 })).toEqual({ checked: 2, complete: false, found: 0, findings: [] });
    const cursor = Buffer.from("b").toString("base64url");
    expect(await check(world, { cursor })).toEqual({ checked: 1, complete: true, found: 0, findings: [] });
  });

  test("keeps its results when the time ends within a later model", async () => {
    const { world, a, b } = await three();
    const late: Table = {
      ...world.table,
      query: async (range) => {
        if (range.pk === logPartition(b)) throw new Problem("out_of_time", "the call ran out of time; try again");
        return world.table.query(range);
      },
    };
    const checks = createLedgerChecks(late, world.runtime);
    const options = { repair: false, until: Number.POSITIVE_INFINITY };
    expect((await checks.checkModels([a, b], options)).map(({ id }) => id)).toEqual([a]);
    await expect(checks.checkModels([b], options)).rejects.toMatchObject({ code: "out_of_time" });
  });

  test("lists some of very many violations, and counts them all", async () => {
    const world = await fsckWorld();
    const types = Array.from({ length: 1_100 }, (_, i) => ({ key: `t${i}` }));
    const scene = sceneDocument("many");
    const { id } = await world.run("model/import", { content: { ...scene, types: [...scene.types, ...types] } });
    const pk = await objectsOf(world, id);
    for (let i = 0; i < types.length; i += 25)
      await world.table.batchDelete(types.slice(i, i + 25).map(({ key }) => ({ pk, sk: `type#${key}` })));
    const answer = await check(world);
    expect(answer).toMatchObject({ found: 1_100 });
    expect(answer.findings).toHaveLength(1_000);
  });

  test("reports an unknown model", async () => {
    const { world } = await three();
    const id = world.runtime.newId();
    for (const modelRef of ["key:none", `id:${id}`]) {
      const refusal = { code: "not_found", message: `no model ${modelRef}` };
      await expect(check(world, { modelRef })).rejects.toMatchObject(refusal);
    }
  });
});

describe("maintenance_rebuild_caches of tags", () => {
  test("finds nothing without tags", async () => {
    const world = await fsckWorld();
    expect(await world.run("tag/maintenance_rebuild_caches")).toEqual({ found: 0, findings: [] });
  });

  test("reports violations of groups and global tags, and repairs them on request", async () => {
    const world = await fsckWorld();
    const group = await world.run("tag/tag_group_create", { key: "privacy" });
    const tag = await world.run("tag/tag_global_create", { groupRef: "key:privacy", key: "personal" });
    expect(await world.run("tag/maintenance_rebuild_caches")).toEqual({ found: 0, findings: [] });
    const object = { kind: "global_tag", key: "personal", owner: group.id, id: tag.id, revision: 2 } as const;
    await spoil(world, toObjectKey(TAGS, object), { key: "public" });
    await world.table.batchDelete([toIdKey(TAGS, group.id)]);
    const call = (payload: object): Promise<Answer> => world.run("tag/maintenance_rebuild_caches", payload);
    expect(codes(await call({}))).toEqual(["id-missing false", "object-differs false"]);
    expect(codes(await call({ repair: true }))).toEqual(["id-missing true", "object-differs true"]);
    expect(codes(await call({ repair: true }))).toEqual([]);
    expect(await world.codes()).toEqual([]);
  });
});
