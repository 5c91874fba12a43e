import { type Action, explainBatchExclusion } from "../../../../shared/actions/contract/action.ts";
import { judge } from "../reference/answer.ts";
import { createWork } from "../reference/batch-work.ts";
import type { CallContext } from "./surroundings.ts";
import { pathOf } from "./weights.ts";

interface Entry {
  readonly group: string;
  readonly action: string;
  readonly payload?: unknown;
}

const BROKEN: readonly unknown[] = [
  [],
  7,
  [1],
  [{ group: "model" }],
  [{ group: "model", action: "type_list", payload: [] }],
  [{ group: "model", action: "type_list", call: 1 }],
];
/** Actions that make a whole model: such a batch has no more of them, lest it outgrow a transaction of several models. */
const WHOLE: ReadonlySet<string> = new Set(["model/import", "model/model_copy"]);

interface Draw {
  readonly anAction: (context: Pick<CallContext, "chance" | "actions" | "state" | "undone">) => Action;
  readonly parametersOf: (action: Action, context: CallContext) => Record<string, unknown>;
}

/** Entries of a batch, mostly such as work on what the ones before them left. */
export function someEntries(context: CallContext, { anAction, parametersOf }: Draw): unknown {
  const { chance } = context;
  if (chance.happens(0.02)) return chance.pick(BROKEN);
  const fitting = context.actions.filter(
    (a) => !explainBatchExclusion(a)?.why || explainBatchExclusion(a)?.parameters !== undefined,
  );
  const misfits = context.actions.filter((a) => !fitting.includes(a));
  const work = createWork(context.state);
  const entries: Entry[] = [];
  const made = new Map<string, string>();
  const beginsWhole = chance.happens(0.15);
  const tries = 1 + chance.below(8);
  for (let n = 0; n < tries; n++) {
    const i = entries.length;
    const some = fitting.filter((a) => WHOLE.has(pathOf(a)) === (beginsWhole && i === 0));
    const action = chance.happens(0.01)
      ? chance.pick(misfits)
      : anAction({ ...context, actions: some, state: work.state });
    const values = parametersOf(action, { ...context, state: work.state });
    const payload = beginsWhole && i > 0 && chance.happens(0.8) ? inFirst(values) : values;
    const entry = entryOf(action, referring(payload, made, context), context);
    // Run here as it is to run there, so that the next entry has something to work on.
    const sent = { query: [], body: payload };
    const call = { action: pathOf(action), caller: "admin", payload: sent, controls: {} } as const;
    let nth = 0;
    const newId = () => `00000000-0000-4000-8000-ffff${String(i).padStart(4, "0")}${String(nth++).padStart(4, "0")}`;
    const { expected, apply } = judge(call, { state: work.state, now: 0, newId, newCursor: () => "" });
    // One entry that is refused refuses them all, so there are few of those.
    if ("answer" in expected || chance.happens(0.05)) entries.push(entry);
    if (!("answer" in expected)) continue;
    const { id } = Object(expected.answer.body) as { readonly id?: string };
    if (id?.includes("-ffff")) made.set(id, `$${i + 1}.id`);
    apply();
  }
  return entries.length > 0 ? entries : BROKEN[0];

  /** Parameters that name the model which the first entry makes. */
  function inFirst(values: Record<string, unknown>): Record<string, unknown> {
    const [first] = made.keys();
    return "modelRef" in values && first !== undefined ? { ...values, modelRef: `id:${first}` } : values;
  }
}

function entryOf(action: Action, payload: unknown, { chance }: CallContext): Entry {
  const name = chance.happens(0.005) ? `${action.name}x` : action.name;
  const isEmpty = Object.keys(Object(payload)).length === 0;
  return { group: action.group, action: name, ...(!(isEmpty && chance.happens(0.5)) && { payload }) };
}

/** A payload in which what earlier entries make is spoken of by their results; now and then by one that leads nowhere. */
function referring(payload: object, made: ReadonlyMap<string, string>, { chance }: CallContext): unknown {
  // The texts of a document name each other, so they stay as they are.
  const { content, ...others }: { readonly content?: unknown } = payload;
  const text = JSON.stringify(others, (_, value: unknown) => {
    if (typeof value !== "string") return value;
    if (chance.happens(0.004)) return chance.pick(["$9.id", "id:$1.nothing", "$$1.id", "$1.key", "key:$1.revision"]);
    let said = value;
    for (const [id, reference] of made) said = said.replaceAll(id, reference);
    return said;
  });
  return { ...JSON.parse(text), ...(content !== undefined && { content }) };
}
