import type { Action } from "../../../../shared/actions/contract/action.ts";
import type { Chance } from "../../../support/chance.ts";
import { judge, type SentCall, type SentControls } from "../reference/answer.ts";
import { named, type RefState } from "../reference/state.ts";
import type { CallContext } from "./surroundings.ts";

type Ledger = { readonly id: string; readonly revision: number };

/** The controls of a call, such as preconditions and an idempotency key; mostly ones that fit the call. */
export function controlsOf(action: Action, call: SentCall, modelRef: string, context: CallContext): SentControls {
  const { chance, state } = context;
  if (chance.happens(0.03)) return anyControl(context);
  const isWrite = action.intent !== "read" && action.intent !== "other";
  if (!isWrite) return chance.happens(0.25) ? heldCopy(call, context) : {};
  const pins = chance.happens(0.15) ? pinsFor(action, modelRef, context) : [];
  const pin = pins.length > 0 && { ifMatch: pins.map((one) => aPin(one, chance, state)) };
  if (chance.happens(0.12)) return { ...pin, dryRun: true };
  return { ...pin, ...(chance.happens(0.3) && { idempotencyKey: context.newIdempotencyKey() }) };
}

/** The entity tag of a copy that the caller may have: of the answer there is now, or of one before. */
function heldCopy(call: SentCall, { state, chance }: CallContext): SentControls {
  const { expected } = judge(call, { state, now: 0, newId: () => "", newCursor: () => "" });
  const etag = "answer" in expected ? expected.answer.etag : undefined;
  const [, id, revision, tags] = /^(.+)-(\d+)(\.\d+)?$/.exec(String(etag)) ?? [];
  if (typeof etag !== "string" || id === undefined) return {};
  if (chance.happens(0.1)) return { ifNoneMatch: ["*"] };
  if (chance.happens(0.7)) return { ifNoneMatch: [etag] };
  if (tags !== undefined && chance.happens(0.5))
    return { ifNoneMatch: [`${id}-${revision}.${Number(tags.slice(1)) - 1}`] };
  // The tag of an answer that showed global tags, where this one shows none.
  if (tags === undefined && chance.happens(0.4)) return { ifNoneMatch: [`${etag}.1`] };
  return { ifNoneMatch: [`${id}-${Math.max(0, Number(revision) - 1)}${tags ?? ""}`] };
}

/** The ledgers whose revision a write can be pinned to. */
function pinsFor(action: Action, modelRef: string, { state, chance }: CallContext): readonly Ledger[] {
  if (action.name === "import") return [...state.models.values()].filter(() => chance.happens(0.3));
  if (action.manyModels) return [...state.models.values(), state.tags].filter(() => chance.happens(0.3));
  if (action.ledger === "tags" || (action.target ?? action.within)?.ledger === "tags") return [state.tags];
  return [action.target || action.within ? named(state.models.values(), modelRef) : undefined].filter(
    (model) => model !== undefined,
  );
}

function aPin({ id, revision }: Ledger, chance: Chance, { models, tags }: RefState) {
  return {
    ledgerId: chance.happens(0.95) ? id : chance.pick([...models.keys(), tags.id]),
    revision: chance.happens(0.7) ? revision : Math.max(0, revision + chance.pick([-1, -2, 1])),
  };
}

/** Controls without regard to whether they apply. */
function anyControl({ chance, state, newIdempotencyKey }: CallContext): SentControls {
  const [model] = state.models.values();
  const pin = { ledgerId: model?.id ?? "00000000-0000-0000-0000-000000000000", revision: model?.revision ?? 1 };
  return chance.pick<SentControls>([
    { ifMatch: [pin] },
    { ifMatch: [pin, pin] },
    { ifNoneMatch: [`${pin.ledgerId}-${pin.revision}`] },
    { dryRun: true },
    { idempotencyKey: newIdempotencyKey() },
    { dryRun: true, idempotencyKey: newIdempotencyKey() },
  ]);
}
