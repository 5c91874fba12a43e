import { describe, expect, test } from "vitest";
import type { Body } from "../support/world.ts";
import { expectFaults, expectProblem, expectWritten, newKey, useWorld } from "./support/checked-world.ts";
import { aTagGroup, type Example, exampleModel, repeatedExample } from "./support/models.ts";
import { findSubject, type UpdateSubject } from "./support/update-subjects.ts";

const world = useWorld();
const example = repeatedExample(world);

interface Creation {
  readonly of: UpdateSubject;
  readonly key: string;
  /** The parameters that a creation needs beside the refs of the owner and the key. */
  readonly needs?: (e: Example) => object;
  /** The members that every object of the kind has in reads, beside id and key. */
  readonly bare: (e: Example) => object;
}

const ROLES = {
  ...{ roleAKey: "a", roleAEntityRef: "key:person", roleACardinality: "one" },
  ...{ roleBKey: "b", roleBEntityRef: "key:order", roleBCardinality: "many" },
};
const typed = { type: "key:string", optional: false };
const bareAttribute = ({ string }: Example) => ({ type: string.byId, optional: false, tags: [] });
const id = expect.any(String);

const CREATIONS: readonly Creation[] = [
  { of: "type", key: "typeKey", bare: () => ({}) },
  { of: "entity", key: "entityKey", bare: () => ({ primaryKey: [], tags: [] }) },
  { of: "entity_attribute", key: "attributeKey", needs: () => typed, bare: bareAttribute },
  { of: "relationship_attribute", key: "attributeKey", needs: () => typed, bare: bareAttribute },
  {
    of: "relationship",
    key: "relationshipKey",
    needs: () => ROLES,
    bare: ({ person, order }) => ({
      roles: [
        { id, key: "a", entity: person.byId, cardinality: "one" },
        { id, key: "b", entity: order.byId, cardinality: "many" },
      ],
      tags: [],
    }),
  },
  {
    of: "business_key",
    key: "key",
    needs: () => ({ entityRef: "key:customer", participants: [] }),
    bare: ({ customer }) => ({ entity: customer.byId, participants: [] }),
  },
  {
    of: "tag_local",
    key: "key",
    bare: ({ model }) => ({ model: { id: model.id, key: model.key }, tagScopeRef: { type: "model", id: model.id } }),
  },
  { of: "tag_group", key: "key", bare: () => ({}) },
  {
    of: "tag_global",
    key: "key",
    needs: ({ privacy }) => ({ groupRef: privacy.ref }),
    bare: ({ privacy: { id, key } }) => ({ group: { id, key }, groupId: id, tagScopeRef: { type: "global" } }),
  },
];

describe.each(CREATIONS)("an object of the kind $of", ({ of, key: keyParameter, needs = () => ({}), bare }) => {
  const { group, read, refs, list, isShared } = findSubject(of);
  const action = (verb: string) => `${group}/${of}_${verb}`;
  const own = (e: Example) => Object.keys(refs(e, "ref")).at(-1) ?? "";
  const ownerOf = (e: Example, by: "ref" | "byId"): Body => {
    const { [own(e)]: _, ...owner } = refs(e, by) as Body;
    return owner;
  };
  const refsTo = ({ privacy }: Example, { id, key }: Body) => [
    of === "tag_global" ? `key:${privacy.key}/${key}` : `key:${key}`,
    `id:${id}`,
  ];
  const payload = (e: Example, key: string, more: object = {}) => ({
    ...{ ...ownerOf(e, "ref"), ...needs(e), [keyParameter]: key },
    ...more,
  });
  const create = async (e: Example, key: string, more: object = {}): Promise<Body> =>
    (await world.ok(action("create"), payload(e, key, more))).body;
  const idsIn = async (e: Example): Promise<readonly string[]> => {
    const [listing = "", place = () => ({})] = list ?? [];
    return (await world.read(listing, place(e, "ref"))).items.map((row: Body) => row.id);
  };

  test("is created, and read by key and by id, with the members that have a value", async () => {
    const e = await example();
    const key = newKey("made");
    const answer = await world.ok(action("create"), payload(e, key));
    const revision = Number(answer.etag?.split("-").at(-1));
    expectWritten(answer, { key, modelId: isShared ? "tags" : e.model.id, revision });
    if (!isShared) expect(revision).toBe(e.revision + 1);
    for (const by of ["ref", "byId"] as const) {
      for (const ref of refsTo(e, answer.body)) {
        const { body, etag } = await world.ok(read, { ...ownerOf(e, by), [own(e)]: ref });
        expect(body).toEqual({ id: answer.body.id, key, ...bare(e) });
        expect(etag).toBe(answer.etag);
      }
    }
    expect(await idsIn(e)).toContain(answer.body.id);
  });

  test("keeps its name and description, and is without them if they are empty", async () => {
    const e = await example();
    const texts = { name: "Named", description: "Any *text*.\n\nOf lines." };
    const { id: named } = await create(e, newKey("named"), texts);
    expect(await world.read(read, { ...ownerOf(e, "ref"), [own(e)]: `id:${named}` })).toMatchObject(texts);
    const { id: plain, key } = await create(e, newKey("plain"), { name: "", description: null });
    const found = await world.read(read, { ...ownerOf(e, "ref"), [own(e)]: `id:${plain}` });
    expect(found).toEqual({ id: plain, key, ...bare(e) });
  });

  test("is refused with a key that another one in its scope has, and nothing is written", async () => {
    const e = await example();
    const { key } = await create(e, newKey("taken"));
    for (const dryRun of [false, true]) {
      const again = () => world.refused(action("create"), payload(e, key), { dryRun });
      expectProblem(await world.keepsEveryByte(again), "key_taken", `key ${key} is already used by another`);
    }
  });

  test("is refused with an illegal key, with its pointer", async () => {
    const e = await example();
    const illegal = ["it's", "é", "x".repeat(129), ...(group === "tag" ? ["a/b", "a b", "a.b", "a#b"] : [])];
    for (const key of illegal) expectFaults(await world.refused(action("create"), payload(e, key)), `/${keyParameter}`);
  });

  if (of !== "tag_group") {
    test("may have a key that one in another scope has", async () => {
      const e = await example();
      const key = newKey("same");
      const { id } = await create(e, key);
      const elsewhere = isShared
        ? { ...e, privacy: await aTagGroup(world) }
        : await exampleModel(world, newKey("elsewhere"));
      expect((await create(elsewhere, key)).id).not.toBe(id);
    });
  }

  test("is deleted by key and by id, found no more, and frees its key", async () => {
    const e = await example();
    const key = newKey("made");
    const ids = new Set<string>();
    for (const by of [0, 1]) {
      const made = await create(e, key);
      ids.add(made.id);
      const answer = await world.ok(action("delete"), { ...ownerOf(e, "ref"), [own(e)]: refsTo(e, made)[by] });
      expectWritten(answer, { key, modelId: isShared ? "tags" : e.model.id, revision: made.revision + 1 });
      expect(answer.body.id).toBe(made.id);
      for (const ref of refsTo(e, made)) {
        for (const gone of [read, action("delete")])
          expectProblem(await world.refused(gone, { ...ownerOf(e, "ref"), [own(e)]: ref }), "not_found", ref);
      }
      expect(await idsIn(e)).not.toContain(made.id);
    }
    expect(ids.size).toBe(2);
  });
});
