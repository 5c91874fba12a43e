import type * as z from "zod/mini";
import type { Rights } from "../../domain/accounts/principal.ts";
import type { Kind, Ledger } from "../../domain/kinds.ts";
import type { Actor, AnyObject, AuthRole } from "../../domain/model/objects.ts";
import type { ProblemCode } from "../../domain/problems.ts";
import type { Call } from "./call.ts";
import type { Params, Values } from "./params.ts";
import type { OuterPorts } from "./ports.ts";
import type { ForApiTokens, Rule } from "./rules.ts";
import type { Commit, Store } from "./store.ts";
import type { Group } from "./typed-action.ts";
import type { ReadView } from "./view.ts";

export type Intent = "create" | "read" | "update" | "delete" | "other";

/** The answer of an action: its media type and the schema of its body. */
export interface Output<S extends z.ZodMiniType = z.ZodMiniType> {
  readonly mediaType: "application/json" | "text/plain";
  readonly description: string;
  readonly schema: () => S;
  /** The rows in the body of a list, which can also be sent one by one; absent for any other answer. */
  readonly rows?: (body: unknown) => readonly unknown[];
}

/** Everything an action may reach beside its input and its view. */
export interface Ports extends OuterPorts {
  /** The action of a group, which may be plural; `unknown_action`. */
  readonly find: (group: string, name: string) => Promise<Action>;
  /** Every action of the service, loaded when they are asked for. */
  readonly actions: () => Promise<readonly Action[]>;
}

/** The argument of `run`. `view` is the addressed model at one revision; `prepared` is the answer of `prepare`. */
export interface RunContext<P extends Params, Target, Inside, Prepared> {
  readonly input: Values<P>;
  readonly target: Target;
  readonly within: Inside;
  readonly view: ReadView;
  /** Opens the ledger of tag groups and global tags, at one revision for all of this decision. */
  readonly tags: () => Promise<ReadView>;
  /** Opens another model, at one revision for all of this decision. */
  readonly open: Store["open"];
  readonly prepared: Prepared;
  readonly call: Call;
  readonly ports: Ports;
}

/** The argument of `run` of an action that addresses no model. */
export type ModelFreeContext<P extends Params> = Pick<
  RunContext<P, undefined, undefined, undefined>,
  "input" | "call" | "ports"
>;

/** The caller as they are at the revision of the ledger of accounts that a decision is made at. */
export interface CurrentCaller extends Rights {
  readonly actor: Actor;
  /** All roles there are. */
  readonly roles: readonly AuthRole[];
}

/** The reason that no batch can have an action as an entry, or no entry with one of its parameters. */
export interface BatchExclusion {
  /** The parameters each of which keeps it out; without any it never may. */
  readonly parameters?: readonly string[];
  readonly why: string;
}

/** The members that every action declares, in its definition and for everything else alike. */
export interface ActionBase {
  readonly title: string;
  readonly description: string;
  readonly rule: Rule;
  /** The problems it may raise of its own, beside those of every action. */
  readonly errors: readonly ProblemCode[];
  /** A payload that works on the example model of the documentation. */
  readonly example: Readonly<Record<string, unknown>>;
  readonly notInBatch?: BatchExclusion;
  /** True where work too large for one call is accepted as a job; otherwise it is refused. */
  readonly mayBecomeJob?: true;
  /** Parameters that only `prepare` reads, so that a job need not keep them beside the prepared value. */
  readonly preparedFrom?: readonly string[];
  /** True where a worker prepares anew, because the prepared value cannot be kept; it judges the caller again as well. */
  readonly preparesAnew?: true;
  /** True where it reads the past, so that an administrator reaches a deleted model by its id. */
  readonly past?: true;
  /** True where it judges by itself which models there are for the caller, so that it is given all of them. */
  readonly seesAll?: true;
  /** True where its answer holds a secret, which is never kept to be repeated. */
  readonly answersSecret?: true;
}

/** The texts of an action; a builder of actions that are alike takes them, as they differ from one to the other. */
export type ActionTexts = Pick<ActionBase, "title" | "description" | "example">;

