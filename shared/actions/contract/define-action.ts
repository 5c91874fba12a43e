import type * as z from "zod/mini";
import type { Kind, KindName, Ledger } from "../../domain/kinds.ts";
import type { ObjectByKind } from "../../domain/model/objects.ts";
import type {
  Action,
  ActionBase,
  CurrentCaller,
  Decision,
  FreeContext,
  Output,
  Reading,
  RunContext,
} from "./action.ts";
import type { readParams } from "./action-parameters.ts";
import type { Params } from "./params.ts";
import type { ForApiTokens } from "./rules.ts";
import type { Group, PathRefs, Typed } from "./typed-action.ts";

/** Owner of the target: the entity or relationship of an attribute; undefined for objects directly in the model. */
type Within<P extends KindName | undefined> = P extends Exclude<KindName, "model"> ? ObjectByKind[P] : undefined;

type DefinitionBase<P extends Params, G extends Group, A extends string, S extends z.ZodMiniType> = GroupMembers<G> &
  ActionMembers<P, A, S>;

/** Actions on accounts must declare `apiTokens`; others default to `allowed`. */
type GroupMembers<G extends Group> = { readonly group: G } & (G extends "auth"
  ? { readonly apiTokens: ForApiTokens }
  : { readonly apiTokens?: ForApiTokens });

interface ActionMembers<P extends Params, A extends string, S extends z.ZodMiniType> extends ActionBase {
  /** Wire name. */
  readonly name: A;
  readonly input: P;
  readonly output: Output<S>;
}

interface Steps<P extends Params, Target, Inside, Prepared, Judged = unknown> {
  /** Slow work, done once per call before the first attempt: hashing, fetching. */
  readonly prepare?: (context: FreeContext<P>) => Promise<Prepared>;
  readonly run: (context: RunContext<P, Target, Inside, Prepared> & Judged) => Promise<Decision>;
}

/** Caller at the revision of the ledger of accounts, for actions that change accounts. */
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

/** Arguments of `run` for actions that address no model. */
type FreeRun<P extends Params> = FreeContext<P> & Pick<RunContext<P, undefined, undefined, undefined>, "tags" | "open">;

type WriteIntent = { readonly intent: "create" | "update" | "delete" };
/** `other`: neither reads nor writes a model, such as `auth/login`. `safe` is true if a call changes nothing. */
type ReadOrOther<I extends "read" | "other"> = { readonly intent: I } & (I extends "read"
  ? unknown
  : { readonly safe: boolean });

/** Parameters of callers, including those of all reads. */
type InputOf<P extends Params, I> = I extends "read" ? P & typeof readParams : P;

/** Addresses an object, which is passed to `run`. */
type OnTarget<N extends KindName, P extends KindName | undefined, R extends string> = {
  readonly target: Kind<N, P, R>;
};
/** Addresses the owner of new or listed objects. */
type OnParent<N extends KindName, P extends KindName | undefined, R extends string> = {
  readonly within: Kind<N, P, R>;
};
/** Addresses a ledger without a ref. */
type OnLedger<L extends Exclude<Ledger, "model"> = Exclude<Ledger, "model">> = { readonly ledger: L };

type ParentName = "model" | "entity" | "relationship" | "tag_group";

type AnyDefinition = Omit<Action, "run" | "prepare"> & { readonly run: unknown; readonly prepare?: unknown };

/**
 * Defines an action: plain data and a function that decides. A missing rule, output, error list or text is a compile
 * error.
 */
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
