import type { Answer } from "../../../../shared/actions/contract/call.ts";
import { scanned } from "../../../store/support/search-scan.ts";
import { judge, type SentCall } from "../reference/answer.ts";
import { actorIdOf, PEOPLE } from "../reference/callers.ts";
import { exportOf } from "../reference/document.ts";
import type { Expected } from "../reference/expected-answer.ts";
import type { RefModel } from "../reference/objects.ts";
import { byKey, type RefState } from "../reference/state.ts";
import { listTags } from "../reference/tags.ts";
import { type Binding, createBinding } from "./binding.ts";
import type { ClockedWorld } from "./clocked-world.ts";
import { differs } from "./differs.ts";
import { cursorOf, type JudgedStep, judgeHistory, requestOf, type Step } from "./plan.ts";

/** The step at which the service and the reference part, and a sentence that tells how. */
export interface Difference {
  readonly step: Step | undefined;
  readonly what: string;
}

/** Gets each call with its answer, "ok" or a problem code, and special answers without an action. */
export type Notice = (action: string, code: string) => void;

/** Runs a history on the service and holds every answer, and the state at the end, against the reference. */
export async function runHistory(world: ClockedWorld, steps: readonly Step[], notice: Notice) {
  const binding = createBinding();
  for (const [caller, id] of world.actors) binding.differs(actorIdOf(PEOPLE.get(caller)), id);
  const judged = judgeHistory(steps, world.now());
  for (const step of judged.steps) {
    world.pause(step.pauseMs);
    const what = await runStep(world, binding, step, notice);
    if (what !== undefined) return { step, what };
  }
  const what = await endsAs(world, binding, judged.state).catch((error: unknown) => `threw ${String(error)}`);
  return what === undefined ? undefined : { step: undefined, what: `the state at the end: ${what}` };
}

async function runStep(world: ClockedWorld, binding: Binding, step: JudgedStep, notice: Notice) {
  const call = binding.toReal(step.call, world.newId);
  const outcome = await world.call(call, requestOf(step)).catch((error: unknown) => `threw ${String(error)}`);
  if (typeof outcome === "string") return outcome;
  const what = differs(binding, step.expected, outcome, call);
  if (what !== undefined) return what;
  notice(step.call.action, "problem" in outcome ? outcome.problem.code : "ok");
  if ("answer" in outcome) for (const trait of traitsOf(outcome.answer)) notice("", trait);
  for (const { action, body, answer } of step.told) {
    const wrong = await readAs(world, binding, action, body, { answer });
    if (wrong !== undefined) return `and then ${wrong}`;
  }
  if (!("answer" in outcome)) return undefined;
  if (outcome.answer.next !== undefined) binding.bindCursor(cursorOf(step.number), outcome.answer.next);
  return undefined;
}

export const TRAITS = [
  ...["(next page)", "(not modified)", "(replayed)", "(unchanged)", "(dry run)"],
  ...["(undone)", "(undone with losses)", "(conflict of a member)", "(conflict of an object)"],
  ...["(object needed)", "(key taken since)", "(object that cannot be)"],
];

/** The special traits of an answer, counted to see that the histories meet each of them. */
function traitsOf({ body, next, notModified, replayed }: Answer): readonly string[] {
  const { changed, dryRun, undone, losses = [], conflicts = [] } = Object(body) as Told;
  const isOf = (reason: RegExp) => conflicts.some((one) => reason.test(one.reason));
  const traits: Readonly<Record<string, boolean>> = {
    "(next page)": next !== undefined,
    "(not modified)": notModified === true,
    "(replayed)": replayed === true,
    "(unchanged)": changed === false,
    "(dry run)": dryRun === true,
    "(undone)": undone !== undefined && changed === true && dryRun !== true,
    "(undone with losses)": undone !== undefined && losses.length > 0,
    "(conflict of a member)": conflicts.some(({ member }) => member !== undefined),
    "(conflict of an object)": conflicts.some((one) => one.member === undefined && /somebody/.test(one.reason)),
    "(object needed)": isOf(/needs it/),
    "(key taken since)": isOf(/has its key now/),
    "(object that cannot be)": isOf(/gone|role|attributes of/),
  };
  return Object.entries(traits).flatMap(([trait, has]) => (has ? [trait] : []));
}

