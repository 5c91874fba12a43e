import type { Pin, RefAction } from "./action.ts";
import { actorIdOf, type CallerName, PEOPLE, type Person } from "./callers.ts";
import { changesAre } from "./changes.ts";
import { jsonOf } from "./constraints.ts";
import { addressed, type Circumstances, decide, etagOf, isOfModel, mayRun, requirePinned } from "./decide.ts";
import { type Expected, type ExpectedAnswer, Like } from "./expected-answer.ts";
import { keepPast } from "./past.ts";
import { readSent, type SentPayload } from "./payload.ts";
import { Refusal } from "./problem.ts";
import { requireOwnRun } from "./runs.ts";
import type { RefState } from "./state.ts";
import { REFERENCE } from "./table.ts";
import type { Ledger, RefWrite } from "./write-result.ts";

/** The controls that a caller sends beside the parameters. Ids are the reference's own. */
export interface SentControls {
  readonly ifMatch?: readonly Pin[];
  readonly ifNoneMatch?: readonly string[];
  readonly dryRun?: true;
  readonly idempotencyKey?: string;
  /** Id of the run that the call belongs to. */
  readonly run?: string;
}

/** One call as the reference sees it. */
export interface SentCall {
  readonly action: string;
  readonly caller: CallerName;
  readonly payload: SentPayload;
  readonly controls: SentControls;
}

const KEPT_MS = 48 * 3_600_000;

/** The answer that the service has to give to a call, with the effects it has to have; `apply` makes them happen. */
export interface Judgement {
  readonly expected: Expected;
  readonly apply: () => void;
}

/** Judges a call; nothing changes before `apply`. */
export function judge(call: SentCall, at: Circumstances): Judgement {
  try {
    return answerOf(call, at);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { expected: { refusal }, apply: () => undefined };
  }
}

/** Judges a call in the order of the contract's section 4: action, token, rule, parameters, objects, business rules. */
function answerOf(call: SentCall, at: Circumstances): Judgement {
  const action = REFERENCE[call.action];
  if (!action) throw new Refusal("unknown_action");
  const person = personOf(call.caller, action.rule);
  const input = readSent(action.params, call.payload);
  checkControls(action, call.controls);
  requireOwnRun(call.controls.run, at.state, person);
  const slot = `${person?.username}|${call.action}|${call.controls.idempotencyKey}`;
  const fingerprint = jsonOf(input);
  const isKeyed = call.controls.idempotencyKey !== undefined;
  const record = isKeyed ? at.state.records.get(slot) : undefined;
  if (record && at.now - record.madeAt < KEPT_MS) {
    if (record.fingerprint !== fingerprint) throw new Refusal("idempotency_key_reused");
    return { expected: { answer: { ...record.answer, replayed: true } }, apply: () => undefined };
  }
  action.check?.(input);
  const seesPast = action.past === true && (person?.permissions.has("admin") ?? false);
  const seesDeleted = seesPast || action.findsDeleted === true;
  const ledger = addressed(action, input, at.state, seesDeleted);
  // The entity tag of a past state is known only when that was found.
  const asksForPast = action.past === true && (input.version ?? input.revision) !== undefined;
  if (ledger) {
    const read = unmoved(ledger, asksForPast ? {} : call.controls, at.state);
    if (read) return { expected: { answer: read }, apply: () => undefined };
  }
  let sawTags = false;
  const made = decide(action, input, person, at, {
    pins: call.controls.ifMatch ?? [],
    seesDeleted,
    openTags: () => {
      sawTags = true;
    },
    openDefinitions: () => undefined,
  });
  if (made.does === "read") {
    const { next } = made;
    const body = made.showsRevision ? { ...Object(made.body), revision: ledger?.revision } : made.body;
    const tags = sawTags && ledger !== at.state.tags ? `.${at.state.tags.revision}` : "";
    const etag = made.etag ?? (ledger && `${etagOf(ledger)}${tags}`);
    const held = call.controls.ifNoneMatch ?? [];
    if (asksForPast && etag !== undefined && (held.includes(etag) || held.includes("*")))
      return { expected: { answer: { body: undefined, etag, notModified: true } }, apply: () => undefined };
    const answer = { body, etag, ...(next !== undefined && { next }) };
    return { expected: { answer }, apply: made.apply ?? (() => undefined) };
  }
  const dryRun = call.controls.dryRun === true;
  const answer = formatWritten(made, dryRun);
  const recorded = made.whole ? { ...answer, body: made.whole.recorded } : answer;
  return {
    expected: { answer },
    apply: () => {
      if (dryRun) return;
      if (changesAnything(made)) {
        const { state, requestId } = at;
        const tagsBefore = state.tags.revision;
        made.apply();
        const { run } = call.controls;
        const facts = { time: new Date(at.now).toISOString(), actor: actorIdOf(person), ...(run && { run }) };
        if (requestId !== undefined) keepPast(state, call.action, made, { ...facts, requestId }, tagsBefore);
      }
      if (isKeyed) at.state.records.set(slot, { fingerprint, answer: recorded, madeAt: at.now });
    },
  };
}

