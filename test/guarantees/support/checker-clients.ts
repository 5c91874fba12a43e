import type { Action } from "../../../shared/actions/contract/action.ts";
import { addressedKinds } from "../../../shared/actions/contract/action-params.ts";

import { wholeEntry } from "../../../shared/store/log/entry-changes.ts";
import { logEntryOf } from "../../../shared/store/log/log.ts";
import { logKey, logPartition } from "../../../shared/store/table/keys.ts";
import type { Item, ItemPage, Table } from "../../../shared/store/table/table.ts";
import { type Chance, createChance } from "../../support/chance.ts";
import { contentOf, modelOfExport } from "./checker-document.ts";
import { type Glimpse, type LogRow, type ModelHistory, type Op, revisionIn } from "./checker-history.ts";
import { aCall } from "./history-calls.ts";
import type { Lane } from "./history-lane.ts";
import { pathOf } from "./history-weights.ts";
import type { SentCall } from "./reference-answer.ts";
import { documentOf } from "./reference-document.ts";
import { emptyState, type RefModel, type RefState, type RefTags } from "./reference-state.ts";

/** What the clients are to do. */
export interface Crowd {
  readonly lane: Lane;
  readonly actions: readonly Action[];
  readonly clients: number;
  readonly opsPerClient: number;
  readonly models: number;
  readonly seed: number;
  /** Begins the key of every model. */
  readonly prefix: string;
}

/** What they did. */
export interface CrowdRun {
  readonly histories: readonly ModelHistory[];
  /** How often each code was answered, "ok" among them. */
  readonly codes: ReadonlyMap<string, number>;
  readonly seconds: number;
  /** The longest that one call took, in milliseconds, and the action it ran. */
  readonly worst: { readonly ms: number; readonly action: string };
}

/** One model while clients work on it: what is believed to be in it, for sensible calls, and what was recorded. */
interface Site {
  readonly prefix: string;
  readonly before: RefModel;
  readonly believed: RefState;
  readonly ops: Op[];
  readonly glimpses: Glimpse[];
  readonly ids: string[];
}

/** Actions on what is in one model; those that make or end models are run apart. */
const APART: ReadonlySet<string> = new Set(["model/model_delete", "model/model_copy"]);

/** Lets clients work on models at the same time, records every call, and reads log and state at the end. */
export async function runCrowd(crowd: Crowd): Promise<CrowdRun> {
  const { lane, clients, seed } = crowd;
  const tags = await tagsOf(lane, `${crowd.prefix}g`);
  const sites: Site[] = [];
  for (let i = 0; i < crowd.models; i++) sites.push(await aSite(lane, `${crowd.prefix}${i}-`, tags));
  const record = createRecorder(lane);
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, (_, client) =>
      runClient(crowd, sites, record, createChance(seed * 1_009 + client), client),
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  const histories = await Promise.all(sites.map((site) => historyOf(lane, site)));
  return { histories, codes: record.codes, seconds, worst: record.worst };
}

/** A group with tags, which nobody changes while the models are changed: their revision is the same throughout. */
async function tagsOf(lane: Lane, key: string): Promise<RefTags> {
  const make = async (action: string, body: { readonly key: string }): Promise<{ id: string; key: string }> => {
    const answer = await answered(lane, { action, caller: "admin", payload: { query: [], body }, controls: {} });
    return { id: (answer.body as { id: string }).id, key: body.key };
  };
  const group = await make("tag/tag_group_create", { key });
  const inGroup = { groupRef: `key:${key}` };
  const tags: { id: string; key: string }[] = [];
  for (const tag of ["a", "b"]) tags.push(await make("tag/tag_global_create", { ...inGroup, key: tag }));
  return { id: "tags", revision: 3, groups: [{ ...group, tags }] };
}

async function aSite(lane: Lane, prefix: string, tags: RefTags): Promise<Site> {
  const asAdmin = (action: string, body: object) =>
    answered(lane, { action, caller: "admin", payload: { query: [], body }, controls: {} });
  const made = await asAdmin("model/model_create", { key: `${prefix}a`, name: "Crowded" });
  const modelRef = `id:${(made.body as { id: string }).id}`;
  await asAdmin("model/type_create", { modelRef, typeKey: "a" });
  await asAdmin("model/entity_create", { modelRef, entityKey: "a" });
  const { body } = await asAdmin("model/model_export", { modelRef });
  const before = modelOfExport(body, 3);
  const believed = { ...emptyState(), tags };
  believed.models.set(before.id, structuredClone(before));
  return { prefix, before, believed, ops: [], glimpses: [], ids: [] };
}

async function answered(lane: Lane, call: SentCall) {
  const outcome = await lane.call(call);
  if ("problem" in outcome) throw outcome.problem;
  return outcome.answer;
}

type Recorder = ReturnType<typeof createRecorder>;

