import type * as z from "zod/mini";
import {
  hasPermissionAnywhere,
  hasPermissionOn,
  type Principal,
  type Rights,
} from "../../domain/accounts/principal.ts";
import type { Kind, Ledger } from "../../domain/kinds.ts";
import type { Actor, AnyObject, AuthRole } from "../../domain/model/objects.ts";
import type { Permission } from "../../domain/permissions.ts";
import { Problem, type ProblemCode } from "../../domain/problems.ts";
import type { ModelIdentity, Ref } from "../../domain/refs.ts";
import type { Call } from "./call.ts";
import type { Params, Replaced, Values } from "./params.ts";
import type { OuterPorts } from "./ports.ts";
import type { Commit, Store } from "./store.ts";
import type { ReadView } from "./view.ts";

export type Group = "model" | "tag" | "property" | "auth" | "config" | "batch";

export type Intent = "create" | "read" | "update" | "delete" | "other";

/** Answer of an action: its media type and the schema of its body. */
export interface Output<S extends z.ZodMiniType = z.ZodMiniType> {
  readonly mediaType: "application/json" | "text/plain";
  readonly description: string;
  readonly schema: () => S;
  /** Returns the rows in the body of a list, which can also be sent one by one; absent for other answers. */
  readonly rows?: (body: unknown) => readonly unknown[];
}

/** Ports of an action, in addition to its input and its view. */
export interface Ports extends OuterPorts {
  readonly find: (group: string, name: string) => Promise<Action>;
  readonly listActions: () => Promise<readonly Action[]>;
}

/** Argument of `run`. `view` is the addressed model at one revision, `prepared` the result of `prepare`. */
export interface RunContext<P extends Params, Target, Inside, Prepared> {
  readonly input: Values<P>;
  readonly target: Target;
  readonly within: Inside;
  readonly view: ReadView;
  /** Opens the ledger of tag groups and global tags, at the same revision for the whole decision. */
  readonly tags: () => Promise<ReadView>;
  readonly open: Store["open"];
  readonly prepared: Prepared;
  readonly call: Call;
  readonly ports: Ports;
}

/** Argument of `run` for actions that address no model. */
export type FreeContext<P extends Params> = Pick<
  RunContext<P, undefined, undefined, undefined>,
  "input" | "call" | "ports"
>;

/** Caller at the revision of the ledger of accounts that a decision is based on. */
export interface CurrentCaller extends Rights {
  readonly actor: Actor;
  readonly roles: readonly AuthRole[];
}

/** Reason why a batch cannot contain an action or some of its parameters. */
export interface BatchExclusion {
  /** Parameters that exclude the action; if absent, it is always excluded. */
  readonly parameters?: readonly string[];
  readonly why: string;
}

/** Members that are common to the definition and the use of an action. */
export interface ActionBase {
  readonly title: string;
  readonly description: string;
  readonly rule: Rule;
  readonly errors: readonly ProblemCode[];
  readonly deprecated?: Replaced;
  /** Payload that works on the example model of the documentation. */
  readonly example: Readonly<Record<string, unknown>>;
  readonly notInBatch?: BatchExclusion;
  /** True if work that exceeds one call is accepted as a job; otherwise it is refused. */
  readonly mayBecomeJob?: true;
  /** Parameters that only `prepare` reads; a job does not store them. */
  readonly preparedFrom?: readonly string[];
  /** True if a worker prepares again, because the prepared value cannot be stored. */
  readonly prepareAgain?: true;
  /** True if it reads the past, so that administrators can read a deleted model by its id. */
  readonly past?: true;
  /** True if it also finds a deleted model by its id. */
  readonly findsDeleted?: true;
  /** True if it filters the models by rights itself, and therefore gets all of them. */
  readonly seesAll?: true;
  /** True if its answer contains a secret. Such answers are never stored. */
  readonly answersSecret?: true;
}

/** Texts of an action, as parameters of functions that define similar actions. */
export type ActionTexts = Pick<ActionBase, "title" | "description" | "example">;

/** Action, as used outside of its definition. */
export interface Action extends ActionBase {
  readonly group: Group;
  readonly name: string;
  readonly intent: Intent;
  /** True for an action with the intent `other` that changes nothing. */
  readonly safe?: boolean;
  readonly apiTokens?: ForApiTokens;
  readonly target?: Kind;
  readonly within?: Kind;
  readonly ledger?: Ledger;
  readonly input: Params;
  readonly output: Output;
  readonly manyModels?: true;
  readonly prepare?: (context: FreeContext<Params>) => Promise<unknown>;
  readonly run: (
    context: RunContext<Params, AnyObject | undefined, AnyObject | undefined, unknown> & {
      readonly caller?: CurrentCaller | undefined;
    },
  ) => Promise<Decision | Reading>;
}

/** Tests whether an action commits changes. */
export function isWrite(action: Action): boolean {
  return action.intent !== "read" && action.intent !== "other";
}

/** Tests whether a call of an action changes nothing, so that `HEAD` and links to it are allowed. */
export function isSafe(action: Action): boolean {
  return action.intent === "read" || action.safe === true;
}

/** Tests whether the answer of an action can be stored for an idempotency key. */
export function canKeepAnswer(action: Action): boolean {
  return isWrite(action) && !action.answersSecret;
}

/** Registry of all actions, which transports and descriptions use. */
export interface Registry {
  list(): Promise<readonly Action[]>;
  /** Finds the action of a call; the group may be plural. Throws `unknown_action` with a suggestion. */
  find(group: string, name: string): Promise<Action>;
}