function personOf(caller: CallerName, rule: string): Person | undefined {
  const person = PEOPLE.get(caller);
  if (caller === "invalid" || caller === "expired") throw new Refusal("not_signed_in");
  if (caller === "disabled") throw new Refusal("actor_disabled");
  mayRun(person, rule);
  return person;
}

/** Refuses controls that do not fit the action; none is ever ignored (contract, section 3). */
function checkControls(action: RefAction, controls: SentControls) {
  const { ifMatch = [], ifNoneMatch = [], dryRun, idempotencyKey, run } = controls;
  const isOfOne = concernsOne(action);
  const fits =
    (ifMatch.length === 0 || (action.writes && isOfOne && ifMatch.length === 1) || action.manyModels === true) &&
    (ifNoneMatch.length === 0 || (!action.writes && isOfOne)) &&
    ((dryRun === undefined && run === undefined) || action.writes) &&
    (idempotencyKey === undefined || (action.writes && dryRun === undefined));
  if (!fits) throw new Refusal("bad_precondition");
}

const concernsOne = (action: RefAction) =>
  action.ledger !== undefined ||
  isOfModel(action) ||
  Object.values(action.params).some(({ type }) => /^(TagGroup|GlobalTag|PropertyDefinition)Ref$/.test(type));

/** The pinned revision has to be the model's; a reader that has it already is told so. */
function unmoved(ledger: Ledger, { ifMatch = [], ifNoneMatch = [] }: SentControls, { tags }: RefState) {
  requirePinned(ledger, ifMatch);
  const etag = etagOf(ledger);
  const held = [etag, `${etag}.${tags.revision}`].find((one) => ifNoneMatch.includes(one));
  if (held === undefined && !ifNoneMatch.includes("*")) return undefined;
  return { body: undefined, etag: held ?? etag, notModified: true as const };
}

function changesAnything({ changes, whole }: RefWrite): boolean {
  return whole ? whole.changed : changes.length > 0;
}

function formatWritten(made: RefWrite, dryRun: boolean): ExpectedAnswer {
  const { subject, ledger, changes, extra, preview, whole } = made;
  const rows = whole?.rows ?? changesAre(changes);
  const rehearsed = dryRun ? { dryRun: true, changes: rows, ...preview } : {};
  // A dry run makes no revision, so there is none to pin.
  if (whole) return { body: { ...whole.body, ...rehearsed }, etag: dryRun && whole.changed ? undefined : whole.etag };
  const changed = changesAnything(made);
  const revision = ledger.revision + (changed ? 1 : 0);
  const body = { status: "ok", id: subject.id, key: subject.key, revision, changed, ...extra, ...rehearsed };
  if (!dryRun) return { body, etag: etagOf({ id: ledger.id, revision }) };
  // A dry run makes no revision, so its answer may name the present one or none.
  const etag = new Like("the tag of the present revision, or none", (actual, differs) =>
    actual === undefined ? undefined : differs(etagOf(ledger), actual),
  );
  return { body, etag };
}
