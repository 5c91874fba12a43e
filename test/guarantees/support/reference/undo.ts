import { createHash } from "node:crypto";
import { type Asked, may, need, type RefAction } from "./action.ts";
import type { RefPast } from "./commits.ts";
import { jsonOf } from "./constraints.ts";
import { documentOf } from "./document.ts";
import { Like } from "./expected-answer.ts";
import { badParameters, Refusal } from "./problem.ts";
import { changesTo, lossesAre, requireFitting } from "./restore.ts";
import { globalTags } from "./tag-links.ts";
import { write } from "./texts.ts";
import { type Conflict, mergedWithout, type RefSelection } from "./undo-merge.ts";
import { modelOfPieces, type Pieces } from "./undo-pieces.ts";
import type { RefWrite } from "./write-result.ts";

const TEXT_OF_VALUE = 1_000;
const ROWS = 100;

interface Named {
  readonly runRef?: string;
  readonly revisions?: readonly number[];
  readonly request?: string;
  readonly since?: number;
}

/** The revisions to take back; `not_found` where there are none. */
function pickedRevisions({ past, model, state, input }: Asked): ReadonlySet<number> {
  const { runRef, revisions, request, since } = input as Named;
  const none = (...mentions: readonly string[]) => new Refusal("not_found", { mentions });
  const revisionsOf = (all: RefPast, mention: string) => {
    if (all.length === 0) throw none(mention);
    return new Set(all.map(({ revision }) => revision));
  };
  const later = [...(revisions ?? []), since ?? 1].find((one) => one > past.length);
  if (later !== undefined) throw none(String(later));
  if (revisions) return new Set(revisions);
  if (since !== undefined) return revisionsOf(past.slice(since - 1), "");
  if (runRef === undefined) return revisionsOf(past.filter((one) => one.requestId === request).slice(-1), `${request}`);
  const id = runRef.slice(3).toLowerCase();
  if (!state.runs.has(id)) throw none(runRef);
  return revisionsOf(
    past.filter(({ run }) => run === id),
    model.key,
  );
}

function nameOf({ runRef, revisions = [], request, since }: Named): string {
  if (runRef !== undefined) return `run ${runRef}`;
  if (since !== undefined) return `revisions from ${since}`;
  return request === undefined ? `revisions ${revisions.join(", ")}` : `request ${request}`;
}

function undone(asked: Asked): RefWrite {
  const { model, past, state, input } = asked;
  const picked = pickedRevisions(asked);
  const { select, except } = input as { readonly select?: RefSelection; readonly except?: RefSelection };
  const wanted = { picked, select, except, isBack: input.onConflict === "back" };
  const { before, after: pieces, taken, conflicts } = mergedWithout(past, wanted);
  const wished = modelOfPieces(pieces, past, model);
  const isTaken = [...state.models.values()].some(({ id, key }) => id !== model.id && key === wished.key);
  const after = { ...wished, key: isTaken ? model.key : wished.key };
  const [now, then] = [model, after].map((one) => jsonOf(documentOf(one, () => state.tags)));
  const digest = createHash("sha256").update(`${model.id} ${then}`).digest("hex");
  const plan = `plan ${model.revision}.${state.tags.revision}.${digest}`;
  if (input.plan !== undefined && input.plan !== plan)
    throw new Refusal("plan_outdated", { currentRevision: model.revision, plan });
  requireFitting(after, asked);
  const losses = [
    ...(isTaken ? [{ id: model.id, names: [model.key, wished.key] }] : []),
    ...lostLinks(before, pieces, new Set(globalTags(state.tags).map(({ id }) => id))),
  ];
  const { id, revision } = model;
  return {
    does: "write",
    subject: { id, key: after.key },
    ledger: { id, revision },
    changes: changesTo(after, model),
    source: nameOf(input),
    extra: {
      ...{ plan, undone: taken, losses: lossesAre(losses) },
      stepCount: isCount(now !== then),
      ...Object.fromEntries(CLASSES.map((name) => [name, isCount()])),
      verdicts: { readers: VERDICT_COUNTS, writers: VERDICT_COUNTS },
      ...{ conflicts: conflictsAre(conflicts, past), conflictCount: conflicts.length },
    },
    preview: { steps: new Like("steps", (actual) => (Array.isArray(actual) ? undefined : String(actual))) },
    apply: () => state.models.set(id, { ...after, revision: revision + 1 }),
  };
}

