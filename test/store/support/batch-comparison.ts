import { Problem } from "../../../shared/domain/problems.ts";
import { checkModel } from "../../../shared/store/fsck/check-model.ts";
import type { Body } from "../../support/world.ts";
import type { FsckWorld } from "./fsck-world.ts";
import { type PlannedEntry, SIDE } from "./random-entries.ts";

/** The payload of an entry for one side: `made` answers how to write the id that an action gave a key. */
export function payloadFor(side: string, { payload }: PlannedEntry, made: (what: string) => string): Body {
  const text = JSON.stringify(payload).replaceAll(SIDE, side);
  return JSON.parse(text, (_, value) => {
    const what = typeof value === "string" ? /^id:\$([a-z_]+ .+)$/.exec(value)?.[1] : undefined;
    return what === undefined ? value : made(what);
  });
}

export const NO_ID = "id:01900000-0000-7000-8000-000000000000";

/** An answer without what two runs of the same cannot have in common. */
export function plain(side: string, answers: unknown): unknown {
  const ids = new Map<string, string>();
  const text = JSON.stringify(answers, (name, value) => (name === "revision" || name === "cursor" ? undefined : value));
  const named = text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g, (id) => {
    if (!ids.has(id)) ids.set(id, `id ${ids.size}`);
    return ids.get(id) ?? "";
  });
  return JSON.parse(named.replaceAll(side, SIDE));
}

export async function attempt(run: () => Promise<Body>): Promise<{ readonly body?: Body; readonly problem?: Problem }> {
  try {
    return { body: await run() };
  } catch (error) {
    if (error instanceof Problem) return { problem: error };
    throw error;
  }
}

/** The models and tag groups of one side that callers can see. */
export async function visible(world: FsckWorld, side: string): Promise<Body> {
  const models: Body[] = [];
  for (const number of [0, 1]) {
    const { body } = await attempt(() => world.run("model/model_export", { modelRef: `key:${side}m${number}` }));
    if (body) models.push(body);
  }
  const groups = await world.run("tag/tag_group_list");
  return { models, groups: groups.items.filter(({ key }: Body) => key.startsWith(side)) };
}

/** Checks logs against items. With `sides`, only of models whose key begins with one of them. */
export async function findings(world: FsckWorld, ...sides: readonly string[]): Promise<readonly unknown[]> {
  const all = [];
  for (const { id, key } of await world.run("model/model_list")) {
    const isAsked = sides.length === 0 || sides.some((side) => key.startsWith(side));
    if (isAsked) all.push(...(await checkModel(world.table, world.runtime, id)));
  }
  return all;
}

/** Makes the same on each side: two models with something of every kind, and tags that both may have. */
export async function prepare(call: FsckWorld["run"], side: string): Promise<void> {
  for (const number of [0, 1]) {
    const modelRef = `key:${side}m${number}`;
    const run = (action: string, payload: object) => call(`model/${action}`, { modelRef, ...payload });
    await call("tag/tag_group_create", { key: `${side}g${number}` });
    await call("tag/tag_global_create", { groupRef: `key:${side}g${number}`, key: "g" });
    await call("model/model_create", { key: `${side}m${number}`, name: "Model" });
    await call("tag/tag_local_create", { modelRef, key: "l" });
    await run("type_create", { typeKey: "t0" });
    for (const entityKey of ["e0", "e1"]) {
      const attribute = { entityRef: `key:${entityKey}`, type: "key:t0", optional: false };
      await run("entity_create", { entityKey });
      await run("entity_attribute_create", { ...attribute, attributeKey: "a0" });
    }
    await run("business_key_create", { key: "b0", entityRef: "key:e0", participants: ["key:a0"] });
    await run("entity_add_tag", { entityRef: "key:e0", tagRef: `key:${side}g0/g` });
    await run("entity_attribute_add_tag", { entityRef: "key:e0", attributeRef: "key:a0", tagRef: "key:l" });
  }
}
