import { quoteName, type SqlEnum } from "../names.ts";
import type { SqlSchema } from "../schema.ts";
import { listKeys, type MatchedSchema } from "./matched-schema.ts";

/** A statement of a draft. */
export interface Step {
  readonly sql: string;
  /** Reason to comment the step out: it loses data, or existing rows may violate it. */
  readonly reason: string | undefined;
  /** Steps that must run for this step to be possible. */
  readonly needs: Set<Step>;
  /** Names that the step takes, and names that it releases. */
  readonly takes: readonly string[];
  readonly frees: readonly string[];
}

/** Options of a new step. */
export interface NewStep {
  readonly reason?: string | undefined;
  readonly needs?: Iterable<Step>;
  readonly takes?: readonly string[];
  readonly frees?: readonly string[];
}

/** A draft of a migration with its steps in order. */
export interface Draft {
  add(sql: string, step?: NewStep): Step;
  /** Returns each step with the reason why it is commented out, if any. */
  listSteps(): readonly (readonly [step: Step, held: string | undefined])[];
}

const DEPENDS_ON_HELD = "It depends on another commented step.";
const NAME_IS_TAKEN = "Its name is released by another commented step.";

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

/** Makes steps depend on each other. */
export function tieSteps(...steps: readonly (Step | undefined)[]): void {
  const all = steps.filter((step) => step !== undefined);
  for (const one of all) for (const other of all) if (one !== other) one.needs.add(other);
}

/** Returns the steps that are commented out: those with a reason and those that depend on them. */
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

/** State of a migration while its steps are collected. */
export interface Drafting {
  readonly draft: Draft;
  readonly left: SqlSchema;
  readonly right: SqlSchema;
  readonly matched: MatchedSchema;
  readonly interim: Interim;
  /** Names of enums of the left side after all renames. */
  readonly enumNow: Map<SqlEnum, string>;
  /** Returns the steps that make things available. */
  findSteps(...things: readonly (object | undefined)[]): readonly Step[];
  /** Records steps that change or remove a thing. */
  addSteps(thing: object, ...steps: readonly Step[]): void;
}

/** Creates the state for two matched schemas. */
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

/** Returns the scope of the names of tables, enums and keys. */
export function toSchemaScope(schema: string | undefined): string {
  return `in ${quoteName(schema ?? "")}`;
}

/** Returns the scope of column names. The table is the one on the left, or a new one. */
export function toColumnScope({ text }: { readonly text: string }): string {
  return `of ${text}`;
}

/** Returns the scope of constraint names. The table is the one on the left, or a new one. */
export function toConstraintScope({ text }: { readonly text: string }): string {
  return `constraints of ${text}`;
}

/** Returns the mark of the single primary key of a table. */
export function toPrimaryKeyMark({ text }: { readonly text: string }): string {
  return `primary ${text}`;
}

/** Returns the marks of a key: its name and, for a primary key, its table. */
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

/** Returns the marks of all tables, enums and keys of a schema. */
export function listTakenNames({ tables, enums }: SqlSchema): ReadonlySet<string> {
  return new Set([
    ...enums.map((one) => toNameMark(toSchemaScope(one.schema), one.name)),
    ...tables.flatMap((table) => [
      toNameMark(toSchemaScope(table.schema), table.name),
      ...listKeys(table).map((key) => toNameMark(toSchemaScope(table.schema), key.name)),
    ]),
  ]);
}

/** Returns the mark of a name in a scope. */
export function toNameMark(scope: string, name: string): string {
  return `${scope} ${quoteName(name)}`;
}

/** Generates temporary names. */
export interface Interim {
  next(): string;
}
