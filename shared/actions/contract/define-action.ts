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
  Intent,
  Output,
  Reading,
  RunContext,
} from "./action.ts";
import type { readParams } from "./action-parameters.ts";
import type { Deprecation, Params, Replaced, Values } from "./params.ts";

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
export interface Signature<
  G extends Group,
  A extends string,
  Refs,
  P extends Params,
  S extends z.ZodMiniType,
  D = undefined,
> {
  readonly group: G;
  readonly name: A;
  readonly calls?: {
    readonly input: Refs & Payload<Values<P>>;
    readonly output: z.output<S>;
    readonly deprecated: D;
    readonly deprecatedNames: DeprecatedNames<P>;
  };
}

type DeprecatedNames<P extends Params> = {
  [K in keyof P]: P[K] extends { readonly deprecated: Deprecation } ? K : never;
}[keyof P];

type Within<P extends KindName | undefined> = P extends Exclude<KindName, "model"> ? ObjectByKind[P] : undefined;

type GroupMembers<G extends Group> = { readonly group: G } & (G extends "auth"
  ? { readonly apiTokens: ForApiTokens }
  : { readonly apiTokens?: ForApiTokens });

/** `other`: neither reads nor writes a model, such as `auth/login`. `safe` is true if a call changes nothing. */
type IntentMembers<I extends Intent> = { readonly intent: I } & (I extends "other"
  ? { readonly safe: boolean }
  : unknown);

interface ActionMembers<P extends Params, A extends string, S extends z.ZodMiniType>
  extends Omit<ActionBase, "deprecated"> {
  readonly name: A;
  /** Absent for an action without parameters. */
  readonly input?: P;
  readonly output: Output<S>;
}

type Definition<
  P extends Params,
  G extends Group,
  A extends string,
  S extends z.ZodMiniType,
  I extends Intent,
  Context,
  Prepared,
> = GroupMembers<G> &
  IntentMembers<I> &
  ActionMembers<P, A, S> & {
    /** Slow work, done once per call before the first attempt: hashing, fetching. Refuses invalid parameters. */
    readonly prepare?: (context: FreeContext<P>) => Promise<Prepared>;
    readonly run: (context: Context & { readonly prepared: Prepared }) => Promise<Result<I>>;
  };

type Result<I extends Intent> = I extends "read" | "other" ? Reading : Decision;

/** Context of `run` of an action on a ledger. A write of accounts also gets its caller. */
type LedgerContext<P extends Params, Target, Inside, N extends KindName | Ledger, I extends Intent> = Omit<
  RunContext<P, Target, Inside, unknown>,
  "prepared"
> &
  (I extends "read" | "other"
    ? unknown
    : N extends "identity" | "user" | "actor" | "role" | "api_token"
      ? { readonly caller: CurrentCaller }
      : unknown);

type AnyContext<P extends Params> = FreeContext<P> &
  Pick<RunContext<P, undefined, undefined, undefined>, "tags" | "open">;

type InputOf<P extends Params, I> = I extends "read" ? P & typeof readParams : P;

type ParentName = "model" | "entity" | "relationship" | "tag_group";

type AnyDefinition = Omit<Action, "run" | "prepare" | "input"> &
  Partial<Pick<Action, "input">> & { readonly run: unknown; readonly prepare?: unknown };

interface DeprecatedMember<D> {
  readonly deprecated?: D;
}

type NoParams = Readonly<Record<never, never>>;

/** Defines an action. A missing rule, output, error list or text is a compile error. */
export function defineAction<
  N extends KindName,
  U extends KindName | undefined,
  G extends Group,
  A extends string,
  S extends z.ZodMiniType,
  R extends string,
  I extends Intent,
  P extends Params = NoParams,
  Prepared = undefined,
  D extends Replaced | undefined = undefined,
>(
  definition: Definition<P, G, A, S, I, LedgerContext<P, ObjectByKind[N], Within<U>, N, I>, Prepared> &
    DeprecatedMember<D> & {
      readonly target: Kind<N, U, R>;
    },
): Action & Signature<G, A, PathRefs<N, U, R>, InputOf<P, I>, S, D>;
export function defineAction<
  G extends Group,
  A extends string,
  S extends z.ZodMiniType,
  I extends Intent,
  P extends Params = NoParams,
  N extends ParentName = "model",
  U extends KindName | undefined = undefined,
  R extends string = never,
  L extends Exclude<Ledger, "model"> = "tags",
  Prepared = undefined,
  D extends Replaced | undefined = undefined,
>(
  definition: Definition<P, G, A, S, I, LedgerContext<P, undefined, Within<N>, L, I>, Prepared> &
    DeprecatedMember<D> &
    ({ readonly within: Kind<N, U, R> } | { readonly ledger: L }),
): Action & Signature<G, A, PathRefs<N, U, R>, InputOf<P, I>, S, D>;
export function defineAction<
  G extends Group,
  A extends string,
  S extends z.ZodMiniType,
  I extends Intent,
  P extends Params = NoParams,
  Prepared = undefined,
  D extends Replaced | undefined = undefined,
>(
  definition: Definition<P, G, A, S, I, AnyContext<P>, Prepared> &
    DeprecatedMember<D> & {
      /** True if it opens its models itself, so that `If-Match` takes a tag of each. */
      readonly manyModels?: true;
    },
): Action & Signature<G, A, unknown, InputOf<P, I>, S, D>;
export function defineAction(definition: AnyDefinition): Action {
  // The overloads type `run` by the declarations; a list of actions uses the common type.
  return (definition.input ? definition : { ...definition, input: {} }) as Action;
}
