import type { KindName } from "../../domain/kinds.ts";

/** An object named by its id, of one of these kinds; attributes are looked for in their owner where that is told. */
export interface NamedById {
  readonly kinds: readonly KindName[];
  readonly id: string;
  readonly owner?: string | undefined;
}

/** Answers the key of an object, or the name of what has none; undefined where it is gone or the caller may not see it. */
export type NameOf = (named: NamedById) => string | undefined;

/** An object in an answer, with the members that a read gave it. */
export type AnsweredRow = Readonly<Record<string, unknown>>;

/** Makes one member of a row that only `expand=keys` shows; undefined where there is nothing to show. */
export type Expanding = (row: AnsweredRow, nameOf: NameOf) => unknown;

const expandings = new WeakMap<object, Expanding>();

/** Declares that members of this schema are shown with `expand=keys` only, and made by `expanding`. */
export function declareExpanding<S extends object>(schema: S, expanding: Expanding): S {
  expandings.set(schema, expanding);
  return schema;
}

/** The way to make a member of this schema; undefined for a member that reads give by themselves. */
export function expandingOf(schema: object): Expanding | undefined {
  return expandings.get(schema);
}
