import type { SqlEnum, SqlName } from "../../ddl/names.ts";
import type { SqlSchema } from "../../ddl/schema.ts";
import type { SqlTable } from "../../ddl/tables.ts";
import { type KindedKey, listKeys, type MatchedSchema } from "./matched-schema.ts";
import { quoteName } from "./statements.ts";

/** A statement of a draft. */
export interface Step {
  readonly sql: string;
  /** Reason to comment the step out: it loses data, or existing rows may violate it. */
  readonly reason: string | undefined;
  readonly needs: Set<Step>;
  /** Marks of the names that the step takes, and of those that it releases. */
  readonly takes: readonly string[];
  readonly frees: readonly string[];
}

interface NewStep extends Partial<Pick<Step, "reason" | "takes" | "frees">> {
  readonly needs?: Iterable<Step>;
  readonly things?: readonly object[];
}

const HELD_DEPENDENCY = "It depends on another commented step.";
const HELD_NAME = "Its name is released by another commented step.";

/** The steps of a migration between two matched schemas, while they are collected. */
export class Drafting {
  readonly left: SqlSchema;
  readonly right: SqlSchema;
  readonly match: MatchedSchema;
  readonly enumNow = new Map<SqlEnum, string>();
  readonly #steps: Step[] = [];
  readonly #byThing = new Map<object, Step[]>();
  #names = 0;

  constructor(left: SqlSchema, right: SqlSchema, match: MatchedSchema) {
    this.left = left;
    this.right = right;
    this.match = match;
  }

  add(sql: string, { reason, needs = [], takes = [], frees = [], things = [] }: NewStep = {}): Step {
    const step: Step = { ...{ sql, reason, takes, frees }, needs: new Set(needs) };
    this.#steps.push(step);
    for (const thing of things) this.#byThing.set(thing, [...(this.#byThing.get(thing) ?? []), step]);
    return step;
  }

  findSteps(...things: readonly (object | undefined)[]): readonly Step[] {
    return things.flatMap((thing) => (thing === undefined ? [] : (this.#byThing.get(thing) ?? [])));
  }

  makeName(): string {
    return `metaction_aside_${++this.#names}`;
  }

  listSteps(): readonly (readonly [step: Step, held: string | undefined])[] {
    const reasons = findHeldSteps(this.#steps);
    return this.#steps.map((step) => [step, reasons.get(step)] as const);
  }
}

/** Makes steps depend on each other. */
export function tieSteps(...steps: readonly (Step | undefined)[]): void {
  const all = steps.filter((step) => step !== undefined);
  for (const one of all) for (const other of all) if (one !== other) one.needs.add(other);
}

/** Comments out temporary drops together with the step that needs them. */
export function holdWith(step: Step, drops: readonly Step[]): void {
  for (const drop of drops) if (drop.reason === undefined) drop.needs.add(step);
}

function findHeldSteps(steps: readonly Step[]): ReadonlyMap<Step, string> {
  const reasons = new Map<Step, string>();
  for (const step of steps) if (step.reason !== undefined) reasons.set(step, step.reason);
  for (let before = -1; before < reasons.size; ) {
    before = reasons.size;
    const usedNames = new Set<string>();
    for (const step of steps) {
      if (!reasons.has(step)) {
        if (step.needs.values().some((one) => reasons.has(one))) reasons.set(step, HELD_DEPENDENCY);
        else if (step.takes.some((name) => usedNames.has(name))) reasons.set(step, HELD_NAME);
      }
      for (const name of step.frees) {
        if (reasons.has(step)) usedNames.add(name);
        else usedNames.delete(name);
      }
    }
  }
  return reasons;
}

/** Returns the scope of the names of tables, enums and keys. */
export function toSchemaScope(schema: string | undefined): string {
  return `in ${quoteName(schema ?? "")}`;
}

/** Returns the scope of column names. The table is the one on the left, or a new one. */
export function toColumnScope({ text }: SqlTable): string {
  return `of ${text}`;
}

/** Returns the scope of constraint names. */
export function toConstraintScope({ text }: SqlTable): string {
  return `constraints of ${text}`;
}

/** Returns the mark of a name in a scope. */
export function toNameMark(scope: string, name: string): string {
  return `${scope} ${quoteName(name)}`;
}

export function toObjectMark({ schema, name }: Pick<SqlName, "schema" | "name">): string {
  return toNameMark(toSchemaScope(schema), name);
}

/** Returns the marks of a key: its name and, for a primary key, its table. */
export function toKeyMarks({ schema }: SqlTable, { name, kind }: KindedKey, { text }: SqlTable): readonly string[] {
  return [toObjectMark({ schema, name }), ...(kind === "UNIQUE" ? [] : [`primary ${text}`])];
}

/** Returns the marks of a table and its keys. */
export function toTableMarks(table: SqlTable): readonly string[] {
  return [toObjectMark(table), ...listKeys(table).flatMap((key) => toKeyMarks(table, key, table))];
}

/** Returns the marks of all tables, enums and keys of a schema. */
export function listTakenNames({ tables, enums }: SqlSchema): ReadonlySet<string> {
  return new Set([...enums.map(toObjectMark), ...tables.flatMap(toTableMarks)]);
}
