import { type Asked, may, need, type RefAction, type RefRead } from "./action.ts";
import type { RefCommit, RefHistoryChange } from "./commits.ts";
import { Like } from "./expected-answer.ts";
import { PAGING, placeOf } from "./lists.ts";
import { Refusal } from "./problem.ts";
import { read } from "./texts.ts";

/** All calls of a history have the same channel; entries of a batch have the channel of the batch. */
const factsOf = ({ revision, time, actor, requestId, run, source, actions }: RefCommit) => {
  return { revision, time, actor, channel: "http", requestId, run, source, actions };
};

function versions(asked: Asked): RefRead {
  const { past, input } = asked;
  const place = placeOf(asked);
  const all = past.filter(({ release }) => release !== undefined).toReversed();
  const rows = all.filter(({ revision }) => place === undefined || revision < Number(place));
  const shown = rows.slice(0, Number(input.limit ?? rows.length));
  const items = shown.map((commit) => ({ version: commit.release, ...factsOf(commit) }));
  const last = shown.at(-1);
  const next = shown.length < rows.length && last && { next: asked.cursorAfter(String(last.revision)) };
  return { does: "read", body: { items }, ...next };
}

function changesOf(
  commit: RefCommit,
  objectId: string | undefined,
): readonly (RefHistoryChange & { readonly counts?: object })[] {
  const { changes, madeWhole, model } = commit;
  if (!madeWhole || !model || objectId !== undefined)
    return changes.filter(({ id }) => objectId === undefined || id === objectId);
  const counts: Record<string, number> = {};
  for (const { kind } of changes) counts[kind] = (counts[kind] ?? 0) + 1;
  return [{ change: "create", kind: "model", id: model.id, key: model.key, counts }];
}

function shownChange(row: Row["shown"]): Row["shown"] {
  const shown = Object.entries(row).map(([member, value]) => {
    const isImage = (member === "before" || member === "after") && value !== undefined;
    return [member, isImage ? membersOf(Object(value)) : value];
  });
  return Object.fromEntries(shown);
}

function membersOf(members: Readonly<Record<string, unknown>>) {
  const shown = Object.entries(members).map(([name, value]) =>
    (name === "tags" || name === "globalTags") && Array.isArray(value) ? [name, inAnyOrder(value)] : [name, value],
  );
  return Object.fromEntries(shown);
}

function inAnyOrder(ids: readonly unknown[]): Like {
  return new Like(`${JSON.stringify(ids)} in any order`, (actual, differs) => {
    const told: unknown[] = Array.isArray(actual) ? [...actual] : [];
    const missing = ids.filter((id) => {
      const at = told.findIndex((one) => differs(id, one) === undefined);
      if (at >= 0) told.splice(at, 1);
      return at < 0;
    });
    return missing.length + told.length > 0 ? `${JSON.stringify(actual)}` : undefined;
  });
}

interface Row {
  readonly revision: number;
  readonly index: number;
  readonly shown: Pick<RefHistoryChange, "change" | "kind" | "key">;
}

/** The changes that a version released, or those that are not released yet, oldest first. */
function versionChanges(asked: Asked): RefRead {
  const { past, input } = asked;
  const { version, limit } = input;
  const objectId = input.objectId === undefined ? undefined : String(input.objectId).replace(/^id:/, "").toLowerCase();
  const at = version === undefined ? past.length : past.findIndex(({ release }) => release === version);
  if (at < 0) throw new Refusal("not_found", { mentions: [String(version)] });
  const from = past.findLastIndex(({ release }, i) => i < at && release !== undefined) + 1;
  const [fromRevision = 0, fromIndex = 0] = (placeOf(asked) ?? "").split(".").map(Number);
  const all = past.slice(from, at + 1).flatMap((commit) =>
    changesOf(commit, objectId).map((change, index): Row => {
      // A change has these members whatever else it has.
      const shown = shownChange({ ...factsOf(commit), ...change });
      return { revision: commit.revision, index, shown };
    }),
  );
  const rows = all.filter(
    ({ revision, index }) => revision > fromRevision || (revision === fromRevision && index >= fromIndex),
  );
  if (rows.length === 0 && objectId !== undefined && !past.some((commit) => changesOf(commit, objectId).length > 0))
    throw new Refusal("not_found", { mentions: [objectId] });
  const page = rows.slice(0, Number(limit ?? rows.length));
  const follows = rows[page.length];
  const next = follows ? { next: asked.cursorAfter(`${follows.revision}.${follows.index}`) } : {};
  return { does: "read", body: { items: rowsOfCommits(page, all) }, ...next };
}

/** Expects so many rows of each of these commits, in any order within one: a commit happens at once. */
function rowsOfCommits(page: readonly Row[], all: readonly Row[]): Like {
  const wanted = page.map(({ revision }) => revision);
  const told = JSON.stringify(page.map(({ shown }) => shown));
  return new Like(`rows of the revisions ${wanted}: ${told.slice(0, 2_000)}`, (actual, differs) => {
    const rows = Array.isArray(actual) ? (actual as Row["shown"][]) : [];
    if (rows.length !== page.length) return `${rows.length} rows, ${JSON.stringify(actual)?.slice(0, 2_000)}`;
    const left = [...all];
    for (const [i, row] of rows.entries()) {
      const fits = ({ revision, shown }: Row) =>
        revision === wanted[i] && shown.change === row.change && shown.kind === row.kind && shown.key === row.key;
      const candidates = left.filter(fits);
      const found = candidates.find(({ shown }) => differs(shown, row) === undefined);
      if (!found) return candidates[0] ? differs(candidates[0].shown, row) : `a row too many, ${JSON.stringify(row)}`;
      left.splice(left.indexOf(found), 1);
    }
    return undefined;
  });
}

const modelRef = need("ModelRef");
const reads = (params: RefAction["params"], run: RefAction["run"]): RefAction => ({ ...read(params, run), past: true });

export const HISTORY_ACTIONS: Readonly<Record<string, RefAction>> = {
  "model/history_versions": reads({ modelRef, ...PAGING }, versions),
  "model/history_version_changes": reads(
    { modelRef, version: may("ModelVersion"), objectId: may("ObjectId"), ...PAGING },
    versionChanges,
  ),
};
