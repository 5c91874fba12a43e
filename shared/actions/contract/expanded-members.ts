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

/** Converts the ids in the value of a member of a row to refs `id:<uuid>`. */
export type ConvertIds = (value: unknown, row: AnsweredRow) => unknown;

const converters = new WeakMap<object, ConvertIds>();

/** Declares that members with this schema hold ids, which `expand=refs` replaces by refs. */
export function declareIdMember<S extends object>(schema: S, convert: ConvertIds): S {
  converters.set(schema, convert);
  return schema;
}

/** Returns the function that replaces the ids in members with this schema; undefined for members without ids. */
export function getIdConverter(schema: object): ConvertIds | undefined {
  return converters.get(schema);
}
