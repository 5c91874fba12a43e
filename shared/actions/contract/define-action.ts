import type * as z from "zod/mini";
import type { Kind, KindName, Ledger } from "../../domain/kinds.ts";
import type { ObjectByKind } from "../../domain/model/objects.ts";
import type { Ref } from "../../domain/refs.ts";
import type { TagFiltersInput, TagSearchFilters } from "../../domain/search/filter-types.ts";
import type { SearchFilters } from "../../domain/search/filters.ts";
import type { BatchEntry } from "../../domain/values/batch-types.ts";
import type {
  Action,
  ActionBase,
  CurrentCaller,
  Decision,
  ForApiTokens,
  FreeContext,
  Group,
  Output,
  Reading,
  RunContext,
} from "./action.ts";
import type { readParams } from "./action-parameters.ts";
import type { Params, Values } from "./params.ts";

type RefText = `id:${string}` | `key:${string}`;

type InputJson<T> = T extends Ref
  ? "bare" extends keyof T
    ? string
    : RefText
  : T extends TagSearchFilters
    ? TagFiltersInput
    : T extends SearchFilters
      ? Partial<SearchFilters<RefText>>
      : T extends BatchEntry
        ? Pick<BatchEntry, "group" | "action"> & { readonly payload?: BatchEntry["payload"] }
        : T extends readonly (infer U)[]
          ? readonly InputJson<U>[]
          : T;

type OptionalNames<V> = { [K in keyof V]: undefined extends V[K] ? K : never }[keyof V];

/** JSON object of declared parameters; null is the same as omitting a parameter. */
type Payload<V> = { readonly [K in Exclude<keyof V, OptionalNames<V>>]: InputJson<V[K]> } & {
  readonly [K in OptionalNames<V>]?: InputJson<V[K]> | null;
};

type OwnerRefs<P extends KindName | undefined> = P extends "model"
  ? { readonly modelRef: RefText }
  : P extends "entity"
    ? { readonly modelRef: RefText; readonly entityRef: RefText }
    : P extends "relationship"
      ? { readonly modelRef: RefText; readonly relationshipRef: RefText }
      : unknown;

type BareKind = "user" | "actor" | "api_token";

type PathRefs<N extends KindName, P extends KindName | undefined, R extends string> = OwnerRefs<P> & {
  readonly [K in R]: N extends BareKind ? string : RefText;
};

/** Members of an action that determine the types of its callers. `calls` is for types only and never set. */
export interface Typed<G extends Group, A extends string, Refs, P extends Params, S extends z.ZodMiniType> {
  readonly group: G;
  readonly name: A;
  readonly calls?: { readonly input: Refs & Payload<Values<P>>; readonly output: z.output<S> };
}

type Within<P extends KindName | undefined> = P extends Exclude<KindName, "model"> ? ObjectByKind[P] : undefined;

type DefinitionBase<P extends Params, G extends Group, A extends string, S extends z.ZodMiniType> = GroupMembers<G> &
  ActionMembers<P, A, S>;

type GroupMembers<G extends Group> = { readonly group: G } & (G extends "auth"
  ? { readonly apiTokens: ForApiTokens }
  : { readonly apiTokens?: ForApiTokens });

interface ActionMembers<P extends Params, A extends string, S extends z.ZodMiniType> extends ActionBase {
  readonly name: A;
  readonly input: P;
  readonly output: Output<S>;
}

interface Steps<P extends Params, Target, Inside, Prepared, Judged = unknown> {
  /** Slow work, done once per call before the first attempt: hashing, fetching. */
  readonly prepare?: (context: FreeContext<P>) => Promise<Prepared>;
  readonly run: (context: RunContext<P, Target, Inside, Prepared> & Judged) => Promise<Decision>;
}

type CallerFor<N extends KindName | Ledger> = N extends "identity" | "user" | "actor" | "role" | "api_token"
  ? { readonly caller: CurrentCaller }
  : unknown;

interface FreeSteps<P extends Params, Prepared> {
  /** True if it opens its models itself, so that `If-Match` takes a tag of each. */
  readonly manyModels?: true;
  readonly prepare?: (context: FreeContext<P>) => Promise<Prepared>;
  readonly run: (context: FreeRun<P> & { readonly prepared: Prepared }) => Promise<Decision>;
}

interface FreeReadSteps<P extends Params, Prepared> {
  readonly prepare?: (context: FreeContext<P>) => Promise<Prepared>;
  readonly run: (context: FreeRun<P> & { readonly prepared: Prepared }) => Promise<Reading>;
}

interface ReadSteps<P extends Params, Target, Inside> {
  /** Refuses invalid combinations of parameters, before any object is read. */
  readonly prepare?: (context: FreeContext<P>) => Promise<undefined>;
  readonly run: (context: RunContext<P, Target, Inside, undefined>) => Promise<Reading>;
}

