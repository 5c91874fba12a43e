import type * as z from "zod/mini";
import type { KindName } from "../../domain/kinds.ts";
import type { Ref } from "../../domain/refs.ts";
import type { TagFiltersInput, TagSearchFilters } from "../../domain/search/filter-types.ts";
import type { SearchFilters } from "../../domain/search/filters.ts";
import type { BatchEntry } from "../../domain/values/batch-types.ts";
import type { Params, Values } from "./params.ts";

export type Group = "model" | "tag" | "property" | "auth" | "config" | "batch";

/** A ref as a caller writes it. */
export type RefText = `id:${string}` | `key:${string}`;

/** The JSON a caller writes for a value of which `run` gets a T. */
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

/** The names of the parameters that may be left out. */
type OptionalNames<V> = { [K in keyof V]: undefined extends V[K] ? K : never }[keyof V];

/** The JSON object of declared parameters; null means the same as leaving one out. */
type Payload<V> = { readonly [K in Exclude<keyof V, OptionalNames<V>>]: InputJson<V[K]> } & {
  readonly [K in OptionalNames<V>]?: InputJson<V[K]> | null;
};

/** The refs of the objects that an object of the parent kind is in. */
type OwnerRefs<P extends KindName | undefined> = P extends "model"
  ? { readonly modelRef: RefText }
  : P extends "entity"
    ? { readonly modelRef: RefText; readonly entityRef: RefText }
    : P extends "relationship"
      ? { readonly modelRef: RefText; readonly relationshipRef: RefText }
      : unknown;

/** Kinds whose refs may be written without a scheme. */
type BareKind = "user" | "actor" | "api_token";

/** The refs by which an object of the kind N in one of the kind P is addressed; its own ref is the parameter R. */
export type PathRefs<N extends KindName, P extends KindName | undefined, R extends string> = OwnerRefs<P> & {
  readonly [K in R]: N extends BareKind ? string : RefText;
};

/** The members of an action from which the types of its callers follow. `calls` carries types only and is never there. */
export interface Typed<G extends Group, A extends string, Refs, P extends Params, S extends z.ZodMiniType> {
  readonly group: G;
  readonly name: A;
  readonly calls?: { readonly input: Refs & Payload<Values<P>>; readonly output: z.output<S> };
}