/** Calls the service and takes down when, what and how long. */
function createRecorder(lane: Lane) {
  const codes = new Map<string, number>();
  const worst = { ms: 0, action: "" };
  let tick = 0;
  return {
    codes,
    worst,
    tick: (): number => ++tick,
    call: async (call: SentCall): Promise<Op> => {
      const request = lane.newId();
      const start = ++tick;
      const began = performance.now();
      const outcome = await lane.call(call, request);
      const ms = performance.now() - began;
      if (ms > worst.ms) Object.assign(worst, { ms, action: call.action });
      const code = "problem" in outcome ? outcome.problem.code : "ok";
      codes.set(code, (codes.get(code) ?? 0) + 1);
      return { request, start, end: ++tick, call, outcome };
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
  const actions = crowd.actions.filter((a) => addressedKinds(a)[0]?.name === "model" && !APART.has(pathOf(a)));
  for (let n = 0; n < crowd.opsPerClient; n++) {
    const site = chance.pick(sites);
    if (chance.happens(0.02)) await listAll(sites, record);
    else if (chance.happens(0.01)) await copy(site, record, `${crowd.prefix}copy ${client} ${n}`);
    else {
      const newIdempotencyKey = (): string => `${crowd.prefix}${client}-${n}`;
      const { believed: state, prefix, ids } = site;
      const call = aCall({ chance, actions, state, prefix, ids, newIdempotencyKey });
      // A client that is in doubt sends the same call again while the first is still under way.
      const twins = call.controls.idempotencyKey !== undefined && chance.happens(0.5) ? 2 : 1;
      const ops = await Promise.all(Array.from({ length: twins }, () => record.call(call)));
      site.ops.push(...ops);
      for (const op of ops) learn(site, op);
    }
  }
}

/** What an answer tells of the model, for the calls that follow. */
function learn({ believed, before, ids }: Site, { call, outcome }: Op): void {
  if (!("answer" in outcome) || outcome.answer.body === undefined) return;
  const { body, etag = "" } = outcome.answer;
  if (call.action === "model/model_export") {
    const revision = revisionIn(etag);
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

/** The list of all models shows each as it was at some moment while it was read. */
async function listAll(sites: readonly Site[], record: Recorder): Promise<void> {
  const call: SentCall = {
    action: "model/model_list",
    caller: "reader",
    payload: { query: [], body: {} },
    controls: {},
  };
  const { start, end, outcome } = await record.call(call);
  const rows = "answer" in outcome ? (outcome.answer.body as readonly Readonly<Record<string, unknown>>[]) : [];
  for (const { before, glimpses } of sites) {
    const row = rows.find((r) => r.id === before.id);
    glimpses.push({
      start,
      end,
      what: `model_list [${start}-${end}] shows ${JSON.stringify(row)}`,
      holds: ({ key, name, version, authority }) =>
        row?.key === key && row.name === name && row.version === version && row.authority === authority,
    });
  }
}

/** A copy holds what its source held at some moment while it was made. */
async function copy(
  { before, glimpses, believed: { tags } }: Site,
  record: Recorder,
  modelNewKey: string,
): Promise<void> {
  const send = (action: string, body: object) =>
    record.call({ action, caller: "admin", payload: { query: [], body }, controls: {} });
  const { start, end, outcome } = await send("model/model_copy", { modelRef: `id:${before.id}`, modelNewKey });
  if (!("answer" in outcome)) return;
  const modelRef = `id:${(outcome.answer.body as { id: string }).id}`;
  const read = await send("model/model_export", { modelRef });
  const copied = "answer" in read.outcome ? contentOf(read.outcome.answer.body) : "no copy";
  glimpses.push({
    start,
    end,
    what: `model_copy [${start}-${end}] as ${modelNewKey}`,
    holds: (model) => contentOf(documentOf(model, () => tags)) === copied,
  });
  await send("model/model_delete", { modelRef });
}

async function historyOf(lane: Lane, { before, ops, glimpses, believed: { tags } }: Site): Promise<ModelHistory> {
  const body = { modelRef: `id:${before.id}` };
  const { body: after } = await answered(lane, {
    action: "model/model_export",
    caller: "admin",
    payload: { query: [], body },
    controls: {},
  });
  return { before, tags, ops, glimpses, log: await logAfter(lane, before), after };
}

async function logAfter({ world: { table } }: Lane, { id, revision }: RefModel): Promise<readonly LogRow[]> {
  const log: LogRow[] = [];
  let after: string | undefined = logKey(id, revision).sk;
  do {
    const page: ItemPage = await table.query({ pk: logPartition(id), after });
    for (const item of page.items) log.push(await rowOf(item, table));
    after = page.more;
  } while (after !== undefined);
  return log;
}

async function rowOf(item: Item, table: Table): Promise<LogRow> {
  const { revision, changes = [] } = await wholeEntry(table, logEntryOf(item));
  const made = changes.filter(({ does, kind }) => does === "create" && kind === "relationship");
  // Roles come with their relationship.
  const roles = made.flatMap(({ after }) => (after?.roles ?? []) as readonly { readonly id: string }[]);
  return { revision, request: String(item.request), untold: roles.map(({ id }) => id) };
}
