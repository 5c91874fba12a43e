import { need, type Pin, type RefAction, type RefInput } from "./action.ts";
import { createWork, type Work } from "./batch-work.ts";
import { changesAre } from "./changes.ts";
import { addressed, decide, etagOf, mayRun, requirePinned } from "./decide.ts";
import { Like } from "./expected-answer.ts";
import { readSent } from "./payload.ts";
import { badParameters, Refusal } from "./problem.ts";
import { step } from "./properties.ts";
import type { RefWrite } from "./write-result.ts";

interface Entry {
  readonly group: string;
  readonly action: string;
  readonly payload?: Readonly<Record<string, unknown>> | null;
}

/** The result of an entry: the answer of a read, or the decision of a write. */
type Result = { readonly body: unknown; readonly revisionIn?: string } | { readonly write: RefWrite };

function actionOf(entry: Entry, person: Parameters<typeof mayRun>[0], all: Table): RefAction {
  const action = all[`${entry.group}/${entry.action}`];
  if (!action) throw new Refusal("unknown_action");
  mayRun(person, action.rule);
  return action;
}

/** Checks an entry before any entry runs: whether it fits a batch, and its parameters without results. */
function requireReadable(action: RefAction, entry: Entry, i: number) {
  requireFits(action, entry, i);
  const payload = entry.payload ?? {};
  const { strays, referring } = referencesOf(payload, i);
  const pointers = pointersOf(() => readSent(action.params, { query: [], body: payload })).filter(
    (pointer) => !referring.some((name) => `${pointer}/`.startsWith(`/${name}/`)),
  );
  if (strays.length + pointers.length > 0) throw badParameters(...strays, ...pointers);
}

/** References to what is no entry before, and the parameters that hold any reference. */
function referencesOf(payload: Readonly<Record<string, unknown>>, i: number) {
  const strays: string[] = [];
  const referring = new Set<string>();
  const walk = (value: unknown, at: string) => {
    const [, , marks = "", number = ""] = (typeof value === "string" && REFERENCE_TO.exec(value)) || [];
    if (marks !== "") referring.add(at.split("/")[1] ?? "");
    if (marks === "$" && (Number(number) < 1 || Number(number) > i)) strays.push(at);
    if (typeof value !== "object" || value === null) return;
    for (const [name, one] of Object.entries(value)) walk(one, at + step(name));
  };
  walk(payload, "");
  return { strays, referring: [...referring] };
}

function pointersOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (refusal) {
    if (refusal instanceof Refusal && refusal.code === "bad_parameters") return refusal.facts.pointers ?? [];
    throw refusal;
  }
}

function requireFits(action: RefAction, entry: Entry, i: number) {
  const names = Object.keys(action.params).filter((name) => action.params[name]?.required);
  const isOfOne =
    names.some((name) => /^(model|group|tagGroup|tag|definition)Ref$/.test(name)) || action.ledger !== undefined;
  const isAlone = action.alone || (action.manyModels && entry.action !== "import");
  if (isAlone || !(action.writes || isOfOne)) throw badParameters(`/actions/${i}/action`);
}

function requireAllReadable(actions: readonly RefAction[], entries: readonly Entry[]) {
  const refusals: Refusal[] = [];
  for (const [i, action] of actions.entries()) {
    try {
      asEntry(i, () => requireReadable(action, entries[i] as Entry, i));
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      refusals.push(refusal);
    }
  }
  const [first] = refusals;
  if (!first) return;
  const pointers = refusals.flatMap(({ facts }) => facts.pointers ?? []);
  throw new Refusal("bad_parameters", { ...first.facts, pointers });
}

type Table = Readonly<Record<string, RefAction>>;

/** Runs something for an entry; what it is refused for is of that entry. */
function asEntry<T>(i: number, something: () => T): T {
  try {
    return something();
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    const { code, facts } = refusal;
    const pointers = facts.pointers?.map((one) =>
      code === "bad_parameters" && !one.startsWith("/actions/") ? `/actions/${i}/payload${one}` : one,
    );
    throw new Refusal(code, { ...facts, ...(pointers && { pointers }), entry: i + 1 });
  }
}

