import { type Asked, may, need, type RefAction } from "./action.ts";
import { actorIdOf, type Person } from "./callers.ts";
import type { RefRun } from "./commits.ts";
import { jsonOf } from "./constraints.ts";
import { imagesOf } from "./images.ts";
import { PAGING, placeOf } from "./lists.ts";
import { Refusal } from "./problem.ts";
import type { RefState } from "./state.ts";
import { readBy } from "./texts.ts";

/** Refuses the run of somebody else, and one that is not there. */
export function requireOwnRun(run: string | undefined, { runs }: RefState, person: Person | undefined): void {
  if (run !== undefined && runs.get(run)?.own.actor !== actorIdOf(person)) throw new Refusal("not_allowed");
}

const mayRead = ({ own }: RefRun, { person }: Asked) =>
  person?.permissions.has("admin") || own.actor === actorIdOf(person);

/** A page of rows, each with its place. */
function pageOf<T extends { readonly place: string }>(asked: Asked, all: readonly T[]) {
  const after = placeOf(asked);
  const rows = all.slice(all.findIndex(({ place }) => place === after) + 1);
  const shown = rows.slice(0, Number(asked.input.limit ?? rows.length));
  const last = shown.at(-1);
  return { shown, ...(last && shown.length < rows.length && { next: asked.cursorAfter(last.place) }) };
}

/** The objects that a commit changed, and those of which everything that it changed is as it left it. */
function standingOf({ past, models }: RefState, id: string, revision: number) {
  const commits = past.get(id) ?? [];
  const now = imagesOf(models.get(id));
  const [before, after] = [revision - 2, revision - 1].map((at) => imagesOf(commits[at]?.model));
  const rows = commits[revision - 1]?.changes ?? [];
  const standing = rows.filter((row) => {
    const [was, then, is] = [before, after, now].map((images) => images?.get(row.id)?.members);
    if (!then || !is) return !then && !is;
    const names = Object.keys({ ...was, ...then }).filter((name) => jsonOf(was?.[name]) !== jsonOf(then[name]));
    return names.every((name) => jsonOf(is[name]) === jsonOf(then[name]));
  });
  return { changes: rows.length, standing: standing.length };
}

function runGot(asked: Asked): ReturnType<RefAction["run"]> {
  const { state, input, person } = asked;
  const ref = String(input.runRef);
  const run = state.runs.get(ref.slice(3).toLowerCase());
  if (!run || !mayRead(run, asked)) throw new Refusal("not_found", { mentions: [ref] });
  const rows = run.commits
    .map((one) => ({ ...one, place: `${one.ledger} ${String(one.revision).padStart(12, "0")}` }))
    .sort((a, b) => (a.place < b.place ? -1 : 1));
  const { shown, ...next } = pageOf(asked, rows);
  const items = shown.flatMap(({ ledger: id, place: _, ...facts }) => {
    if (id === state.tags.id) return [{ ledger: "tags", ...facts }];
    const isSeen = person?.permissions.has("model_read") && (state.models.has(id) || person.permissions.has("admin"));
    const key = state.past.get(id)?.findLast(({ model }) => model !== undefined)?.model?.key;
    const counts = input.standing === true && standingOf(state, id, facts.revision);
    return isSeen ? [{ ledger: "model", modelId: id, modelKey: key, ...facts, ...counts }] : [];
  });
  return { does: "read", body: { ...run.own, items }, ...next };
}

/** The `run_*` actions. */
export const RUN_ACTIONS: Readonly<Record<string, RefAction>> = {
  "model/run_begin": readBy(
    "signed_in",
    { title: need("TextSingleLine"), purpose: may("TextMarkdown"), evidence: may("Link") },
    ({ state, input, person, newId, time }) => {
      const own = { id: newId(), ...input, actor: actorIdOf(person), begun: time };
      return { does: "read", body: own, apply: () => state.runs.set(own.id, { own, commits: [] }) };
    },
  ),
  "model/run_list": readBy("signed_in", PAGING, (asked) => {
    const runs = [...asked.state.runs.values()].filter((run) => mayRead(run, asked)).toReversed();
    const { shown, ...next } = pageOf(
      asked,
      runs.map(({ own }) => ({ ...own, place: own.id })),
    );
    return { does: "read", body: { items: shown.map(({ place: _, ...own }) => own) }, ...next };
  }),
  "model/run_get": readBy("signed_in", { runRef: need("RunRef"), standing: may("Boolean"), ...PAGING }, runGot),
};
