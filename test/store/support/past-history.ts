import { expect } from "vitest";
import { Problem } from "../../../shared/domain/problems.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { ambientAt } from "../../support/ambient.ts";
import type { Chance } from "../../support/chance.ts";
import { freshTable } from "../../support/table.ts";
import { type Body, createWorld, type World } from "../../support/world.ts";
import { randomEntries, SIDE } from "./random-entries.ts";

/** The answer of an export while a revision was the newest. */
export interface Taken {
  readonly text: string;
  readonly etag: string | undefined;
}

/** One model and everything that was seen of it. */
export interface Seen {
  readonly id: string;
  /** The exports of the model, by revision. */
  readonly exports: Map<number, Taken>;
  /** The revision of every release. */
  readonly releases: Map<string, number>;
  /** The last revision of the model, once it is deleted. */
  gone?: number;
}

/** A random history on a table of its own, with all that was exported on the way. */
export interface PastHistory {
  readonly world: World;
  readonly ambient: ReturnType<typeof ambientAt>;
  readonly models: Map<string, Seen>;
  /** Does some random calls, and exports every model after each commit. */
  go(calls: number): Promise<void>;
  /** Runs an action; the answer's body, or undefined where it was refused. */
  attempt(action: string, payload: object): Promise<Body | undefined>;
  sweep(): Promise<void>;
}

const NO_ID = "id:01900000-0000-7000-8000-000000000000";

export async function pastHistory(chance: Chance): Promise<PastHistory> {
  const ambient = ambientAt(new Date().toISOString());
  const table = await freshTable();
  const world = await createWorld({ table, ambient });
  const models = new Map<string, Seen>();
  const made = new Map<string, string>();
  let released = 0;

  const attempt = async (action: string, payload: object): Promise<Body | undefined> => {
    try {
      const body = await world.run(action, payload);
      await look();
      return body;
    } catch (error) {
      if (error instanceof Problem && error.code !== "internal") return undefined;
      throw error;
    }
  };

  /** Exports the models that have changed since the last look. */
  const look = async (): Promise<void> => {
    const here = new Set<string>();
    for (const { id } of await world.run("model/model_list")) {
      here.add(id);
      const seen = models.get(id) ?? { id, exports: new Map(), releases: new Map() };
      models.set(id, seen);
      const { revision, version } = await world.run("model/model_get", { modelRef: `id:${id}` });
      if (seen.exports.has(revision)) continue;
      const { body, etag } = await world.answer("model/model_export", { modelRef: `id:${id}` });
      seen.exports.set(revision, { text: JSON.stringify(body), etag });
      if (!seen.releases.has(version)) seen.releases.set(version, revision);
    }
    for (const seen of models.values()) {
      if (!here.has(seen.id)) seen.gone ??= Math.max(...seen.exports.keys()) + 1;
    }
  };

  /** A planned payload with the ids of what was made. */
  const payloadOf = (payload: object): Body => {
    const text = JSON.stringify(payload).replaceAll(SIDE, "");
    return JSON.parse(text, (_, value) => {
      const what = typeof value === "string" ? /^id:\$([a-z_]+ .+)$/.exec(value)?.[1] : undefined;
      if (what !== undefined) return made.has(what) ? `id:${made.get(what)}` : NO_ID;
      return typeof value === "string" ? value.replaceAll("$$", "$") : value;
    });
  };

  const random = async (): Promise<void> => {
    // Most calls that are planned so are refused.
    for (const entry of randomEntries(chance, 4)) {
      const body = await attempt(`${entry.group}/${entry.action}`, payloadOf(entry.payload));
      if (body?.id && body.key) made.set(`${entry.action} ${body.key}`, body.id);
      if (body?.changed) return;
    }
  };

  const batch = async (): Promise<void> => {
    const entries = randomEntries(chance, 2 + chance.below(3));
    const actions = entries.map(({ group, action, payload }) => ({ group, action, payload: payloadOf(payload) }));
    await attempt("batch/batch_run", { actions });
  };

  const someModel = (): Seen | undefined => {
    const living = [...models.values()].filter(({ gone }) => gone === undefined);
    return living.length > 0 ? chance.pick(living) : undefined;
  };

  const release = async (): Promise<void> => {
    const model = someModel();
    if (!model) return;
    released += 1;
    await attempt("model/model_release", { modelRef: `id:${model.id}`, value: `${released}.${chance.below(3)}.0` });
  };

  const restore = async (): Promise<void> => {
    const model = someModel();
    if (model) await expectRestored(world, model, chance.pick([...model.exports.keys()]), attempt);
  };

  const history: PastHistory = {
    world,
    ambient,
    models,
    attempt,
    sweep: async () => {
      await sweep(table, ambient);
    },
    go: async (calls) => {
      for (let i = 0; i < calls; i++) {
        ambient.advance(1_000);
        const what = chance.weighted([
          [random, 80],
          [batch, 8],
          [release, 5],
          [restore, 4],
          [history.sweep, 3],
        ]);
        await what();
      }
    },
  };
  await prepare(attempt);
  return history;
}

