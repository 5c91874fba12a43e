import { NO_CONTROLS, type Runtime, toUnreadPayload } from "../../../shared/actions/contract/call.ts";
import { checkTable } from "../../../shared/store/fsck/check-table.ts";
import type { ItemKey } from "../../../shared/store/table/keys.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { createBinding } from "../../guarantees/support/history/binding.ts";
import { documentOf, exportOf } from "../../guarantees/support/reference/document.ts";
import type { RefModel } from "../../guarantees/support/reference/objects.ts";
import type { RefState } from "../../guarantees/support/reference/state.ts";
import { listTags } from "../../guarantees/support/reference/tags.ts";
import { dispatchNamed } from "../../support/dispatch-named.ts";
import type { Site } from "./calls.ts";
import { type At, type Claim, readClaim, TAGS } from "./claimed-revisions.ts";
import { directTable } from "./direct-table.ts";
import { duplicateFaults, duplicatesDone, listDuplicateFaults } from "./duplicates.ts";
import { createReplay, type Replay } from "./explain.ts";
import { type LogRow, label, type Op, rowsOf, withJobs, withReplays } from "./history.ts";
import { logFaults, type Order, orderFaults, orderOf } from "./order.ts";
import { contentOf } from "./prepare-table.ts";
import type { Ran } from "./schedule.ts";
import { createShared, simulatedService } from "./simulated-service.ts";
import { listOutcomeFaults } from "./unknown-outcomes.ts";

/** A runtime before a schedule begins, or after it ended: nothing takes time. `now` in milliseconds since the epoch. */
function restingRuntime(now: () => number): Runtime {
  let ids = 0;
  return {
    now: () => Math.floor(now()),
    newId: () => `ffffffff-ffff-7fff-8fff-${(ids++).toString(16).padStart(12, "0")}`,
    random: () => 0.5,
    sleep: async () => undefined,
  };
}

/** The faults of a schedule, in sentences; none when every promise was kept. */
export async function faultsOf(ran: Ran): Promise<readonly string[]> {
  if (ran.broken.length > 0) return ran.broken;
  try {
    return await faultsIn(ran);
  } catch (error) {
    return [`what the table holds cannot be read: ${error instanceof Error ? (error.stack ?? error.message) : error}`];
  }
}

async function faultsIn(ran: Ran): Promise<readonly string[]> {
  const { network, before } = ran;
  const table = directTable(network.table);
  const runtime = restingRuntime(network.timeline.now);
  const scan = async (onItem: (item: never) => void) => {
    for (const item of network.table.items()) onItem(item as never);
  };
  const { violations: findings } = await checkTable(table, { runtime, scan });
  const { ops, scene } = ran;
  return [
    ...findings.map(({ code, key, sentence }) => `fsck ${code} at ${key.pk}|${key.sk}: ${sentence}`),
    ...listOutcomeFaults(ops, network, ran.senders),
    ...(await faultsOfCalls({ table, runtime, before, ops, sites: scene.sites, committed: network.committed })),
  ];
}

/** Calls that were made at the same time, and the table that they leave, on whatever engine. */
export interface Calls {
  readonly table: Table;
  readonly runtime: Runtime;
  /** The state of the table before the first call, as the reference holds it. */
  readonly before: RefState;
  readonly ops: readonly Op[];
  readonly sites: readonly Pick<Site, "id" | "keys">[];
  /** Log items in the order in which the table took them, also those from before the first call. */
  readonly committed: readonly ItemKey[];
}