/** An action as everything but its definition sees it. */
export interface Action extends ActionBase {
  readonly group: Group;
  readonly name: string;
  readonly intent: Intent;
  /** True for an action of intent `other` that changes nothing. */
  readonly safe?: boolean;
  readonly apiTokens?: ForApiTokens;
  readonly target?: Kind;
  readonly within?: Kind;
  readonly ledger?: Ledger;
  readonly input: Params;
  readonly output: Output;
  readonly manyModels?: true;
  readonly prepare?: (context: ModelFreeContext<Params>) => Promise<unknown>;
  readonly run: (
    context: RunContext<Params, AnyObject | undefined, AnyObject | undefined, unknown> & {
      readonly caller?: CurrentCaller | undefined;
    },
  ) => Promise<Decision | Reading>;
}

/** True for actions that decide a commit. */
export function isWrite(action: Action): boolean {
  return action.intent !== "read" && action.intent !== "other";
}

/** True for actions whose answer can be kept under an idempotency key. */
export function canKeepAnswer(action: Action): boolean {
  return isWrite(action) && !action.answersSecret;
}

/** Every action by group and name; the only list doors and descriptions are made from. */
export interface Registry {
  /** Every action, in the order of the catalogue; loads all that was not called before. */
  all(): Promise<readonly Action[]>;
  /** The action of a call, whose group may be plural; `unknown_action` with the nearest name when there is none. */
  find(group: string, name: string): Promise<Action>;
}

/**
 * The reason that keeps an action out of a batch: its own `notInBatch`, or that it addresses no ledger that a batch
 * stages.
 */
export function explainBatchExclusion(action: Action): BatchExclusion | undefined {
  if (action.notInBatch) return action.notInBatch;
  const { target, within, ledger } = action;
  const lies = ledger ?? (target ?? within)?.ledger;
  if (lies === "identity") return { why: "who may do what changes in a call of its own" };
  const addresses = [target, within, ledger].some((address) => address !== undefined);
  return isWrite(action) || addresses ? undefined : { why: "it concerns no single model" };
}

/** The sentence of an action's description that no batch can have it; "" where one may. */
export function formatBatchSentence(action: Action): string {
  const not = explainBatchExclusion(action);
  if (!not) return "";
  const named = not.parameters?.map((parameter) => `\`${parameter}\``).join(" or ");
  const what = named === undefined ? "Cannot" : `With ${named} it cannot`;
  return ` ${what} be part of a batch: ${not.why}.`;
}

/** Something that went with a deleted object, or a key that lost a deleted attribute. */
export interface RemovedRow {
  readonly kind: "primary_key" | "business_key" | "relationship_role" | "attribute";
  readonly id: string;
  readonly key: string;
  readonly attributes?: readonly string[];
  readonly remains?: true;
}

/** The decision of a write: the object it concerns, the commit to make, and the members to add to the standard answer. */
export interface Decision extends Commit {
  /** The object addressed or made. */
  readonly subject: { readonly id: string; readonly key: string };
  /** The model to write to where that is not the model addressed: one that begins with this call. */
  readonly begins?: ReadView;
  /** Members of the answer beside `status`, `id`, `key`, `revision` and `changed`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Further members of the answer of a dry run. */
  readonly rehearsed?: Readonly<Record<string, unknown>>;
  /** All objects that go with the deleted one; the answer lists as many of them as there is place for. */
  readonly removed?: readonly RemovedRow[];
  /** Secret members of the answer, which a dry run does not give and nothing keeps; only with `answersSecret`. */
  readonly shownOnce?: Readonly<Record<string, unknown>>;
  /** True where what was asked for holds secrets, which no job may keep. */
  readonly holdsSecrets?: boolean;
  /** The answer in the place of the standard one, of an action that may concern many models. */
  readonly custom?: CustomAnswer;
}

/** An answer that an action makes itself. */
export interface CustomAnswer {
  /** True where it holds for the next revision of the model alone. */
  readonly isFixed: boolean;
  /** The answer where the model written to, the first one of several, comes to a revision. */
  readonly at: (revision: number) => { readonly body: Readonly<Record<string, unknown>>; readonly etag?: string };
}

/** The answer of a read; `next` is the key after which the list goes on. */
export type Reading = ReadBody & {
  readonly next?: string;
  /** In the place of the entity tag of the model as it is when it answers; without quotes. */
  readonly etag?: string;
};

/** `showsRevision`: the body gets the member `revision`, that of the addressed model as it is when it answers. */
type ReadBody =
  | { readonly body: unknown; readonly showsRevision?: undefined }
  | { readonly body: Readonly<Record<string, unknown>>; readonly showsRevision: true };