const CLASSES = ["breaking", "behavioural", "additive", "operational", "cosmetic"];

/** A number that is above 0 if something is to be seen of what it counts, and of which nothing is known otherwise. */
const isCount = (isSome?: boolean) =>
  new Like(`a count, ${isSome} above 0`, (actual) =>
    Number.isInteger(actual) && (isSome === undefined || Number(actual) > 0 === isSome) ? undefined : String(actual),
  );

const VERDICT_COUNTS = { breaks: isCount(), risk: isCount(), safe: isCount() };

/** Objects that get links to tags which are gone, each with the number of these links. */
function lostLinks(before: Pieces, after: Pieces, globals: ReadonlySet<string>) {
  return [...after].flatMap(([id, { slots }]) => {
    const lost = [...slots.keys()].filter((name) => {
      const [member, tag = ""] = name.split(".");
      const isThere = member === "tags" ? after.has(tag) : member !== "globalTags" || globals.has(tag);
      return !isThere && !before.get(id)?.slots.has(name);
    });
    return lost.length > 0 ? [{ id, names: [JSON.parse(slots.get("key") ?? '""'), String(lost.length)] }] : [];
  });
}

function conflictsAre(conflicts: readonly Conflict[], past: RefPast): Like {
  const rows = conflicts.map(({ id, kind, key, member, now, before, why, since }) => ({
    ...{ kind, ref: `id:${id}`, key, member, now: shownValue(member, now), before: shownValue(member, before) },
    ...{ revision: since, actor: since === undefined ? undefined : past[since - 1]?.actor },
    reason: new Like(`a reason with ${why}`, (actual) => (String(actual).includes(why) ? undefined : String(actual))),
  }));
  return new Like(`the conflicts ${JSON.stringify(rows)}`, (actual, differs) => {
    const told = Array.isArray(actual) ? (actual as (typeof rows)[number][]) : [];
    if (told.length !== Math.min(rows.length, ROWS)) return JSON.stringify(actual);
    const left = [...rows];
    for (const row of told) {
      const alike = left.filter((one) => shapeOf(one) === shapeOf(row));
      const found = alike.find((one) => differs(one, row) === undefined);
      if (!found) return alike[0] ? differs(alike[0], row) : `also ${JSON.stringify(row)}`;
      left.splice(left.indexOf(found), 1);
    }
    return undefined;
  });
}

/** A conflict without its ids and its reason. */
const shapeOf = ({ kind, key, member, now, before }: Readonly<Record<string, unknown>>) =>
  jsonOf([kind, key, member, now, before]).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "");

/** The value of a slot as a conflict shows it: of a place among siblings none, of a long one the beginning. */
function shownValue(member: string | undefined, text: string | undefined): unknown {
  if (text === undefined || member === undefined || member === "order") return null;
  return text.length > TEXT_OF_VALUE ? text.slice(0, TEXT_OF_VALUE).toWellFormed() : JSON.parse(text);
}

const SELECTIONS = ["runRef", "revisions", "request", "since"];

/** `model_undo`. */
export const MODEL_UNDO: RefAction = {
  ...write(
    {
      ...{ modelRef: need("ModelRef"), runRef: may("RunRef"), revisions: may("List<ModelRevision>") },
      ...{ request: may("RequestIdentifier"), since: may("ModelRevision") },
      ...{ select: may("UndoSelection"), except: may("UndoSelection") },
      ...{ onConflict: may("OnUndoConflict"), plan: may("PlanName") },
    },
    undone,
  ),
  alone: true,
  check: (input) => {
    const given = SELECTIONS.filter((name) => input[name] !== undefined);
    if (given.length !== 1) throw badParameters(...SELECTIONS.map((name) => `/${name}`));
  },
};
