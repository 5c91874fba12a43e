import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { Permission } from "../../shared/domain/permissions.ts";
import { mintToken } from "../../shared/identity/tokens/mint-token.ts";
import { logKey, ROLES } from "../../shared/store/table/keys.ts";
import { parseRolesItem, toRolePermissions, toRolesItem } from "../../shared/store/table/roles-item.ts";
import { writePerson } from "../support/accounts.ts";
import { ISSUER } from "../support/issuer.ts";
import { realRuntime } from "../support/runtime.ts";
import type { Body, World } from "../support/world.ts";
import { expectProblem, newKey, useWorld } from "./support/checked-world.ts";
import { aGlobalTag, aTagGroup } from "./support/models.ts";

/** The token of a new actor with exactly these permissions, through a new role. */
async function callerWith({ table, keys }: World, permissions: readonly Permission[]): Promise<string> {
  const runtime = realRuntime;
  const name = newKey("caller");
  const createdAt = new Date(runtime.now()).toISOString();
  const role = { id: runtime.newId(), key: name, permissions };
  const before = await table.get(ROLES);
  const put = toRolesItem([...parseRolesItem(before), toRolePermissions(role)], Number(before?.revision));
  await table.write({ put, expect: { anything: true } });
  await writePerson(table, { username: name, id: runtime.newId(), fullname: name, roles: [role.id], createdAt });
  const bearer = { username: name, fullname: name, tokenEpoch: 1 };
  return (await mintToken(bearer, { keys, issuer: ISSUER, audience: "metaction", runtime })).access_token;
}

const world = useWorld();

/** A document that marks its model with all these tags and an attribute with the first of them. */
function marked(tagGroups: readonly { readonly key: string; readonly tags: readonly { readonly key: string }[] }[]) {
  const refs = tagGroups.flatMap((g) => g.tags.map((t) => `key:${g.key}/${t.key}`));
  const attribute = { key: "a", type: "key:string", optional: false, tags: refs.slice(0, 1) };
  return {
    ...{ $schema: "urn:metaction:model:1", key: newKey("doc"), name: "Marked", version: "1.0.0", authority: "system" },
    ...{ tags: refs, types: [{ key: "string" }], tagGroups },
    entities: [{ key: "e", attributes: [attribute], primaryKey: [] }],
  };
}

const exported = (key: string): Promise<Body> => world.read("model/model_export", { modelRef: `key:${key}` });
const groupKeys = async () => (await world.read("tag/tag_group_list")).items.map((g: Body) => g.key);
const tagsRevision = async (): Promise<number> => {
  for (let revision = 1; ; revision++) if (!(await world.table.get(logKey("tags", revision)))) return revision - 1;
};

