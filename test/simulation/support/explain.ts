import { includeMember } from "../../../shared/domain/model/content.ts";
import { createBinding, referenceId } from "../../guarantees/support/history/binding.ts";
import { differs } from "../../guarantees/support/history/differs.ts";
import { judge, type SentControls } from "../../guarantees/support/reference/answer.ts";
import type { RefCommit } from "../../guarantees/support/reference/commits.ts";
import type { Expected } from "../../guarantees/support/reference/expected-answer.ts";
import type { Named, RefModel, RefTags } from "../../guarantees/support/reference/objects.ts";
import { Refusal } from "../../guarantees/support/reference/problem.ts";
import type { RefState } from "../../guarantees/support/reference/state.ts";
import { type At, type Claim, TAGS } from "./claimed-revisions.ts";
import { type EndedOp, type LogRow, label, type Op, placeOf } from "./history.ts";

/** The reference on its way through the commits, in the order in which the table took them. */
export interface Replay {
  readonly state: RefState;
  /** The tags of all models, by revision. */
  readonly tags: readonly (RefTags | undefined)[];
  /** Does what a call did to the ledgers of these rows; answers what its answer says otherwise, whatever tags it met. */
  commit(op: Op, rows: readonly LogRow[], isAnswered: boolean, tagsMet: readonly number[]): readonly string[];
  /** The difference between the answer of a call and that of the reference now, with the tags of a revision. */
  differs(op: Op, tags: number | undefined): string | undefined;
}

/** Creates the replay. `guesses` has the states of other models that a call without an answer may have read. */
export function createReplay(
  state: RefState,
  claims: readonly Claim[],
  guesses: ReadonlyMap<Op, readonly (readonly At[])[]>,
): Replay {
  const tags: (RefTags | undefined)[] = [];
  tags[state.tags.revision] = structuredClone(state.tags);
  /** Models as they were where a call had several ledgers to read, by ledger and revision. */
  const read = new Map<string, RefModel | undefined>(
    [
      ...claims.flatMap(({ made, seen }) => (made.length + seen.length > 1 ? seen : [])),
      ...[...guesses.values()].flat(2),
    ].map((at) => [nameOf(at), undefined] as const),
  );
  const looksBack = claims.some(({ op }) => /^model\/model_(restore|undelete|undo)$/.test(op.call.action));
  let commits = 0;

  const keepRead = (model: RefModel) => {
    const name = nameOf({ ledger: model.id, revision: model.revision });
    if (read.has(name)) read.set(name, structuredClone(model));
  };
  /** Keeps a model as a commit left it; undefined where the commit deleted it. */
  const remember = ({ ledger, revision, request, run }: LogRow, model: RefModel | undefined) => {
    if (model) keepRead(model);
    if (!looksBack) return;
    const past = state.past.get(ledger) ?? [];
    // Restoring and undoing ask for nothing else; the caller is always the same.
    const facts = { requestId: request, run, actor: past[0]?.actor };
    const commit = { ...facts, revision, model: structuredClone(model), tags: state.tags, release: undefined };
    state.past.set(ledger, [...past, commit as unknown as RefCommit]);
  };

  for (const model of state.models.values()) keepRead(model);

  /** Runs something while the models that a call only read are as it saw them. */
  const withModels = <T>(op: Op, guess: readonly At[] | undefined, run: () => T): T => {
    const seen = guess ?? claims.find((claim) => claim.op === op)?.seen ?? [];
    if (seen.length === 0) return run();
    const now = new Map(state.models);
    for (const at of seen) {
      const then = read.get(nameOf(at));
      // It may be deleted by now.
      if (then) state.models.set(at.ledger, structuredClone(then));
    }
    const result = run();
    for (const { ledger } of seen) {
      const model = now.get(ledger);
      if (model) state.models.set(ledger, model);
      else state.models.delete(ledger);
    }
    return result;
  };

  const judged = (op: Op, newId: () => string) => {
    // Calls with one key are compared apart: here every call is the first of its key.
    state.records.clear();
    const newCursor = () => `${op.request} ${state.cursors.size}`;
    return judge({ ...op.call, controls: controlsOf(op) }, { state, now: 0, newId, newCursor });
  };

  const withTags = <T>(revision: number | undefined, run: () => T): T => {
    const seen = revision === undefined ? undefined : tags[revision];
    if (!seen) return run();
    const now = state.tags;
    Object.assign(state, { tags: seen });
    try {
      return run();
    } finally {
      Object.assign(state, { tags: now });
    }
  };

  const wrongAt = (op: Op, revision: number | undefined, isAnswered: boolean, guess?: readonly At[]) =>
    withTags(revision, () => {
      let made = 0;
      return withModels(op, guess, () => {
        const { expected } = judged(op, () => referenceId(0, made++));
        return isAnswered ? differs(createBinding(), asTold(op, expected), op.outcome, op.call) : refusalIn(expected);
      });
    });

  const commit: Replay["commit"] = (op, rows, isAnswered, tagsMet) => {
    const ofTags = rows.find(({ ledger }) => ledger === TAGS);
    // Of several models some may have used no tag since an earlier revision of the tags.
    const recordedTags = Math.max(0, ...rows.map((row) => row.tags));
    commits += 1;
    let made = 0;
    const newId = () => referenceId(commits, made++);
    const faults: string[] = [];
    // The log does not tell the revision of the tags that an entry of a batch only read.
    const isRecorded = recordedTags > 0 && op.call.action !== "batch/batch_run";
    const tagRevisions = ofTags ? [undefined] : isRecorded ? [recordedTags] : [...new Set([recordedTags, ...tagsMet])];
    const candidates = [undefined, ...(guesses.get(op) ?? [])].flatMap((guess) =>
      tagRevisions.map((tagRevision) => ({ guess, tagRevision })),
    );
    // With one candidate it is judged once, while it is done.
    const right =
      candidates.length > 1
        ? candidates.find(({ guess, tagRevision }) => wrongAt(op, tagRevision, isAnswered, guess) === undefined)
        : undefined;
    const { guess, tagRevision } = right ?? { guess: undefined, tagRevision: tagRevisions[0] };
    withTags(tagRevision, () => {
      const binding = createBinding();
      withModels(op, guess, () => {
        const { expected, apply } = judged(op, newId);
        const what = isAnswered ? differs(binding, asTold(op, expected), op.outcome, op.call) : refusalIn(expected);
        if (what !== undefined) faults.push(`${rows.map(named).join(" and ")}, ${label(op)}: ${what}`);
        const before = guess?.map(({ ledger }) => JSON.stringify(state.models.get(ledger)));
        apply();
        for (const [i, at] of (guess ?? []).entries()) {
          if (JSON.stringify(state.models.get(at.ledger)) === before?.[i]) continue;
          const place = `${at.ledger} as it was at revision ${at.revision}`;
          faults.push(`${label(op)} changes ${place}, and its log has no entry`);
        }
      });
      for (const row of rows) {
        const { ledger, revision, made: objects, run } = row;
        if (run !== op.call.controls.run) faults.push(`${named(row)} is of the run ${run}, ${label(op)}`);
        if (ledger === TAGS) continue;
        const model = [...state.models.values()].find(({ id }) => id === ledger || (revision === 1 && isOurs(id)));
        if (!model) {
          remember(row, undefined);
          continue;
        }
        const renamed = withRealIds(model, objects);
        for (const [ours, real] of renamed.ids) {
          const wrong = isAnswered ? binding.differs(ours, real) : undefined;
          if (wrong !== undefined) faults.push(`${label(op)} told the id of another object${wrong}`);
        }
        state.models.delete(model.id);
        state.models.set(ledger, { ...renamed.model, revision });
        remember(row, state.models.get(ledger));
      }
    });
    if (ofTags) {
      const real = withRealIds(state.tags, ofTags.made);
      Object.assign(state, { tags: real.model });
      tags[ofTags.revision] = structuredClone(real.model);
    }
    return faults;
  };

  return { state, tags, commit, differs: (op, revision) => wrongAt(op, revision, true) };
}