type FreeRun<P extends Params> = FreeContext<P> & Pick<RunContext<P, undefined, undefined, undefined>, "tags" | "open">;

type WriteIntent = { readonly intent: "create" | "update" | "delete" };
/** `other`: neither reads nor writes a model, such as `auth/login`. `safe` is true if a call changes nothing. */
type ReadOrOther<I extends "read" | "other"> = { readonly intent: I } & (I extends "read"
  ? unknown
  : { readonly safe: boolean });

type InputOf<P extends Params, I> = I extends "read" ? P & typeof readParams : P;

type OnTarget<N extends KindName, P extends KindName | undefined, R extends string> = {
  readonly target: Kind<N, P, R>;
};
type OnParent<N extends KindName, P extends KindName | undefined, R extends string> = {
  readonly within: Kind<N, P, R>;
};
type OnLedger<L extends Exclude<Ledger, "model"> = Exclude<Ledger, "model">> = { readonly ledger: L };

type ParentName = "model" | "entity" | "relationship" | "tag_group";

type AnyDefinition = Omit<Action, "run" | "prepare"> & { readonly run: unknown; readonly prepare?: unknown };

/** Defines an action. A missing rule, output, error list or text is a compile error. */
export function defineAction<
  P extends Params,
  N extends KindName,
  U extends KindName | undefined,
  G extends Group,
  A extends string,
  S extends z.ZodMiniType,
  R extends string,
  I extends "read" | "other",
>(
  definition: DefinitionBase<P, G, A, S> &
    ReadOrOther<I> &
    OnTarget<N, U, R> &
    ReadSteps<P, ObjectByKind[N], Within<U>>,
): Action & Typed<G, A, PathRefs<N, U, R>, InputOf<P, I>, S>;
export function defineAction<
  P extends Params,
  N extends ParentName,
  G extends Group,
  A extends string,
  S extends z.ZodMiniType,
  U extends KindName | undefined,
  R extends string,
  I extends "read" | "other",
>(
  definition: DefinitionBase<P, G, A, S> & ReadOrOther<I> & OnParent<N, U, R> & ReadSteps<P, undefined, Within<N>>,
): Action & Typed<G, A, PathRefs<N, U, R>, InputOf<P, I>, S>;
export function defineAction<
  P extends Params,
  G extends Group,
  A extends string,
  S extends z.ZodMiniType,
  I extends "read" | "other",
>(
  definition: DefinitionBase<P, G, A, S> & ReadOrOther<I> & OnLedger & ReadSteps<P, undefined, undefined>,
): Action & Typed<G, A, unknown, InputOf<P, I>, S>;
export function defineAction<
  P extends Params,
  G extends Group,
  A extends string,
  S extends z.ZodMiniType,
  I extends "read" | "other",
  Prepared = undefined,
>(
  definition: DefinitionBase<P, G, A, S> & ReadOrOther<I> & FreeReadSteps<P, Prepared>,
): Action & Typed<G, A, unknown, InputOf<P, I>, S>;
export function defineAction<
  P extends Params,
  N extends KindName,
  U extends KindName | undefined,
  G extends Group,
  A extends string,
  S extends z.ZodMiniType,
  R extends string,
  Prepared = undefined,
>(
  definition: DefinitionBase<P, G, A, S> &
    WriteIntent &
    OnTarget<N, U, R> &
    Steps<P, ObjectByKind[N], Within<U>, Prepared, CallerFor<N>>,
): Action & Typed<G, A, PathRefs<N, U, R>, P, S>;
export function defineAction<
  P extends Params,
  N extends ParentName,
  G extends Group,
  A extends string,
  S extends z.ZodMiniType,
  U extends KindName | undefined,
  R extends string,
  Prepared = undefined,
>(
  definition: DefinitionBase<P, G, A, S> & WriteIntent & OnParent<N, U, R> & Steps<P, undefined, Within<N>, Prepared>,
): Action & Typed<G, A, PathRefs<N, U, R>, P, S>;
export function defineAction<
  P extends Params,
  G extends Group,
  A extends string,
  S extends z.ZodMiniType,
  L extends Exclude<Ledger, "model">,
  Prepared = undefined,
>(
  definition: DefinitionBase<P, G, A, S> &
    WriteIntent &
    OnLedger<L> &
    Steps<P, undefined, undefined, Prepared, CallerFor<L>>,
): Action & Typed<G, A, unknown, P, S>;
export function defineAction<
  P extends Params,
  G extends Group,
  A extends string,
  S extends z.ZodMiniType,
  Prepared = undefined,
>(definition: DefinitionBase<P, G, A, S> & WriteIntent & FreeSteps<P, Prepared>): Action & Typed<G, A, unknown, P, S>;
export function defineAction(definition: AnyDefinition): Action {
  // The overloads type `run` by the declarations; a list of actions uses the common type.
  return definition as Action;
}