/** The faults in the answers to calls: the answers have to fit one order of the commits. */
export async function faultsOfCalls(calls: Calls): Promise<readonly string[]> {
  const { table, runtime, before, sites } = calls;
  const base = new Map([...before.models.values(), before.tags].map(({ id, revision }) => [id, revision]));
  const rows = (await rowsOf(table, calls.committed)).filter((row) => row.revision > (base.get(row.ledger) ?? 0));
  const end = Math.max(0, ...calls.ops.map((op) => op.end)) + 1;
  const ops = withReplays(await withJobs(table, runtime, calls.ops, end), rows);
  const claims = ops.map((op) => readClaim(op, rows));
  const order = orderOf(rows, claims, base);
  const read = await readAll(table, runtime, [...before.runs.keys()]);
  return [
    ...logFaults(rows, claims, base),
    ...orderFaults(claims, order),
    ...listDuplicateFaults(claims),
    ...duplicateFaults(calls.ops, claims, rows),
    ...listRunFaults(rows, read),
    ...replayFaults({ rows, claims, order, base, before, read, sites }),
  ];
}

interface ReadAtTheEnd {
  readonly models: ReadonlyMap<string, unknown>;
  readonly tags: unknown;
  /** The commits that each run lists. */
  readonly runs: ReadonlyMap<string, readonly RunRow[]>;
}

const GLOBAL_TAGS = { filters: { items: [{ type: "scopeRef", condition: "is", value: { type: "global" } }] } };

async function readAll(table: Table, runtime: Runtime, runIds: readonly string[]): Promise<ReadAtTheEnd> {
  const means = { runtime, connect: () => table, startJob: async () => undefined };
  const service = simulatedService(createShared(runtime.now), means);
  const origin = { channel: "http", requestId: "at the end", deadline: Number.POSITIVE_INFINITY } as const;
  const ask = async (action: string, body: object): Promise<unknown> => {
    const [group = "", name = ""] = action.split("/");
    const call = { group, name, token: "admin", payload: toUnreadPayload(body), controls: NO_CONTROLS };
    return (await dispatchNamed({ ...call, ...origin }, service)).body;
  };
  const models = new Map<string, unknown>();
  for (const { id } of (await ask("model/model_list", {})) as readonly { readonly id: string }[])
    models.set(id, await ask("model/model_export", { modelRef: `id:${id}` }));
  const runs = new Map<string, RunRow[]>();
  for (const id of runIds) {
    const { items } = (await ask("model/run_get", { runRef: `id:${id}` })) as { readonly items: RunRow[] };
    runs.set(id, items);
  }
  return { models, runs, tags: await ask("tag/tag_search", GLOBAL_TAGS) };
}

interface RunRow {
  readonly modelId?: string;
  readonly revision: number;
}

/** The runs that do not list what the logs say is theirs. */
function listRunFaults(rows: readonly LogRow[], { runs }: ReadAtTheEnd): readonly string[] {
  return [...runs].flatMap(([id, items]) => {
    const listed = items.map(({ modelId = TAGS, revision }) => `${modelId} ${revision}`).sort();
    const logged = rows.flatMap(({ run, ledger, revision }) => (run === id ? `${ledger} ${revision}` : [])).sort();
    return listed.join() === logged.join() ? [] : [`the run ${id} lists ${listed}, and its commits are ${logged}`];
  });
}

interface Evidence {
  readonly rows: readonly LogRow[];
  readonly claims: readonly Claim[];
  readonly order: Order;
  readonly base: ReadonlyMap<string, number>;
  readonly before: RefState;
  readonly read: ReadAtTheEnd;
  readonly sites: Calls["sites"];
}

/** Something that has to hold after one of the commits from one place of the order to another. */
interface Pending {
  readonly from: number;
  readonly to: number;
  readonly what: string;
  readonly differs: () => string | undefined;
}

