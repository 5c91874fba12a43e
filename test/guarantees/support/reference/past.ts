import { type Asked, may, type RefInput } from "./action.ts";
import type { RefCommit, RefCommitFacts, RefHistoryChange } from "./commits.ts";
import { jsonOf } from "./constraints.ts";
import { type Image, imagesOf } from "./images.ts";
import type { RefModel } from "./objects.ts";
import { badParameters, Refusal } from "./problem.ts";
import type { RefState } from "./state.ts";
import type { RefWrite } from "./write-result.ts";

const WHOLE: ReadonlySet<string> = new Set(["model/import", "model/model_copy", "model/model_undelete"]);

/** Keeps every revision that a write has made. */
export function keepPast(
  state: RefState,
  action: string,
  write: RefWrite,
  facts: RefCommitFacts,
  tagsBefore: number,
): void {
  const entries = write.entries ?? [{ action, write }];
  const tags = structuredClone(state.tags);
  const madeWhole = !write.entries && WHOLE.has(action);
  const keep = (id: string, model: RefModel | undefined) => {
    const past = state.past.get(id) ?? [];
    const before = past.at(-1)?.model;
    const label = past.findLast((one) => one.model !== undefined)?.model?.version;
    const own = entries.filter(({ write: { ledger, changes } }) => ledger.id === id && changes.length > 0);
    const deleted = own.flatMap((one) => one.write.changes.flatMap((row) => (row.change === "delete" ? row.id : [])));
    const commit: RefCommit = {
      ...facts,
      revision: past.length + 1,
      actions: [...new Set(own.map((one) => one.action))],
      changes: changesBetween(before, model, new Set(deleted)),
      madeWhole: madeWhole && before === undefined,
      release: model && model.version !== label ? model.version : undefined,
      source: own.find((one) => one.write.source !== undefined)?.write.source,
      model: structuredClone(model),
      tags,
    };
    state.past.set(id, [...past, commit]);
    noteInRun(id, commit);
  };
  const noteInRun = (ledger: string, { revision, actions }: Pick<RefCommit, "revision" | "actions">) => {
    const { run, time, requestId } = facts;
    if (run !== undefined) state.runs.get(run)?.commits.push({ ledger, revision, time, requestId, actions });
  };
  for (const [id, model] of state.models) if (model.revision !== (state.past.get(id)?.length ?? 0)) keep(id, model);
  for (const [id, past] of state.past) if (past.at(-1)?.model && !state.models.has(id)) keep(id, undefined);
  const { id, revision } = state.tags;
  const ofTags = entries.filter((one) => one.write.ledger.id === id && one.write.changes.length > 0);
  if (revision > tagsBefore) noteInRun(id, { revision, actions: [...new Set(ofTags.map((one) => one.action))] });
}

/** Rows of the objects that changed; an object deleted with its owner has no row. */
function changesBetween(before: RefModel | undefined, after: RefModel | undefined, deleted: ReadonlySet<string>) {
  const [old, now] = [imagesOf(before), imagesOf(after)];
  const rows: RefHistoryChange[] = [];
  for (const [id, { kind, key, members }] of now) {
    const was = old.get(id);
    if (!was) rows.push({ change: "create", kind, id, key, after: shown(members, Object.keys(members)) });
    else {
      const moved = changedMembers(was, members);
      const sides = { before: shown(was.members, moved), after: shown(members, moved) };
      if (moved.length > 0) rows.push({ change: "update", kind, id, key, ...sides });
    }
  }
  for (const [id, { kind, key, members }] of old) {
    if (now.has(id) || (after ? !deleted.has(id) : id !== before?.id)) continue;
    rows.push({ change: "delete", kind, id, key, before: shown(members, Object.keys(members)) });
  }
  return rows;
}

function changedMembers(was: Image, members: Image["members"]): readonly string[] {
  const names = new Set([...Object.keys(was.members), ...Object.keys(members)]);
  return [...names].filter((name) => jsonOf(was.members[name]) !== jsonOf(members[name]));
}

const shown = (members: Image["members"], names: readonly string[]) =>
  // Its place among its siblings is no member that anybody sees.
  Object.fromEntries(names.filter((name) => name !== "order").map((name) => [name, members[name] ?? null]));

/** The parameters that name a moment of a model's past. */
export const MOMENT = { version: may("ModelVersion"), revision: may("ModelRevision") };

/** A version and a revision at once name nothing. */
export function checkMoment({ version, revision }: RefInput): void {
  if (version !== undefined && revision !== undefined) throw badParameters("/version", "/revision");
}

/** The commit that a version or a revision names; `not_found`, also for the one that deleted the model. */
export function commitAt(past: Asked["past"], version: unknown, revision: unknown) {
  const found = past.find((one) => (version === undefined ? one.revision === revision : one.release === version));
  if (found?.model) return { ...found, model: found.model };
  throw new Refusal("not_found", { mentions: [String(version ?? revision)] });
}
