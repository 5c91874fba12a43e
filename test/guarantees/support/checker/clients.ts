import type { Action } from "../../../../shared/actions/contract/action.ts";
import { listAddressedKinds } from "../../../../shared/actions/contract/action-parameters.ts";
import { type Chance, createChance } from "../../../support/chance.ts";
import { aCall } from "../history/calls.ts";
import type { ClockedWorld } from "../history/clocked-world.ts";
import { pathOf } from "../history/weights.ts";
import type { SentCall } from "../reference/answer.ts";
import type { RefModel, RefTags } from "../reference/objects.ts";
import { emptyState, type RefState } from "../reference/state.ts";
import { modelOfExport } from "./document.ts";
import type { Op } from "./history.ts";

/** The world, the actions and the numbers that the clients of a run are given. */
export interface Crowd {
  readonly world: ClockedWorld;
  readonly actions: readonly Action[];
  readonly clients: number;
  readonly opsPerClient: number;
  readonly models: number;
  readonly seed: number;
  /** Begins the key of every model. */
  readonly prefix: string;
}

/** The calls that the clients made, with the state before them. */
export interface CrowdRun {
  readonly ops: readonly Op[];
  /** The state of the table before the first call, as the reference holds it. */
  readonly before: RefState;
  /** The models, with the keys they may have. */
  readonly sites: readonly { readonly id: string; readonly keys: readonly string[] }[];
  /** How often each code was answered, "ok" among them. */
  readonly codes: ReadonlyMap<string, number>;
  readonly seconds: number;
  /** The longest that one call took, in milliseconds, and the action it ran. */
  readonly worst: { readonly ms: number; readonly action: string };
}

/** One model while clients work on it, and what is believed to be in it, for sensible calls. */
interface Site {
  readonly prefix: string;
  readonly before: RefModel;
  readonly believed: RefState;
  readonly ids: string[];
}

/** Actions on what is in one model; those that make or end models are run apart. */
const APART: ReadonlySet<string> = new Set(["model/model_delete", "model/model_copy"]);

/** Lets clients work on models at the same time, and records every call. */
export async function runCrowd(crowd: Crowd): Promise<CrowdRun> {
  const { world, clients, seed } = crowd;
  const tags = await tagsOf(world, `${crowd.prefix}g`);
  const sites: Site[] = [];
  for (let i = 0; i < crowd.models; i++) sites.push(await aSite(world, `${crowd.prefix}${i}-`, tags));
  const record = createRecorder(world);
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, (_, client) =>
      runClient(crowd, sites, record, createChance(seed * 1_009 + client), client),
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  const { ops, codes, worst } = record;
  const before = { ...emptyState(), tags };
  for (const site of sites) before.models.set(site.before.id, site.before);
  const known = sites.map(({ before: { id }, prefix }) => ({ id, keys: keysOf(ops, prefix) }));
  return { ops, before, sites: known, codes, seconds, worst };
}

/** A group with tags, which nobody changes while the models are changed: their revision is the same throughout. */
async function tagsOf(world: ClockedWorld, key: string): Promise<RefTags> {
  const make = async (action: string, body: { readonly key: string }): Promise<{ id: string; key: string }> => {
    const answer = await answered(world, { action, caller: "admin", payload: { query: [], body }, controls: {} });
    return { id: (answer.body as { id: string }).id, key: body.key };
  };
  const group = await make("tag/tag_group_create", { key });
  const inGroup = { groupRef: `key:${key}` };
  const tags: { id: string; key: string }[] = [];
  for (const tag of ["a", "b"]) tags.push(await make("tag/tag_global_create", { ...inGroup, key: tag }));
  return { id: "tags", revision: 3, groups: [{ ...group, tags }], definitions: [] };
}

async function aSite(world: ClockedWorld, prefix: string, tags: RefTags): Promise<Site> {
  const asAdmin = (action: string, body: object) =>
    answered(world, { action, caller: "admin", payload: { query: [], body }, controls: {} });
  const made = await asAdmin("model/model_create", { key: `${prefix}a`, name: "Crowded" });
  const modelRef = `id:${(made.body as { id: string }).id}`;
  await asAdmin("model/type_create", { modelRef, typeKey: "a" });
  await asAdmin("model/entity_create", { modelRef, entityKey: "a" });
  const { body } = await asAdmin("model/model_export", { modelRef });
  const before = modelOfExport(body, 3);
  const believed = { ...emptyState(), tags };
  believed.models.set(before.id, structuredClone(before));
  return { prefix, before, believed, ids: [] };
}