/** Applies the commits to the reference, and compares each answer and refusal with the revisions it may have read. */
function replayFaults(evidence: Evidence): readonly string[] {
  const { rows, claims, order, before, read } = evidence;
  const faults: string[] = [];
  const replay = createReplay(before, claims, guessReads(evidence));
  const byRequest = new Map(claims.map((claim) => [claim.op.request, claim]));
  const copies = new Set(
    rows.filter(({ revision, actions }) => revision === 1 && actions.includes("model/model_copy")).map((r) => r.ledger),
  );
  // The tags first: a model's commits rest on them, and they rest on no model's.
  const told = rows.filter(({ ledger }) => !copies.has(ledger) && ledger !== TAGS);
  for (const row of rows.filter(({ ledger }) => ledger === TAGS)) {
    faults.push(...committed(replay, order, byRequest.get(row.request), [row]));
    holdSeen(evidence, replay, faults, [row]);
  }
  const groups = [...Map.groupBy(told, ({ request }) => request).values()];
  const places = placesOf(groups, evidence.base);
  const waiting = Map.groupBy(pendingOf(evidence, replay, places, groups.length), ({ from }) => from);
  let open: readonly Pending[] = [];
  const begun = [...before.models.values()].map(({ id, revision }) => ({ ledger: id, revision }));
  holdSeen(evidence, replay, faults, begun);
  for (let place = 0; ; place++) {
    open = [...open, ...(waiting.get(place) ?? [])].filter((one) => {
      const what = one.differs();
      if (what !== undefined && one.to <= place) faults.push(`${one.what}: ${what}`);
      return what !== undefined && one.to > place;
    });
    const next = groups[place];
    if (!next) break;
    const claim = byRequest.get(next[0]?.request ?? "");
    if (!claim) return [...faults, "a commit has no call, so nothing after it can be told"];
    faults.push(...committed(replay, order, claim, next));
    holdSeen(evidence, replay, faults, next);
  }
  for (const claim of claims.filter((one) => isOfSeveral(one) && one.made.length === 0)) {
    const what = leastDifferent(replay, claim.op, tagsMet(order, claim.op));
    if (what !== undefined) faults.push(`at the revisions it tells ${label(claim.op)}: ${what}`);
  }
  return [...faults, ...endFaults(replay.state, read, copies)];
}

/** States of other models that a committed batch without an answer may have read. Pinned models do not change before it. */
function guessReads({ claims, rows, order, sites }: Evidence): ReadonlyMap<Op, readonly (readonly At[])[]> {
  return new Map(
    claims.flatMap(({ op, kind }) => {
      const own = rows.filter(({ request }) => request === op.request).map(({ ledger }) => ledger);
      if (kind !== "unknown" || own.length === 0) return [];
      const fixed = [...own, ...(op.call.controls.ifMatch ?? []).map(({ ledgerId }) => ledgerId)];
      const others = listSites(op, sites).filter(({ id }) => !fixed.includes(id));
      let guesses: readonly (readonly At[])[] = [[]];
      for (const { id: ledger } of others) {
        const [lowest, highest] = [order.lowest(ledger, op.start), order.highest(ledger, op.end)];
        const states = Array.from({ length: highest - lowest + 1 }, (_, i): At => ({ ledger, revision: highest - i }));
        guesses = guesses.flatMap((guess) => states.map((at) => [...guess, at]));
      }
      return others.length > 0 ? [[op, guesses] as const] : [];
    }),
  );
}

function listSites(op: Op, sites: Calls["sites"]): Calls["sites"] {
  const refs = modelRefsOf(op);
  return sites.filter(({ id, keys }) => refs.some((ref) => ref === `id:${id}` || keys.includes(ref.slice(4))));
}

function committed(replay: Replay, order: Order, claim: Claim | undefined, rows: readonly LogRow[]): readonly string[] {
  return claim ? replay.commit(claim.op, rows, claim.kind !== "unknown", tagsMet(order, claim.op)) : [];
}

/** True for a call whose answer is of several models, and so of no one place in the order. */
function isOfSeveral({ seen }: Claim) {
  return seen.filter(({ ledger }) => ledger !== TAGS).length > 1;
}

