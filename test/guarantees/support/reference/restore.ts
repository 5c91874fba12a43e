import type { KindName } from "../../../../shared/domain/kinds.ts";
import { type Asked, may, need, type RefAction } from "./action.ts";
import type { RefCommit } from "./commits.ts";
import { jsonOf } from "./constraints.ts";
import { mayRun } from "./decide.ts";
import { misfitsIn } from "./definitions.ts";
import { Like } from "./expected-answer.ts";
import { imagesOf } from "./images.ts";
import type { RefMarked, RefModel } from "./objects.ts";
import { checkMoment, commitAt, MOMENT } from "./past.ts";
import { badParameters, Refusal } from "./problem.ts";
import { markedIn } from "./state.ts";
import { globalTags } from "./tag-links.ts";
import { write, writeBy } from "./texts.ts";
import type { RefChange, RefWrite } from "./write-result.ts";
import { requireFree } from "./writes.ts";

/** A part of the earlier state that cannot be restored: its object, and the names for its sentence. */
interface Loss {
  readonly id: string;
  readonly names: readonly string[];
}

/** The earlier state assigned to the model, but for what has become impossible since. */
function restored(asked: Asked): RefWrite {
  const { model, past, state, input } = asked;
  const then = commitAt(past, input.version, input.revision);
  const isTaken = [...state.models.values()].some(({ id, key }) => id !== model.id && key === then.model.key);
  const key = isTaken ? model.key : then.model.key;
  const after: RefModel = { ...structuredClone(then.model), version: model.version, key, revision: model.revision };
  const losses: readonly Loss[] = [
    ...(then.model.version === model.version ? [] : [{ id: model.id, names: [model.version, then.model.version] }]),
    ...(isTaken ? [{ id: model.id, names: [model.key, then.model.key] }] : []),
    ...lostMarks(then, asked),
  ];
  requireFitting(after, asked);
  const { id, revision } = model;
  return {
    does: "write",
    subject: { id, key },
    ledger: { id, revision },
    changes: changesTo(after, model),
    source: input.version === undefined ? `revision ${then.revision}` : `version ${input.version}`,
    extra: { restoredRevision: then.revision, losses: lossesAre(losses) },
    apply: () => state.models.set(id, { ...after, revision: revision + 1 }),
  };
}

/** Refuses a model in which properties that change are not as they are defined. */
export function requireFitting(after: RefModel, { model, definitions }: Asked): void {
  const now = imagesOf(model);
  const misfits = [...imagesOf(after)].flatMap(([one, { kind, members }]) =>
    JSON.stringify(members.properties) === JSON.stringify(now.get(one)?.members.properties)
      ? []
      : misfitsIn(definitions, kind, members),
  );
  if (misfits.length > 0) throw badParameters(...misfits.map(() => "/modelRef"));
}

function lostMarks(then: RefCommit & { readonly model: RefModel }, { state }: Asked): readonly Loss[] {
  const was = new Set(globalTags(then.tags).map(({ id }) => id));
  const is = new Set(globalTags(state.tags).map(({ id }) => id));
  // Whatever can be marked has an id and a key.
  const marked = markedIn(then.model) as readonly (RefMarked & { readonly id: string; readonly key: string })[];
  return marked.flatMap((one) => {
    const count = one.globalTags.filter((tag) => was.has(tag) && !is.has(tag)).length;
    return count > 0 ? [{ id: one.id, names: [one.key, String(count)] }] : [];
  });
}

/** Every object that differs; what is not to be there any more is deleted one by one. */
export function changesTo(after: RefModel, before: RefModel | undefined): readonly RefChange[] {
  const [now, wanted] = [imagesOf(before), imagesOf(after)];
  const row = (change: RefChange["change"], id: string, kind: KindName, key: string) => ({ change, kind, id, key });
  const changes = [...wanted].flatMap(([id, { kind, key, members }]) => {
    const old = now.get(id);
    if (!old) return [row("create", id, kind, key)];
    return jsonOf(old.members) === jsonOf(members) ? [] : [row("update", id, kind, key)];
  });
  const gone = [...now].filter(([id]) => !wanted.has(id));
  return [...changes, ...gone.map(([id, { kind, key }]) => row("delete", id, kind, key))];
}

export function lossesAre(losses: readonly Loss[]): Like {
  return new Like(`the losses ${JSON.stringify(losses)}`, (actual, differs) => {
    const told = Array.isArray(actual) ? ([...actual] as { readonly id: unknown; readonly detail: unknown }[]) : [];
    for (const { id, names } of losses) {
      const at = told.findIndex(
        (one) => names.every((name) => String(one.detail).includes(name)) && differs(id, one.id) === undefined,
      );
      if (at < 0) return JSON.stringify(actual);
      told.splice(at, 1);
    }
    return told.length > 0 ? `also ${JSON.stringify(told)}` : undefined;
  });
}

/** The state before the deletion, as the next revision of the same model. */
function undeleted(asked: Asked): RefWrite {
  const { model, past, state, input, person } = asked;
  const { id } = model;
  if (state.models.has(id)) throw new Refusal("not_deleted");
  mayRun(person, "model_create_manual");
  const last = commitAt(past, undefined, past.length - 1);
  const key = String(input.key ?? last.model.key);
  const then = { ...last, model: { ...last.model, key } };
  requireFree(state.models.values(), key);
  const after = { ...structuredClone(then.model), key, revision: past.length + 1 };
  return {
    does: "write",
    subject: { id, key },
    ledger: { id, revision: past.length },
    changes: changesTo(after, undefined),
    extra: { restoredRevision: then.revision, losses: lossesAre(lostMarks(then, asked)) },
    apply: () => state.models.set(id, after),
  };
}

/** `model_undelete`. */
export const MODEL_UNDELETE: RefAction = {
  ...writeBy("model_delete", { modelRef: need("ModelRef"), key: may("ModelKey") }, undeleted),
  alone: true,
  findsDeleted: true,
};

/** `model_restore`. */
export const MODEL_RESTORE: RefAction = {
  ...write({ modelRef: need("ModelRef"), ...MOMENT }, restored),
  alone: true,
  check: (input) => {
    checkMoment(input);
    if (input.version === undefined && input.revision === undefined) throw badParameters("/version", "/revision");
  },
};
