import {
  type Asked,
  type Expected,
  type ExpectedAnswer,
  Like,
  needNamed,
  type RefAction,
  type RefInput,
  type RefWrite,
} from "./reference-action.ts";
import { readSent, type SentPayload } from "./reference-payload.ts";
import { type CallerName, PEOPLE, type Person } from "./reference-people.ts";
import { Refusal } from "./reference-problem.ts";
import type { RefModel, RefState } from "./reference-state.ts";
import { REFERENCE } from "./reference-table.ts";

/** What a caller asks beside the parameters. Ids are the reference's own. */
export interface SentControls {
  readonly ifMatch?: readonly { readonly modelId: string; readonly revision: number }[];
  readonly ifNoneMatch?: readonly string[];
  readonly dryRun?: true;
  readonly idempotencyKey?: string;
}

/** One call as the reference sees it. */
export interface SentCall {
  /** `<group>/<action>` */
  readonly action: string;
  readonly caller: CallerName;
  readonly payload: SentPayload;
  readonly controls: SentControls;
}

/** Where the reference stands when a call comes. */
export interface Circumstances {
  readonly state: RefState;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly newId: () => string;
  readonly newCursor: () => string;
}

const KEPT_MS = 48 * 3_600_000;

/** What the service has to answer to a call, with everything that has to happen by it; `apply` makes it happen. */
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

/** In the order of the contract's section 4: action, token, rule, parameters, objects, business rules. */
function answerOf(call: SentCall, at: Circumstances): Judgement {
  const action = REFERENCE[call.action];
  if (!action) throw new Refusal("unknown_action");
  const person = personOf(call.caller, action.rule);
  const input = readSent(action.params, call.payload);
  checkControls(action, call.controls);
  const slot = `${person?.username}|${call.action}|${call.controls.idempotencyKey}`;
  const fingerprint = canonical(input);
  const record = call.controls.idempotencyKey === undefined ? undefined : at.state.records.get(slot);
  if (record && at.now - record.madeAt < KEPT_MS) {
    if (record.fingerprint !== fingerprint) throw new Refusal("idempotency_key_reused");
    return { expected: { answer: { ...record.answer, replayed: true } }, apply: () => undefined };
  }
  const model = addressed(action) ? needNamed(at.state.models.values(), input.modelRef) : undefined;
  if (model) {
    const read = unmoved(model, call.controls);
    if (read) return { expected: { answer: read }, apply: () => undefined };
  }
  const made = action.run(askedOf(action, input, model, person, at));
  if (made.does === "read") {
    const { body, next } = made;
    const etag = model && etagOf(model);
    return { expected: { answer: { body, etag, ...(next !== undefined && { next }) } }, apply: () => undefined };
  }
  const dryRun = call.controls.dryRun === true;
  const answer = writtenAnswer(made, dryRun);
  const keep = (): unknown =>
    call.controls.idempotencyKey !== undefined && at.state.records.set(slot, { fingerprint, answer, madeAt: at.now });
  return {
    expected: { answer },
    apply: () => {
      if (dryRun) return;
      if (made.changes.length > 0) made.apply();
      keep();
    },
  };
}

function personOf(caller: CallerName, rule: string): Person | undefined {
  const person = PEOPLE.get(caller);
  // A token that is not valid is refused whatever the action; only who sends none is anonymous.
  if (caller === "invalid" || caller === "expired") throw new Refusal("not_signed_in");
  if (caller === "disabled") throw new Refusal("actor_disabled");
  if (rule === "public") return person;
  if (!person) throw new Refusal("not_signed_in");
  if (rule !== "signed_in" && !person.permissions.has(rule)) throw new Refusal("not_allowed");
  return person;
}

const addressed = ({ params }: RefAction): boolean => params.modelRef !== undefined;

/** None is ever ignored (contract, section 3). */
function checkControls(action: RefAction, controls: SentControls): void {
  const { ifMatch = [], ifNoneMatch = [], dryRun, idempotencyKey } = controls;
  const fits =
    (ifMatch.length === 0 || (action.writes && addressed(action) && ifMatch.length === 1)) &&
    (ifNoneMatch.length === 0 || (!action.writes && addressed(action))) &&
    (dryRun === undefined || action.writes) &&
    (idempotencyKey === undefined || (action.writes && dryRun === undefined));
  if (!fits) throw new Refusal("bad_precondition");
}

/** The pinned revision has to be the model's; a reader that has it already is told so. */
function unmoved(model: RefModel, { ifMatch = [], ifNoneMatch = [] }: SentControls): ExpectedAnswer | undefined {
  for (const pin of ifMatch) {
    if (pin.modelId !== model.id || pin.revision !== model.revision) {
      throw new Refusal("precondition_failed", { currentRevision: model.revision });
    }
  }
  const etag = etagOf(model);
  if (!ifNoneMatch.includes(etag) && !ifNoneMatch.includes("*")) return undefined;
  return { body: undefined, etag, notModified: true };
}

function askedOf(
  action: RefAction,
  input: RefInput,
  model: RefModel | undefined,
  person: Person | undefined,
  { state, newId, newCursor }: Circumstances,
): Asked {
  const isPath = (name: string): boolean => action.params[name]?.type.endsWith("Ref") ?? false;
  const type = model && isPath("typeRef") ? needNamed(model.types, input.typeRef) : undefined;
  const entity = model && isPath("entityRef") ? needNamed(model.entities, input.entityRef) : undefined;
  const attribute = entity && isPath("attributeRef") ? needNamed(entity.attributes, input.attributeRef) : undefined;
  const cursorAfter = (key: string): string => {
    const cursor = newCursor();
    state.cursors.set(cursor, key);
    return cursor;
  };
  // The objects that the action's own parameters name are there; it asks for no others.
  return { state, input, person, newId, cursorAfter, model, type, entity, attribute } as Asked;
}

function writtenAnswer({ subject, model, changes, extra }: RefWrite, dryRun: boolean): ExpectedAnswer {
  const changed = changes.length > 0;
  const revision = model.revision + (changed ? 1 : 0);
  const body = {
    status: "ok",
    id: subject.id,
    key: subject.key,
    revision,
    changed,
    ...extra,
    ...(dryRun && { dryRun: true, changes: inAnyOrder(changes) }),
  };
  const tag = etagOf({ id: model.id, revision });
  return { body, etag: dryRun ? tagOfDryRun(model) : tag };
}

/** A dry run makes no revision, so its answer may name the present one or none. */
function tagOfDryRun(model: { readonly id: string; readonly revision: number }): Like {
  return new Like("the tag of the present revision, or none", (actual, differs) =>
    actual === undefined ? undefined : differs(etagOf(model), actual),
  );
}

const etagOf = ({ id, revision }: { readonly id: string; readonly revision: number }): string => `${id}-${revision}`;

function inAnyOrder(rows: RefWrite["changes"]): Like {
  return new Like(`these changes: ${JSON.stringify(rows)}`, (actual, differs) =>
    differs(sorted(rows), Array.isArray(actual) ? sorted(actual) : actual),
  );
}

const sorted = (rows: RefWrite["changes"]): readonly unknown[] =>
  [...rows].sort((a, b) => (`${a.change} ${a.kind} ${a.key}` < `${b.change} ${b.kind} ${b.key}` ? -1 : 1));

/** Equal parameters give equal text, in whatever way they were sent. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, v]) => v !== undefined);
  return `{${members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, v]) => `${JSON.stringify(name)}:${canonical(v)}`)}}`;
}