function holdSeen({ claims, order }: Evidence, replay: Replay, faults: string[], now: readonly At[]) {
  for (const { ledger, revision } of now) {
    for (const claim of claims) {
      const { op, seen, made, kind } = claim;
      const [first, second] = seen;
      if (isOfSeveral(claim) || kind === "replayed" || made.length > 0) continue;
      if (first?.ledger !== ledger || first.revision !== revision) continue;
      const tags = second?.ledger === TAGS ? [second.revision] : tagsMet(order, op);
      const what = leastDifferent(replay, op, tags);
      if (what !== undefined) faults.push(`at revision ${revision} of ${ledger} ${label(op)}: ${what}`);
    }
  }
}

function tagsMet(order: Order, { start, end }: Op): readonly number[] {
  const [lowest, highest] = [order.lowest(TAGS, start), order.highest(TAGS, end)];
  return Array.from({ length: highest - lowest + 1 }, (_, i) => highest - i);
}

function leastDifferent(replay: Replay, op: Op, tags: readonly number[]): string | undefined {
  let first: string | undefined;
  for (const revision of tags) {
    const what = replay.differs(op, revision);
    if (what === undefined) return undefined;
    first ??= what;
  }
  return first;
}

/** The place at which a ledger comes to a revision: the number of commits up to it. */
type Places = (ledger: string, revision: number) => number;

function placesOf(groups: readonly (readonly LogRow[])[], base: ReadonlyMap<string, number>): Places {
  const places = new Map<string, number>();
  for (const [i, rows] of groups.entries())
    for (const { ledger, revision } of rows) places.set(`${ledger} ${revision}`, i + 1);
  return (ledger, revision) =>
    revision <= (base.get(ledger) ?? 0) ? 0 : (places.get(`${ledger} ${revision}`) ?? Number.POSITIVE_INFINITY);
}

function pendingOf(evidence: Evidence, replay: Replay, places: Places, last: number) {
  const { claims, order, rows, before, read, sites } = evidence;
  const ledgers = [...new Set([...rows.map(({ ledger }) => ledger), ...before.models.keys()])];
  /** Commits after which a call may have met these ledgers; that of several is met as it was at any of their moments. */
  const interval = (of: readonly string[], { start, end }: Op, lowest = order.lowest): readonly [number, number] => {
    const lows = of.map((one) => places(one, lowest(one, start)));
    const highs = of.map((one) => places(one, order.highest(one, end) + 1) - 1);
    return [Math.min(last, ...lows), Math.min(last, Math.max(0, ...highs))];
  };
  const placeBefore = (ledger: string, revision: number) =>
    ledger === TAGS ? Number.POSITIVE_INFINITY : places(ledger, revision) - 1;
  const met = (op: Op): readonly string[] => {
    const known = listSites(op, sites);
    // A call that names no known model is about those that come and go, or about one under a key that nobody foresaw.
    return known.length > 0 ? known.map(({ id }) => id) : ledgers;
  };
  const pending: Pending[] = [];
  const ops = claims.map(({ op }) => op);
  const done = duplicatesDone(ops, rows);
  for (const { op, kind, seen } of claims) {
    if (kind === "refused" && seen.length === 0) {
      const isOfTags = op.call.action.startsWith("tag/tag_global");
      const others = done(op);
      const [from, end] = isOfTags ? [0, 0] : interval(met(op), op);
      // Later it would have been given the answer of the duplicate that did it.
      const to = Math.min(end, ...others.map(({ ledger, revision }) => placeBefore(ledger, revision)));
      const code = "problem" in op.outcome ? op.outcome.problem.code : "";
      const tags = tagsMet(order, op).filter((met) => others.every((at) => at.ledger !== TAGS || met < at.revision));
      const differs = (): string | undefined =>
        to < from || tags.length === 0 ? "a call with its key had done it" : leastDifferent(replay, op, tags);
      const what = `from ${from} to ${to} nothing explains ${label(op)} answering ${code}`;
      pending.push({ from, to, what, differs });
    }
    if (!("answer" in op.outcome)) continue;
    const { body } = op.outcome.answer;
    const copied = op.call.action === "model/model_copy" ? copyShown(op, claims, read) : undefined;
    const [source] = copied === undefined ? [] : met(op);
    if (copied !== undefined && source !== undefined) {
      // A copy holds what its source held at some moment while it was made.
      const [from, to] = interval([source], op);
      const differs = (): string | undefined => copyDiffers(copied, replay, source);
      pending.push({ from, to, what: `${label(op)} from ${from} to ${to}`, differs });
    }
    if (op.call.action === "model/model_list") {
      for (const { id } of sites) {
        const row = (body as readonly Readonly<Record<string, unknown>>[]).find((one) => one.id === id);
        // A list shows what was answered before it was asked for; what is being written it may show or not.
        const [from, to] = interval([id], op, order.answered);
        const differs = (): string | undefined => rowDiffers(row, replay.state.models.get(id));
        const what = `${label(op)} shows ${JSON.stringify(row)} of ${id} from ${from} to ${to}`;
        pending.push({ from, to, what, differs });
      }
    }
  }
  return pending;
}