async function answered(world: ClockedWorld, call: SentCall) {
  const outcome = await world.call(call);
  if ("problem" in outcome) throw outcome.problem;
  return outcome.answer;
}

type Recorder = ReturnType<typeof createRecorder>;

/** Calls the service and takes down when, what and how long. */
function createRecorder(world: ClockedWorld) {
  const codes = new Map<string, number>();
  const worst = { ms: 0, action: "" };
  const ops: Op[] = [];
  let tick = 0;
  return {
    codes,
    worst,
    ops,
    call: async (call: SentCall): Promise<Op> => {
      const request = world.newId();
      const start = ++tick;
      const began = performance.now();
      const outcome = await world.call(call, request);
      const ms = performance.now() - began;
      if (ms > worst.ms) Object.assign(worst, { ms, action: call.action });
      const code = "problem" in outcome ? outcome.problem.code : "ok";
      codes.set(code, (codes.get(code) ?? 0) + 1);
      const op = { request, start, end: ++tick, call, outcome };
      ops.push(op);
      return op;
    },
  };
}

async function runClient(
  crowd: Crowd,
  sites: readonly Site[],
  record: Recorder,
  chance: Chance,
  client: number,
): Promise<void> {
  const actions = crowd.actions.filter((a) => listAddressedKinds(a)[0]?.name === "model" && !APART.has(pathOf(a)));
  for (let n = 0; n < crowd.opsPerClient; n++) {
    const site = chance.pick(sites);
    if (chance.happens(0.02)) await record.call(LIST);
    else if (chance.happens(0.01)) await copy(site, record, `${crowd.prefix}copy ${client} ${n}`);
    else {
      const newIdempotencyKey = (): string => `${crowd.prefix}${client}-${n}`;
      const { believed: state, prefix, ids } = site;
      const call = aCall({ chance, actions, state, prefix, ids, newIdempotencyKey });
      // A client that is in doubt sends the same call again while the first is still under way.
      const twins = call.controls.idempotencyKey !== undefined && chance.happens(0.5) ? 2 : 1;
      const ops = await Promise.all(Array.from({ length: twins }, () => record.call(call)));
      for (const op of ops) learn(site, op);
    }
  }
}

/** Takes in the facts about the model that an answer tells, for the calls that follow. */
function learn({ believed, before, ids }: Site, { call, outcome }: Op): void {
  if (!("answer" in outcome) || outcome.answer.body === undefined) return;
  const { body, etag = "" } = outcome.answer;
  if (call.action === "model/model_export") {
    const revision = Number(/-(\d+)(?:\.\d+)?$/.exec(etag)?.[1]);
    if (revision > (believed.models.get(before.id)?.revision ?? 0))
      believed.models.set(before.id, modelOfExport(body, revision));
  }
  const { id, key, revision } = Object(body) as {
    readonly id?: string;
    readonly key?: string;
    readonly revision?: number;
  };
  if (id !== undefined && ids.length < 1_000) ids.push(id);
  const model = believed.models.get(before.id);
  if (!model || revision === undefined || revision <= model.revision) return;
  model.revision = revision;
  if (id === model.id && key !== undefined) model.key = key;
}

const LIST: SentCall = { action: "model/model_list", caller: "reader", payload: { query: [], body: {} }, controls: {} };

/** Makes a copy, looks at it, and deletes it again. */
async function copy({ before }: Site, record: Recorder, modelNewKey: string): Promise<void> {
  const send = (action: string, body: object) =>
    record.call({ action, caller: "admin", payload: { query: [], body }, controls: {} });
  const { outcome } = await send("model/model_copy", { modelRef: `id:${before.id}`, modelNewKey });
  if (!("answer" in outcome)) return;
  const modelRef = `id:${(outcome.answer.body as { id: string }).id}`;
  await send("model/model_export", { modelRef });
  await send("model/model_delete", { modelRef });
}

/** Every key with a prefix that a call named. */
function keysOf(ops: readonly Op[], prefix: string): readonly string[] {
  const named = ops.flatMap(({ call: { payload } }) =>
    [...Object.values(Object(payload.body) as object), ...payload.query.map(([, value]) => value)].map(String),
  );
  const keys = named.map((text) => (text.startsWith("key:") ? text.slice("key:".length) : text));
  return [...new Set(keys.filter((key) => key.startsWith(prefix)))];
}
