import type * as z from "zod/mini";
import type { KindName } from "../../domain/kinds.ts";
import type { Ref } from "../../domain/refs.ts";
import type { TagFiltersInput, TagSearchFilters } from "../../domain/search/filter-types.ts";
import type { SearchFilters } from "../../domain/search/filters.ts";
import type { BatchEntry } from "../../domain/values/batch-types.ts";
import type { Params, Values } from "./params.ts";

export type Group = "model" | "tag" | "property" | "auth" | "config" | "batch";

/** Ref as callers write it. */
export type RefText = `id:${string}` | `key:${string}`;

/** JSON that callers write for a value of type T. */
type InputJson<T> = T extends Ref
  ? "bare" extends keyof T
    ? string
    : RefText
  : T extends TagSearchFilters
    ? TagFiltersInput
    : T extends SearchFilters
      ? Partial<SearchFilters<RefText>>
      : T extends BatchEntry
        ? Pick<BatchEntry, "group" | "action"> & { readonly payload?: BatchEntry["payload"] | null }
        : T extends readonly (infer U)[]
          ? readonly InputJson<U>[]
          : T;

/** Names of the optional parameters. */
type OptionalNames<V> = { [K in keyof V]: undefined extends V[K] ? K : never }[keyof V];

/** JSON object of declared parameters; null is the same as omitting a parameter. */
type Payload<V> = { readonly [K in Exclude<keyof V, OptionalNames<V>>]: InputJson<V[K]> } & {
  readonly [K in OptionalNames<V>]?: InputJson<V[K]> | null;
};

/** Refs of the owners of an object with this parent kind. */
type OwnerRefs<P extends KindName | undefined> = P extends "model"
  ? { readonly modelRef: RefText }
  : P extends "entity"
    ? { readonly modelRef: RefText; readonly entityRef: RefText }
    : P extends "relationship"
      ? { readonly modelRef: RefText; readonly relationshipRef: RefText }
      : unknown;

/** Kinds whose refs may omit the scheme. */
type BareKind = "user" | "actor" | "api_token";

/** Refs that address an object of kind N in an object of kind P; R is the parameter of its own ref. */
export type PathRefs<N extends KindName, P extends KindName | undefined, R extends string> = OwnerRefs<P> & {
  readonly [K in R]: N extends BareKind ? string : RefText;
};

/** Members of an action that determine the types of its callers. `calls` is for types only and never set. */
export interface Typed<G extends Group, A extends string, Refs, P extends Params, S extends z.ZodMiniType> {
  readonly group: G;
  readonly name: A;
  readonly calls?: { readonly input: Refs & Payload<Values<P>>; readonly output: z.output<S> };
}