/** The content that a copy was shown to hold, by a call or at the end. */
function copyShown({ outcome }: Op, claims: readonly Claim[], read: ReadAtTheEnd): unknown {
  if (!("answer" in outcome) || outcome.answer.accepted || outcome.answer.replayed) return undefined;
  const { id } = Object(outcome.answer.body) as { readonly id?: string };
  const shown = claims.find(
    ({ op: { call } }) =>
      call.action === "model/model_export" && Object(call.payload.body as object).modelRef === `id:${id}`,
  )?.op.outcome;
  if (shown && "answer" in shown) return shown.answer.body;
  return id === undefined ? undefined : read.models.get(id);
}

function copyDiffers(copied: unknown, { state }: Replay, source: string): string | undefined {
  const model = state.models.get(source);
  const held = model && withoutGlobalTags(documentOf(model, () => state.tags));
  return held === withoutGlobalTags(copied) ? undefined : "it holds something else";
}

/** The content of a document but for the tags of groups, which may be others by the time it is shown. */
function withoutGlobalTags(document: unknown): string {
  const { tagGroups: _, ...content } = document as { readonly tagGroups?: unknown };
  return contentOf(content)
    .replace(/"key:[^"]*\/[^"]*",?/g, "")
    .replaceAll(",]", "]");
}

/** Every ref of a model that a call has, in its query, its body or the entries of its batch. */
function modelRefsOf({ call: { payload } }: Op): readonly string[] {
  const { modelRef, actions = [] } = Object(payload.body) as Refs;
  const queried = payload.query.filter(([name]) => name === "modelRef").map(([, ref]) => ref);
  return [...queried, modelRef, ...actions.map((entry) => entry.payload.modelRef)].map(String);
}

interface Refs {
  readonly modelRef?: unknown;
  readonly actions?: readonly { readonly payload: { readonly modelRef?: unknown } }[];
}

function rowDiffers(row: Readonly<Record<string, unknown>> | undefined, model: RefModel | undefined) {
  if (!row || !model) return row || model ? "it is there or not" : undefined;
  const names = ["key", "name", "version", "authority"] as const;
  const other = names.find((name) => row[name] !== model[name]);
  return other && `its ${other} is ${model[other]}`;
}

function endFaults(state: RefState, read: ReadAtTheEnd, copies: ReadonlySet<string>): readonly string[] {
  const faults: string[] = [];
  for (const id of read.models.keys()) {
    if (!copies.has(id) && !state.models.has(id)) faults.push(`at the end there is a model ${id} that nobody made`);
  }
  for (const model of state.models.values()) {
    const what = createBinding().differs(exportOf(model, state).body, read.models.get(model.id));
    if (what !== undefined) faults.push(`at the end the model ${model.key}${what}`);
  }
  const what = createBinding().differs(listTags(state.tags), read.tags);
  return what === undefined ? faults : [...faults, `at the end the tags${what}`];
}
