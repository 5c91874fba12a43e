import type { KindName } from "../../domain/kinds.ts";

/** Reference to an object by id and possible kinds. Attributes are searched in their owner, if known. */
export interface ObjectReference {
  readonly kinds: readonly KindName[];
  readonly id: string;
  readonly owner?: string | undefined;
}

/** Returns the key of an object, or its name; undefined if it was deleted or the caller may not see it. */
export type LookUpName = (reference: ObjectReference) => string | undefined;

/** Object in an answer. */
export type AnsweredRow = Readonly<Record<string, unknown>>;

/** Returns the logical type of an attribute by its row; undefined if it is not known. */
export type LookUpType = (row: AnsweredRow) => unknown;

/** Looks up what rows do not contain. */
export interface LookUps {
  readonly nameOf: LookUpName;
  readonly typeOf: LookUpType;
}

/** Computes a member of a row that is only included with `expand=keys`; undefined if there is no value. */
export type ExpandMember = (row: AnsweredRow, lookUps: LookUps) => unknown;

const expanders = new WeakMap<object, ExpandMember>();

/** Declares that members with this schema are computed by `expand`, and only included with `expand=keys`. */
export function declareExpandedMember<S extends object>(schema: S, expand: ExpandMember): S {
  expanders.set(schema, expand);
  return schema;
}

/** Returns the function that computes members with this schema; undefined for other members. */
export function getExpander(schema: object): ExpandMember | undefined {
  return expanders.get(schema);
}