async function endsAs(world: ClockedWorld, binding: Binding, state: RefState): Promise<string | undefined> {
  const models = [...state.models.values()].sort(byKey);
  const row = ({ id, key, name, version, authority }: RefModel) => ({ id, key, name, version, authority });
  const rows = { answer: { body: models.map(row), etag: undefined } };
  const list = await readAs(world, binding, "model/model_list", {}, rows);
  if (list !== undefined) return list;
  for (const model of models) {
    const expected = { answer: exportOf(model, state) };
    const what = await readAs(world, binding, "model/model_export", { modelRef: `key:${model.key}` }, expected);
    if (what !== undefined) return what;
  }
  const payload = { query: [], body: {} };
  const call: SentCall = { action: "tag/tag_group_list", caller: "admin", payload, controls: {} };
  const { expected } = judge(call, { state, now: 0, newId: () => "", newCursor: () => "" });
  const tags = { answer: { body: listTags(state.tags, models), etag: undefined } };
  return (
    (await readAs(world, binding, call.action, {}, expected)) ??
    (await readAs(world, binding, "tag/tag_search", {}, tags)) ??
    (await searchesAs(world, binding, state))
  );
}

/** Searches find what a scan of all exports finds, whatever calls led to the state. */
async function searchesAs(world: ClockedWorld, binding: Binding, state: RefState): Promise<string | undefined> {
  const documents = [...state.models.values()].map((model) => exportOf(model, state).body);
  const globalTags = state.tags.groups.flatMap((group) => group.tags.map((tag) => ({ ...tag, group })));
  const text = { type: "text", condition: "contains", value: "a" };
  for (const filters of [{}, { items: [text, { type: "tags", condition: "notEmpty" }] }]) {
    const wanted = binding.toReal(scanned(documents, globalTags, filters), world.newId);
    const payload = { query: [], body: { filters } };
    const found = await world.call({ action: "model/search", caller: "admin", payload, controls: {} });
    const items = "answer" in found ? (found.answer.body as { items: readonly unknown[] }).items : [];
    const inOrder = (rows: readonly unknown[]) => JSON.stringify(rows.map((row) => JSON.stringify(row)).sort());
    if (inOrder(items) !== inOrder(wanted)) return `the search ${JSON.stringify(filters)}: ${inOrder(items)}`;
  }
  return undefined;
}

async function readAs(world: ClockedWorld, binding: Binding, action: string, body: object, expected: Expected) {
  const payload = { query: [], body: binding.toReal(body, world.newId) };
  const call: SentCall = { action, caller: "admin", payload, controls: {} };
  const what = differs(binding, expected, await world.call(call), call);
  return what === undefined ? undefined : `${action} ${JSON.stringify(body)}: ${what}`;
}

interface Told {
  readonly changed?: boolean;
  readonly dryRun?: boolean;
  readonly undone?: readonly number[];
  readonly losses?: readonly unknown[];
  readonly conflicts?: readonly { readonly member?: string; readonly reason: string }[];
}

/** Creates counts of actions, codes and special answers that the histories hit. */
export function createTally() {
  const actions = new Map<string, number>();
  const answered = new Map<string, number>();
  const codes = new Map<string, number>();
  const add = (map: Map<string, number>, key: string): unknown => map.set(key, (map.get(key) ?? 0) + 1);
  return {
    actions,
    answered,
    codes,
    /** Lists the names of a map that occurred too rarely. A short run needs half of its share of the counts of a full run. */
    rarer: (counts: ReadonlyMap<string, number>, names: readonly string[], full: number, share: number) => {
      const least = share >= 1 ? full : Math.floor((full * share) / 2);
      return names.filter((name) => (counts.get(name) ?? 0) < least).map((name) => `${name}: ${counts.get(name) ?? 0}`);
    },
    note: (action: string, code: string) => {
      add(codes, code);
      if (action !== "") add(actions, action);
      if (code === "ok") add(answered, action);
    },
    /** Two tables: calls and answers per action, and hits per code. */
    table: () => {
      const rows = [...actions].sort(([a], [b]) => (a < b ? -1 : 1));
      return [
        "calls  answered  action",
        ...rows.map(([name, n]) => `${pad(n, 5)}  ${pad(answered.get(name) ?? 0, 8)}  ${name}`),
        " hits  code",
        ...[...codes].sort(([, a], [, b]) => b - a).map(([code, n]) => `${pad(n, 5)}  ${code}`),
      ].join("\n");
    },
  };
}

const pad = (n: number, width: number) => String(n).padStart(width);