/** `batch_run`: the entries one after the other on a copy of everything, which takes the place of the original at the end. */
export function batchAction(all: () => Table): RefAction {
  return {
    rule: "signed_in",
    writes: true,
    manyModels: true,
    params: { actions: need("List<BatchEntry>") },
    run: (asked) => {
      const entries = asked.input.actions as readonly Entry[];
      const actions = entries.map((entry, i) => asEntry(i, () => actionOf(entry, asked.person, all())));
      requireAllReadable(actions, entries);
      const work = createWork(asked.state);
      const results: Result[] = [];
      try {
        for (const [i, entry] of entries.entries()) {
          asEntry(i, () => {
            const action = actions[i] as RefAction;
            const payload = resolved(entry.payload ?? {}, results, work, `/actions/${i}/payload`);
            const input = readSent(action.params, { query: [], body: payload });
            results.push(ran(action, input));
          });
        }
      } catch (refusal) {
        requireEach(work, asked.pins);
        throw refusal;
      }
      requireEach(work, asked.pins);
      const unused = asked.pins.some((pin) => !work.opened.some(({ id, begun }) => id === pin.ledgerId && !begun));
      if (unused) throw new Refusal("bad_precondition");
      return { ...finished(work, results), entries: writesOf(entries, results) };

      function ran(action: RefAction, input: RefInput): Result {
        action.check?.(input);
        const ledger = addressed(action, input, work.state, false);
        if (ledger) work.open(ledger.id);
        const at = { state: work.state, now: 0, newId: asked.newId, newCursor: () => asked.cursorAfter("") };
        const made = decide(action, input, asked.person, at, {
          pins: [],
          seesDeleted: false,
          openTags: () => work.open("tags"),
          openDefinitions: () => work.open("tags"),
        });
        if (made.does === "write") {
          refuseAfterRelease(made, results, work);
          work.run(made);
          return { write: made };
        }
        const isPage = made.next !== undefined;
        const cursor = new Like("a cursor", (actual) => (typeof actual === "string" ? undefined : "none"));
        const body = isPage ? { ...Object(made.body), cursor } : made.body;
        return { body, ...(made.showsRevision && ledger && { revisionIn: ledger.id }) };
      }
    },
  };
}

/** The write of each entry that made one, with the action that it was. */
function writesOf(entries: readonly Entry[], results: readonly Result[]): NonNullable<RefWrite["entries"]> {
  return results.flatMap((result, i) =>
    "write" in result ? [{ action: `${entries[i]?.group}/${entries[i]?.action}`, write: result.write }] : [],
  );
}

/** A batch makes one revision, so nothing comes after a release; that of a new model is of what it is filled with. */
function refuseAfterRelease(made: RefWrite, before: readonly Result[], work: Work) {
  const isReleased = before.some(
    (one) => "write" in one && one.write.releases && one.write.ledger.id === made.ledger.id,
  );
  if (!isReleased || made.changes.length === 0) return;
  const isNew = work.opened.some(({ id, begun }) => id === made.ledger.id && begun);
  if (made.releases || !isNew) throw badParameters();
}

/** The revisions that the caller named are those at which the batch found what it opened. */
function requireEach(work: Work, pins: readonly Pin[]) {
  for (const { id, before, begun } of work.opened) {
    const own = pins.filter((pin) => pin.ledgerId === id);
    if (!begun) requirePinned({ id, revision: before }, own);
  }
}

function bodyOf(result: Result, revisionOf: (id: string) => number): unknown {
  if ("body" in result) {
    const { body, revisionIn } = result;
    return revisionIn === undefined ? body : { ...Object(body), revision: revisionOf(revisionIn) };
  }
  const { subject, ledger, changes, extra } = result.write;
  const revision = revisionOf(ledger.id);
  return { status: "ok", id: subject.id, key: subject.key, revision, changed: changes.length > 0, ...extra };
}

function finished(work: Work, results: readonly Result[]): RefWrite {
  const { opened, rows, changed } = work.finish();
  const models = opened.filter(({ id }) => id !== "tags");
  const inOrder = [...models, ...opened.filter((one) => !models.includes(one))];
  const [only, another] = models.length > 0 ? models : opened;
  const etag = only && !another ? etagOf(only) : undefined;
  const body = {
    status: "ok",
    changed,
    results: results.map((result) => bodyOf(result, work.lastRevisionOf)),
    revisions: inOrder.map(({ id, key, revision }) => ({ id, key, revision })),
  };
  const recorded = {
    ...body,
    results: body.results.map((one, i) => ("write" in (results[i] ?? {}) ? one : { omitted: true })),
  };
  return {
    does: "write",
    subject: { id: "", key: "" },
    ledger: { id: "", revision: 0 },
    changes: [],
    whole: { body, recorded, etag, changed, rows: changesAre(rows.sure, rows.maybe) },
    apply: work.keep,
  };
}

const REFERENCE_TO = /^((?:id|key):)?(\$+)(\d+)\.([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)$/;

/** A payload with `$<n>.<member>` replaced by what entry n came to. */
function resolved(payload: unknown, results: readonly Result[], work: Work, place: string): unknown {
  const pointers: string[] = [];
  const walk = (value: unknown, at: string): unknown => {
    if (typeof value === "string") return replaced(value, at);
    if (Array.isArray(value)) return value.map((one, i) => walk(one, `${at}/${i}`));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one, at + step(name))]));
  };
  const replaced = (text: string, at: string): unknown => {
    const [, scheme = "", marks = "", number = "", path = ""] = REFERENCE_TO.exec(text) ?? [];
    if (marks === "") return text;
    if (marks.length > 1) return text.replace("$", "");
    const result = results[Number(number) - 1];
    let found = result && bodyOf(result, work.revisionOf);
    for (const member of path.split(".")) found = found && Reflect.get(Object(found), member);
    if (found === undefined || (scheme !== "" && typeof found !== "string")) {
      pointers.push(at);
      return text;
    }
    return scheme === "" ? found : scheme + found;
  };
  const done = walk(payload, place);
  if (pointers.length > 0) throw badParameters(...pointers);
  return done;
}