const nameOf = ({ ledger, revision }: At) => `${ledger} ${revision}`;
const named = ({ ledger, revision }: LogRow) => `revision ${revision} of ${ledger}`;

/** The expected outcome as the answer of a call tells it: of the refusal of a job only the code and the mentions. */
function asTold({ isJob }: EndedOp, expected: Expected): Expected {
  if (!isJob || !("refusal" in expected)) return expected;
  const { code, facts } = expected.refusal;
  return { refusal: new Refusal(code, includeMember("mentions", facts.mentions)) };
}

function refusalIn(expected: Expected): string | undefined {
  return "refusal" in expected ? `done, though it had to be refused: ${expected.refusal.code}` : undefined;
}

const OURS = /00000000-0000-4000-8000-[0-9a-f]{12}/;
const isOurs = (id: string) => OURS.test(id);

/** A ledger with the ids of the log in place of those that the reference made up; an object is told by its place. */
function withRealIds<T extends RefModel | RefTags>(ledger: T, made: LogRow["made"]) {
  if (made.length === 0) return { model: ledger, ids: [] };
  const real = new Map(made.map(({ place, id }) => [place, id]));
  const ids = new Map<string, string>();
  const find = (kind: string, owner: string, object: Named) => {
    const id = isOurs(object.id) ? real.get(placeOf(kind, ids.get(owner) ?? owner, object.key)) : undefined;
    if (id !== undefined) ids.set(object.id, id);
  };
  if ("groups" in ledger) {
    for (const group of ledger.groups) {
      find("tag_group", "", group);
      for (const tag of group.tags) find("global_tag", group.id, tag);
    }
  } else {
    find("model", "", { id: ledger.id, key: "" });
    for (const type of ledger.types) find("type", "", type);
    for (const tag of ledger.localTags) find("tag", "", tag);
    for (const holder of ledger.entities) find("entity", "", holder);
    for (const holder of ledger.relationships) {
      find("relationship", "", holder);
      for (const role of holder.roles) find("role", holder.id, role);
    }
    for (const holder of [...ledger.entities, ...ledger.relationships])
      for (const attribute of holder.attributes) find("attribute", holder.id, attribute);
    for (const businessKey of ledger.businessKeys) find("business_key", "", businessKey);
  }
  if (ids.size === 0) return { model: ledger, ids: [] };
  const text = JSON.stringify(ledger).replace(new RegExp(OURS, "g"), (id) => ids.get(id) ?? id);
  return { model: JSON.parse(text) as T, ids: [...ids] };
}

/** Whoever guessed the tag of a revision that came while it was answered may be sent that revision all the same. */
function controlsOf({ call: { controls }, outcome }: Op): SentControls {
  if ("answer" in outcome && outcome.answer.notModified) return controls;
  const { ifNoneMatch: _, ...others } = controls;
  return "answer" in outcome ? others : controls;
}