describe("an imported document with global tags", () => {
  test("is linked to existing tags of the same keys, and creates none", async () => {
    const group = await aTagGroup(world);
    const [a, b] = [await aGlobalTag(world, group, "a"), await aGlobalTag(world, group, "b")];
    await aGlobalTag(world, group, "c");
    const before = await tagsRevision();
    const content = marked([{ key: group.key, tags: [{ key: "b" }, { key: "a" }] }]);
    const { body } = await world.ok("model/import", { content });
    expect(body).toMatchObject({ warnings: [], counts: { globalTags: 0 } });
    const document = await exported(content.key);
    expect(document.tags).toEqual([`key:${group.key}/a`, `key:${group.key}/b`]);
    expect(document.entities[0].attributes[0].tags).toEqual([`key:${group.key}/b`]);
    const tags = [a, b].map(({ id, key }) => ({ id, key }));
    expect(document.tagGroups).toEqual([{ id: group.id, key: group.key, tags }]);
    expect(await tagsRevision()).toBe(before);
    expect(await world.table.get(logKey(body.id, 1))).toMatchObject({ tags: before });
  });

  test("creates the missing groups and tags in the same commit", async () => {
    const group = await aTagGroup(world);
    const fresh = newKey("fresh");
    const content = marked([
      { key: fresh, tags: [{ key: "x", name: "X", description: "An x." } as { key: string }, { key: "y" }] },
      { key: group.key, tags: [{ key: "z" }] },
    ]);
    const before = await tagsRevision();
    const { body } = await world.ok("model/import", { content });
    expect(body).toMatchObject({ warnings: [], counts: { globalTags: 4 } });
    const document = await exported(content.key);
    expect(document.tags).toEqual([`key:${fresh}/x`, `key:${fresh}/y`, `key:${group.key}/z`].sort());
    expect(document.tagGroups.find((g: Body) => g.key === fresh)).toMatchObject({
      tags: [{ key: "x", name: "X", description: "An x." }, { key: "y" }],
    });
    expect(await world.read("tag/tag_global_get", { tagRef: `key:${fresh}/x` })).toMatchObject({ name: "X" });
    expect(await tagsRevision()).toBe(before + 1);
    expect(await world.table.get(logKey("tags", before + 1))).toMatchObject({ actions: ["model/import"] });
    // The first revision of the model sees the tags that came with it.
    expect(await world.table.get(logKey(body.id, 1))).toMatchObject({ tags: before + 1 });
    expect((await world.ok("model/import", { content, modelKey: newKey() })).body.counts.globalTags).toBe(0);
  });

  test("is imported without links for callers without the permissions, with a warning for each tag; an import by others links them", async () => {
    const group = await aTagGroup(world);
    await aGlobalTag(world, group, "here");
    const fresh = newKey("fresh");
    const content = marked([
      { key: group.key, tags: [{ key: "here" }, { key: "missing" }] },
      { key: fresh, tags: [{ key: "x" }] },
    ]);
    const caller = await callerWith(world, ["model_import"]);
    const before = await tagsRevision();
    const payload = { content, source: "tagged" };
    const { body } = await world.okAs(caller, "model/import", payload);
    expect(body.counts.globalTags).toBe(0);
    const warning = (pointer: string, tag: string, permissions: string) => {
      const detail = `tag ${tag} does not exist, and creating it requires ${permissions}; its links are not imported`;
      return { code: "not_carried_over", count: 1, pointers: [pointer], detail };
    };
    expect(body.warnings).toEqual([
      warning("/tagGroups/0/tags/1", `${group.key}/missing`, "tag_global_manage"),
      warning("/tagGroups/1/tags/0", `${fresh}/x`, "tag_group_manage and tag_global_manage"),
    ]);
    expect((await exported(content.key)).tags).toEqual([`key:${group.key}/here`]);
    expect(await tagsRevision()).toBe(before);
    await world.ok("model/import", { ...payload, into: `id:${body.id}` });
    const { tags, entities } = await exported(content.key);
    expect([tags, entities[0].attributes[0].tags]).toEqual([content.tags.toSorted(), content.tags.slice(0, 1)]);
  });

  test.each([
    [["tag_global_manage"], ["/tagGroups/1/tags/0"], 1],
    [["tag_group_manage"], ["/tagGroups/0/tags/0", "/tagGroups/1/tags/0"], 0],
    [["tag_local_manage"], ["/tagGroups/0/tags/0", "/tagGroups/1/tags/0"], 0],
    [["tag_global_manage", "tag_group_manage"], [], 3],
  ] as const)("with %j creates what that permits", async (permissions, warned, count) => {
    const group = await aTagGroup(world);
    const fresh = newKey("fresh");
    const content = marked([group.key, fresh].map((key) => ({ key, tags: [{ key: "t" }] })));
    const caller = await callerWith(world, ["model_import", ...permissions]);
    const { body } = await world.okAs(caller, "model/import", { content });
    expect(body.warnings.flatMap((w: Body) => w.pointers)).toEqual(warned);
    expect(body.counts.globalTags).toBe(count);
    expect((await groupKeys()).includes(fresh)).toBe(count === 3);
  });

  test("warns about tags without links, and about tags with another name here", async () => {
    const group = await aTagGroup(world);
    await aGlobalTag(world, group, "here");
    const content = marked([{ key: group.key, tags: [{ key: "here" }] }]);
    const tagGroups = [
      { key: group.key, name: "Theirs", tags: [{ key: "here", name: "Also theirs" }, { key: "idle" }] },
      { key: newKey("idle"), tags: [] },
    ];
    const { body } = await world.ok("model/import", { content: { ...content, tagGroups } });
    const pointers = ["/tagGroups/0", "/tagGroups/0/tags/0", "/tagGroups/0/tags/1"];
    expect(body.warnings.flatMap((w: Body) => w.pointers)).toEqual(pointers);
    expect((await exported(content.key)).tagGroups[0]).not.toHaveProperty("name");
    expect(await groupKeys()).not.toContain(tagGroups[1]?.key);
  });

  test("counts equal warnings in one row, with the first of their pointers", async () => {
    const idle = Array.from({ length: 105 }, (_, i) => ({ key: `t${i}` }));
    const content = { ...marked([]), tagGroups: [{ key: newKey("idle"), tags: idle }] };
    const { body } = await world.ok("model/import", { content });
    const detail = "the tag is not attached to anything in the document; it is not imported";
    const pointers = Array.from({ length: LIMITS.warningPointers }, (_, i) => `/tagGroups/0/tags/${i}`);
    expect(body.warnings).toEqual([{ code: "not_carried_over", detail, count: idle.length, pointers }]);
  });

  test("creates at most importedGlobalTags groups and tags, in one transaction with everything else", async () => {
    const tags = (count: number) => Array.from({ length: count }, (_, i) => ({ key: `t${i}` }));
    const most = marked([{ key: newKey("full"), tags: tags(LIMITS.importedGlobalTags - 1) }]);
    const { body } = await world.ok("model/import", { content: most }, { idempotencyKey: newKey("once") });
    expect(body.counts.globalTags).toBe(LIMITS.importedGlobalTags);
    expect((await exported(most.key)).tags).toHaveLength(LIMITS.importedGlobalTags - 1);
    const over = marked([{ key: newKey("full"), tags: tags(LIMITS.importedGlobalTags) }]);
    const problem = await world.writesNothing(() => world.refused("model/import", { content: over }));
    expectProblem(problem, "too_large", `one import may create at most ${LIMITS.importedGlobalTags}`);
  });

  test("is too large if the texts of its tags do not fit one transaction, and leaves nothing behind", async () => {
    const long = "x".repeat(LIMITS.descriptionBytes);
    const count = Math.ceil(LIMITS.transactionBytes / LIMITS.descriptionBytes);
    const tags = Array.from({ length: count }, (_, i) => ({ key: `t${i}`, description: long }));
    const fresh = newKey("long");
    expect((await world.refused("model/import", { content: marked([{ key: fresh, tags }]) })).code).toBe("too_large");
    expect(await groupKeys()).not.toContain(fresh);
  });

  test("shares a tag with a concurrent import that creates it", async () => {
    const fresh = newKey("fresh");
    const contents = Array.from({ length: 4 }, () => marked([{ key: fresh, tags: [{ key: "x" }] }]));
    const answers = await Promise.all(contents.map((content) => world.ok("model/import", { content })));
    expect(answers.map(({ body }) => body.counts.globalTags).toSorted()).toEqual([0, 0, 0, 2]);
    const ids = await Promise.all(contents.map(async ({ key }) => (await exported(key)).tagGroups[0].tags[0].id));
    expect(new Set(ids).size).toBe(1);
    expect((await groupKeys()).filter((key: string) => key === fresh)).toHaveLength(1);
  });
});