/** Returns the reason why a batch cannot contain an action. */
export function explainBatchExclusion(action: Action): BatchExclusion | undefined {
  if (action.notInBatch) return action.notInBatch;
  const { target, within, ledger } = action;
  const ledgerName = ledger ?? (target ?? within)?.ledger;
  if (ledgerName === "identity") return { why: "accounts and roles are changed by separate calls" };
  const addresses = [target, within, ledger].some((address) => address !== undefined);
  return isWrite(action) || addresses ? undefined : { why: "it does not address a single model" };
}

/** Returns the sentence about an action that a batch cannot contain; else "". */
export function formatBatchSentence(action: Action): string {
  const not = explainBatchExclusion(action);
  if (!not) return "";
  const parameters = not.parameters?.map((parameter) => `\`${parameter}\``).join(" or ");
  const subject = parameters === undefined ? "Cannot" : `With ${parameters} it cannot`;
  return ` ${subject} be part of a batch: ${not.why}.`;
}

/** Object that was deleted together with another one, or a key that lost a deleted attribute. */
export interface RemovedRow {
  readonly kind: "primary_key" | "business_key" | "relationship_role" | "attribute";
  readonly id: string;
  readonly key: string;
  readonly attributes?: readonly string[];
  readonly remains?: true;
}

/** Decision of a write: its object, the changes to commit, and additional members of the answer. */
export interface Decision extends Commit {
  readonly subject: { readonly id: string; readonly key: string };
  /** View of a new model to write to, instead of the addressed model. */
  readonly begins?: ReadView;
  /** Members of the answer in addition to `status`, `id`, `key`, `revision` and `changed`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly preview?: Readonly<Record<string, unknown>>;
  /** All objects that are deleted together with the object. The answer truncates the list. */
  readonly removals?: readonly RemovedRow[];
  /** Secret members of the answer; never stored, and not part of dry runs. Only with `answersSecret`. */
  readonly shownOnce?: Readonly<Record<string, unknown>>;
  /** True if the payload contains secrets, which no job may store. */
  readonly holdsSecrets?: boolean;
  readonly custom?: CustomAnswer;
}

/** Answer that an action creates itself. */
export interface CustomAnswer {
  /** True if it is only valid for the next revision of the model. */
  readonly isFixed: boolean;
  readonly create: (revision: number) => CustomBody;
}

/** Body and entity tag. `recorded` is the body that an idempotency record keeps instead. */
export interface CustomBody {
  readonly body: Readonly<Record<string, unknown>>;
  readonly recorded?: Readonly<Record<string, unknown>>;
  readonly etag?: string;
}

/** Answer of a read; `next` is the key after which the next page starts. */
export type Reading = ReadBody & {
  readonly next?: string;
  /** In the place of the entity tag of the model as it is when it answers; without quotes. */
  readonly etag?: string;
};

/** `showsRevision`: adds the current `revision` of the addressed model to the body. */
type ReadBody =
  | { readonly body: unknown; readonly showsRevision?: undefined }
  | { readonly body: Readonly<Record<string, unknown>>; readonly showsRevision: true };

/** Access rule of an action: everybody, signed-in callers, or callers with the permission. */
export type Rule = "public" | "signed_in" | Permission;

/** Use of an action with an API token; `itself` means only on the token itself. */
export type ForApiTokens = "allowed" | "refused" | "itself";

/** Members of an action that define who may run it. */
export interface AccessRule {
  readonly rule: Rule;
  readonly apiTokens?: ForApiTokens;
}

type RuleCaller = Rights & Pick<Principal, "apiToken">;

/** Tests whether a caller may run an action on at least some models. */
export function mayRun({ rule, apiTokens }: AccessRule, principal: RuleCaller | undefined): boolean {
  if (rule === "public") return true;
  if (!principal || (principal.apiToken !== undefined && apiTokens === "refused")) return false;
  return rule === "signed_in" || hasPermissionAnywhere(principal, rule);
}

/** Throws `not_signed_in` or `not_allowed` for a caller who may run the action on no model. */
export function authorize(action: AccessRule, principal: RuleCaller | undefined): void {
  if (mayRun(action, principal)) return;
  if (!principal) {
    throw new Problem("not_signed_in", "This action requires an access token; send Authorization: Bearer <token>");
  }
  if (principal.apiToken !== undefined && action.apiTokens === "refused") throw createTokenRefusal("run this action");
  throw new Problem("not_allowed", `This action requires the permission ${action.rule}`);
}

/**
 * Throws `not_allowed` for a model on which the caller does not have the permission. For a new key, `model` has that key alone,
 * and `identity` is the model that gets it.
 */
export function authorizeOn(
  model: ModelIdentity,
  permission: Permission,
  principal: Rights | undefined,
  identity: ModelIdentity = model,
): void {
  if (principal && hasPermissionOn(principal, permission, model)) return;
  const isById = principal && hasPermissionOn(principal, permission, identity);
  const hint = isById ? ". Rights on a model by its id do not include another key" : "";
  throw new Problem(
    "not_allowed",
    `This action requires the permission ${permission} on the model ${model.key}${hint}`,
  );
}

/** Throws `not_allowed` for a call with an API token on another token. */
export function checkOwnToken(
  { path }: { readonly path: readonly { readonly ref: Ref }[] },
  principal: Principal | undefined,
): void {
  if (principal?.apiToken === undefined) return;
  if (path.at(-1)?.ref.value !== principal.apiToken) throw createTokenRefusal("run this action on another token");
}

function createTokenRefusal(reason: string): Problem {
  return new Problem("not_allowed", `An API token cannot ${reason}; sign in and use an access token instead`);
}
