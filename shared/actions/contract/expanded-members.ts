import type { KindName } from "../../domain/kinds.ts";

/** An object named by its id, of one of these kinds; attributes are looked for in their owner where that is told. */
export interface ObjectReference {
  readonly kinds: readonly KindName[];
  readonly id: string;
  readonly owner?: string | undefined;
}

/** Answers the key of an object, or the name of what has none; undefined where it is gone or the caller may not see it. */
export type LookUpName = (named: ObjectReference) => string | undefined;

/** An object in an answer, with the members that a read gave it. */
export type AnsweredRow = Readonly<Record<string, unknown>>;

/** Makes one member of a row that only `expand=keys` shows; undefined where there is nothing to show. */
export type ExpandMember = (row: AnsweredRow, nameOf: LookUpName) => unknown;

const expanders = new WeakMap<object, ExpandMember>();

/** Declares that members of this schema are shown with `expand=keys` only, and made by `expanding`. */
export function declareExpandedMember<S extends object>(schema: S, expanding: ExpandMember): S {
  expanders.set(schema, expanding);
  return schema;
}

/** The way to make a member of this schema; undefined for a member that reads give by themselves. */
export function getExpander(schema: object): ExpandMember | undefined {
  return expanders.get(schema);
}
