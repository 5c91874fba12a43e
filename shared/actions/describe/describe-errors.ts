import { PROBLEMS, type ProblemCode } from "../../domain/problems.ts";
import type { Action } from "../contract/action.ts";
import { isWrite, keepsAnswers } from "../contract/action.ts";
import { addressedKinds } from "../contract/action-params.ts";

/** The problems that any call may end in, whatever its action. */
export const EVERY_ACTION: readonly ProblemCode[] = [
  "bad_request",
  "bad_parameters",
  "bad_precondition",
  "not_acceptable",
  "too_large",
  "unsupported_media_type",
  "throttled",
  "internal",
  "unavailable",
  "out_of_time",
];

/** The traits of actions, each with the problems it brings. */
const BY_TRAIT: readonly { readonly has: (action: Action) => boolean; readonly codes: readonly ProblemCode[] }[] = [
  { has: (a) => a.rule !== "public" && (a.rule !== "signed_in" || isNotForTokens(a)), codes: ["not_allowed"] },
  { has: (a) => a.rule !== "public", codes: ["not_signed_in", "actor_disabled"] },
  { has: (a) => addressedKinds(a).length > 0, codes: ["not_found"] },
  { has: (a) => a.intent === "read", codes: ["result_too_large"] },
  { has: isWrite, codes: ["contention"] },
  { has: keepsAnswers, codes: ["idempotency_key_reused"] },
  { has: (a) => isWrite(a) && (addressesModel(a) || a.manyModels === true), codes: ["precondition_failed"] },
];

function isNotForTokens({ apiTokens = "allowed" }: Action): boolean {
  return apiTokens !== "allowed";
}

/** True where a call concerns a model that is there, or another ledger, so that the answer has an entity tag. */
export function addressesModel({ target, within, ledger }: Action): boolean {
  return [target, within, ledger].some((address) => address !== undefined);
}

/** Every problem a call of the action may end in, its own and the common ones, in the order of the problem table. */
export function errorsOf(action: Action): readonly ProblemCode[] {
  const common = BY_TRAIT.filter((t) => t.has(action)).flatMap((t) => t.codes);
  const raised = new Set<string>([...EVERY_ACTION, ...common, ...action.errors]);
  // The keys of the table are the codes.
  return (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => raised.has(code));
}
