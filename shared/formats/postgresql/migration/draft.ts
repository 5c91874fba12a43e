import { quoteName, type SqlEnum } from "../names.ts";
import type { SqlSchema } from "../schema.ts";
import { listKeys, type MatchedSchema } from "./matched-schema.ts";

/** One statement of a draft. */
export interface Step {
  readonly sql: string;
  /** Why it is held back: it loses something, or rows that are there may refuse it. */
  readonly reason: string | undefined;
  /** The steps without which it does not run, or has no sense; wherever they stand. */
  readonly needs: Set<Step>;
  /** The names that it takes, and those that it makes free. */
  readonly takes: readonly string[];
  readonly frees: readonly string[];
}

/** A step as it is added to a draft. */
export interface NewStep {
  readonly reason?: string | undefined;
  readonly needs?: Iterable<Step>;
  readonly takes?: readonly string[];
  readonly frees?: readonly string[];
}

/** A draft of a migration: its steps in the order in which they run. */
export interface Draft {
  add(sql: string, step?: NewStep): Step;
  /** The steps with the reasons for which some of them are held back. */
  listSteps(): readonly (readonly [step: Step, held: string | undefined])[];
}

const DEPENDS_ON_HELD = "It goes with a step that is held back.";
const NAME_IS_TAKEN = "A step that is held back would make its name free.";

/** A draft without steps. */
export function createDraft(): Draft {
  const steps: Step[] = [];
  return {
    add: (sql, { reason, needs = [], takes = [], frees = [] } = {}) => {
      const step: Step = { ...{ sql, reason, takes, frees }, needs: new Set(needs) };
      steps.push(step);
      return step;
    },
    listSteps: () => {
      const held = findHeldSteps(steps);
      return steps.map((step) => [step, held.get(step)] as const);
    },
  };
}

/** Makes steps hold each other back. */
export function tieSteps(...steps: readonly (Step | undefined)[]): void {
  const all = steps.filter((step) => step !== undefined);
  for (const one of all) for (const other of all) if (one !== other) one.needs.add(other);
}

/** The steps that are held back: those with a reason of their own, and those that cannot run without them. */
function findHeldSteps(steps: readonly Step[]): ReadonlyMap<Step, string> {
  const held = new Map<Step, string>();
  for (const step of steps) if (step.reason !== undefined) held.set(step, step.reason);
  for (let before = -1; before < held.size; ) {
    before = held.size;
    const taken = new Set<string>();
    for (const step of steps) {
      if (!held.has(step)) {
        if (step.needs.values().some((one) => held.has(one))) held.set(step, DEPENDS_ON_HELD);
        else if (step.takes.some((name) => taken.has(name))) held.set(step, NAME_IS_TAKEN);
      }
      for (const name of step.frees) {
        if (held.has(step)) taken.add(name);
        else taken.delete(name);
      }
    }
  }
  return held;
}

/** A draft that is being made, with what its parts have to know of each other. */
export interface Drafting {
  readonly draft: Draft;
  readonly left: SqlSchema;
  readonly right: SqlSchema;
  readonly matched: MatchedSchema;
  readonly interim: Interim;
  /** How enums of the left side that stay or go are called once everything is renamed, as statements have it. */
  readonly enumNow: Map<SqlEnum, string>;
  /** The steps that something of the right side needs to be there under its name. */
  findSteps(...things: readonly (object | undefined)[]): readonly Step[];
  /** Says that something of either side is not there, or not so, before a step. */
  addSteps(thing: object, ...steps: readonly Step[]): void;
}

/** A draft without steps, for two schemas that are matched. */
export function createDrafting(left: SqlSchema, right: SqlSchema, matched: MatchedSchema): Drafting {
  const steps = new Map<object, Step[]>();
  let count = 0;
  return {
    ...{ left, right, matched, draft: createDraft() },
    enumNow: new Map(),
    interim: { next: () => `metaction_aside_${++count}` },
    findSteps: (...things) => things.flatMap((thing) => (thing === undefined ? [] : (steps.get(thing) ?? []))),
    addSteps: (thing, ...made) => steps.set(thing, [...(steps.get(thing) ?? []), ...made]),
  };
}

/** The scope of the names of tables, enums and keys in a schema. */
export function toSchemaScope(schema: string | undefined): string {
  return `in ${quoteName(schema ?? "")}`;
}

/** The scope of the names of the columns of a table that is on the left, or comes. */
export function toColumnScope({ text }: { readonly text: string }): string {
  return `of ${text}`;
}

/** The scope of the names of the constraints of a table that is on the left, or comes. */
export function toConstraintScope({ text }: { readonly text: string }): string {
  return `constraints of ${text}`;
}

/** The mark of the one primary key of a table. */
export function toPrimaryKeyMark({ text }: { readonly text: string }): string {
  return `primary ${text}`;
}

/** The marks of a constraint: its name, and that it is the primary key. */
export function toKeyMarks(
  table: { readonly text: string; readonly schema: string | undefined },
  key: { readonly name: string; readonly kind: string },
  owner: { readonly text: string },
): readonly string[] {
  return [
    toNameMark(toSchemaScope(table.schema), key.name),
    ...(key.kind === "UNIQUE" ? [] : [toPrimaryKeyMark(owner)]),
  ];
}

/** The names of tables, enums and keys of a schema with all it has, as marks. */
export function listTakenNames({ tables, enums }: SqlSchema): ReadonlySet<string> {
  return new Set([
    ...enums.map((one) => toNameMark(toSchemaScope(one.schema), one.name)),
    ...tables.flatMap((table) => [
      toNameMark(toSchemaScope(table.schema), table.name),
      ...listKeys(table).map((key) => toNameMark(toSchemaScope(table.schema), key.name)),
    ]),
  ]);
}

/** The mark of a name in its scope, as steps take it and make it free. */
export function toNameMark(scope: string, name: string): string {
  return `${scope} ${quoteName(name)}`;
}

/** A number for each name that stands in for a while. */
export interface Interim {
  next(): string;
}