/** Something of every kind, so that random calls find something. */
async function prepare(attempt: PastHistory["attempt"]): Promise<void> {
  for (const key of ["g0", "g1"]) {
    await attempt("tag/tag_group_create", { key });
    await attempt("tag/tag_global_create", { groupRef: `key:${key}`, key: "g" });
  }
  const modelRef = "key:m0";
  await attempt("model/model_create", { key: "m0", name: "Model" });
  await attempt("tag/tag_local_create", { modelRef, key: "l" });
  await attempt("model/type_create", { modelRef, typeKey: "t0" });
  for (const entityKey of ["e0", "e1"]) {
    await attempt("model/entity_create", { modelRef, entityKey });
    const attribute = { entityRef: `key:${entityKey}`, attributeKey: "a0", type: "key:t0", optional: false };
    await attempt("model/entity_attribute_create", { modelRef, ...attribute });
  }
  await attempt("model/entity_add_tag", { modelRef, entityRef: "key:e0", tagRef: "key:g0/g" });
}

/** Brings a model back, and expects the export it had then but for the head's own fields. */
async function expectRestored(
  world: World,
  { id, exports }: Seen,
  revision: number,
  attempt: PastHistory["attempt"],
): Promise<void> {
  const then = exports.get(revision);
  const payload = { modelRef: `id:${id}`, revision };
  const before = await world.run("model/model_get", { modelRef: `id:${id}` });
  const dry = await world.run("model/model_restore", payload, world.people.admin, { dryRun: true });
  const answer = await attempt("model/model_restore", payload);
  if (!answer || !then) throw new Error(`the model ${id} was not restored to ${revision}`);
  expect({ ...dry, dryRun: undefined, changes: undefined }).toEqual(answer);
  const { body, etag }: { body: Body; etag?: string } = await world.answer("model/model_export", {
    modelRef: `id:${id}`,
  });
  const wanted = JSON.parse(then.text);
  const keyStays = answer.losses.some(({ detail }: { detail: string }) => detail.startsWith("the key stays"));
  expect(body.version).toBe(before.version);
  expect(answer.key).toBe(body.key);
  if (keyStays) expect(body.key).toBe(before.key);
  const head = { version: body.version, ...(keyStays && { key: body.key }) };
  // Global tags are not the model's: they are as they are now.
  const sameTags = then.etag?.split(".")[1] === etag?.split(".")[1];
  const shown = (document: Body): string => JSON.stringify(sameTags ? document : withoutGlobals(document));
  expect(shown(body)).toBe(shown({ ...wanted, ...head }));
  expect(answer.losses.some(({ detail }: { detail: string }) => detail.includes("version stays"))).toBe(
    wanted.version !== before.version,
  );
}

function withoutGlobals(document: Body): Body {
  const isLocal = (tag: unknown): boolean => typeof tag === "string" && !tag.includes("/");
  return JSON.parse(JSON.stringify(document), (name, value) => {
    if (name === "tagGroups") return [];
    if (name !== "tags" || !Array.isArray(value)) return value;
    const local = value.filter(isLocal);
    return local.length > 0 ? local : undefined;
  });
}
