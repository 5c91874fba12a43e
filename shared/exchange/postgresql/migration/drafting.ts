import type { SqlEnum } from "../enums.ts";
import type { SqlSchema } from "../schema.ts";
import { sqlName } from "../sql-text.ts";
import { createDraft, type Draft, type Step } from "./draft.ts";
import { keysOf, type MatchedSchema } from "./matched-schema.ts";
import { type Interim, nameIn } from "./rename.ts";

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
  ready(...things: readonly (object | undefined)[]): readonly Step[];
  /** Says that something of either side is not there, or not so, before a step. */
  by(thing: object, ...steps: readonly Step[]): void;
}

/** A draft without steps, for two schemas that are matched. */
export function createDrafting(left: SqlSchema, right: SqlSchema, matched: MatchedSchema): Drafting {
  const steps = new Map<object, Step[]>();
  let count = 0;
  return {
    ...{ left, right, matched, draft: createDraft() },
    enumNow: new Map(),
    interim: { next: () => `metaction_aside_${++count}` },
    ready: (...things) => things.flatMap((thing) => (thing === undefined ? [] : (steps.get(thing) ?? []))),
    by: (thing, ...made) => steps.set(thing, [...(steps.get(thing) ?? []), ...made]),
  };
}

/** The scope of the names of tables, enums and keys in a schema. */
export function scopeOf(schema: string | undefined): string {
  return `in ${sqlName(schema ?? "")}`;
}

/** The scope of the names of the columns of a table that is on the left, or comes. */
export function columnScope({ text }: { readonly text: string }): string {
  return `of ${text}`;
}

/** The scope of the names of the constraints of a table that is on the left, or comes. */
export function constraintScope({ text }: { readonly text: string }): string {
  return `constraints of ${text}`;
}

/** The mark of the one primary key of a table. */
export function primaryMark({ text }: { readonly text: string }): string {
  return `primary ${text}`;
}

/** The marks of a constraint: its name, and that it is the primary key. */
export function keyMarks(
  table: { readonly text: string; readonly schema: string | undefined },
  key: { readonly name: string; readonly sort: string },
  owner: { readonly text: string },
): readonly string[] {
  return [nameIn(scopeOf(table.schema), key.name), ...(key.sort === "UNIQUE" ? [] : [primaryMark(owner)])];
}

/** The names of tables, enums and keys of a schema with all it has, as marks. */
export function namesOf({ tables, enums }: SqlSchema): ReadonlySet<string> {
  return new Set([
    ...enums.map((one) => nameIn(scopeOf(one.schema), one.name)),
    ...tables.flatMap((table) => [
      nameIn(scopeOf(table.schema), table.name),
      ...keysOf(table).map((key) => nameIn(scopeOf(table.schema), key.name)),
    ]),
  ]);
}
