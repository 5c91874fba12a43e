import * as z from "zod/mini";
import { actionPath } from "../../domain/accounts/account-types.ts";
import { hasPermissionOn, type Principal, type Rights } from "../../domain/accounts/principal.ts";
import { LIMITS } from "../../domain/limits.ts";
import { includeMember } from "../../domain/model/content.ts";
import { ALL_PERMISSIONS, isPermission, PERMISSIONS, type Permission } from "../../domain/permissions.ts";
import {
  type KeyPattern,
  type ModelIdentity,
  matchesPattern,
  parseModelPattern,
  patternsOverlap,
  printRef,
  type Ref,
} from "../../domain/refs.ts";
import { modelRef } from "../../domain/values/ref-types.ts";
import { createListType } from "../../domain/values/value-types.ts";
import { createNamedSchema, describe, describeText } from "../building/answers.ts";
import { createListOutput, findOrUndefined } from "../building/reads.ts";
import { type AccessRule, mayRun, type Ports } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, requireParam } from "../contract/params.ts";

const createAllowanceSchema = () =>
  createNamedSchema("Allowance", {
    action: z.string(),
    model: z.optional(describeText("Ref of the model, as in the call.")),
    allowed: describe(z.boolean(), "Without a model: for every existing and future model."),
    models: describe(
      z.optional(z.array(z.string())),
      "If it is not allowed for every model: patterns of the keys of the models it is allowed for, or refs of models. With an API token for some models: those of its patterns that have such models.",
    ),
    within: describe(
      z.optional(z.array(z.string())),
      "With an API token for some models: its patterns, or refs of models.",
    ),
  });

export const can = defineAction({
  group: "auth",
  name: "can",
  title: "What may I do",
  description:
    "Checks for each action whether the caller may run it, and for each given model whether the caller may run it there. " +
    "A key needs no existing model: this also checks whether a model may be created with the key, or renamed to it. " +
    "`allowed` is false for the id of a model that does not exist or that the caller may not read.",
  intent: "other",
  safe: true,
  rule: "signed_in",
  apiTokens: "allowed",
  // Opens models for their keys. Reveals nothing about models without rights of the caller.
  seesAll: true,
  input: {
    actions: requireParam(createListType(actionPath, LIMITS.askedActions), "The actions."),
    models: allowParam(
      createListType(modelRef, LIMITS.askedModels),
      "The models; without them the answers are for all models.",
    ),
  },
  output: createListOutput(
    "An answer for each action, or for each action and model if models are given.",
    createAllowanceSchema,
  ),
  errors: ["unknown_action"],
  example: { actions: ["model/entity_create", "model/model_delete"], models: ["key:crm"] },
  run: async ({ input, call: { principal }, ports }) => {
    if (!principal) throw new Error("can without a principal");
    const models: { readonly model: string; readonly identity: ModelIdentity | undefined }[] = [];
    for (const ref of input.models ?? [])
      models.push({ model: printRef(ref), identity: await identifyModel(ref, principal, ports) });
    const scopes = input.models ? [] : await listShownScopes(principal, ports);
    const items: object[] = [];
    for (const path of input.actions) {
      const [group = "", name = ""] = path.split("/");
      const action = await ports.find(group, name);
      if (!input.models) items.push({ action: path, ...evaluateForAllModels(action, principal, scopes) });
      for (const { model, identity } of models)
        items.push({ action: path, model, allowed: isAllowed(action, identity, principal) });
    }
    return { body: { items } };
  },
});

/**
 * Returns the scopes of rights as answers show them. Those of an API token for some models are its own bounds, each with the
 * permissions that it has on at least some models within. What its actor may do elsewhere is not shown.
 */
export async function listShownScopes(rights: Rights, ports: Pick<Ports, "store">): Promise<Rights["scopes"]> {
  const { scopes, within } = rights;
  if (!within) return scopes;
  const identify = async (pattern: KeyPattern) => {
    const ref = parseModelPattern(pattern);
    return ref && identifyModel(ref, rights, ports);
  };
  const visibleScopes: Rights["scopes"][number][] = [];
  for (const bound of within) {
    const boundModel = await identify(bound);
    const permissions = new Set<Permission>();
    for (const scope of scopes) {
      const isOne = [bound, scope.models].some(parseModelPattern);
      const model = boundModel ?? (await identify(scope.models));
      const overlaps = isOne
        ? model && matchesPattern(bound, model) && matchesPattern(scope.models, model)
        : patternsOverlap(bound, scope.models);
      if (overlaps) for (const permission of scope.permissions) permissions.add(permission);
    }
    visibleScopes.push({ models: bound, permissions });
  }
  return visibleScopes;
}

function evaluateForAllModels(action: AccessRule, principal: Principal, scopes: Rights["scopes"]) {
  const { rule } = action;
  if (!mayRun(action, principal)) return { allowed: false };
  if (rule === "public" || rule === "signed_in" || principal.permissions.has(rule)) return { allowed: true };
  const models = scopes.filter((scope) => scope.permissions.has(rule)).map((scope) => scope.models);
  if (models.length === 0) return { allowed: false };
  return { allowed: false, models, ...includeMember("within", principal.within) };
}

/** Tests whether the rule allows the caller on a model. Hidden and missing models give one answer. */
function isAllowed(action: AccessRule, model: ModelIdentity | undefined, principal: Principal) {
  const { rule } = action;
  if (!mayRun(action, principal) || !isPermission(rule) || !PERMISSIONS[rule].ofModels)
    return mayRun(action, principal);
  return model !== undefined && hasPermissionOn(principal, rule, model);
}

/** Returns id and key. Undefined for an unknown id, or without a permission on the model. */
async function identifyModel(
  ref: Ref,
  rights: Rights,
  { store }: Pick<Ports, "store">,
): Promise<ModelIdentity | undefined> {
  const byKey = ref.scheme === "key" ? { key: ref.value } : undefined;
  const patterns = [...rights.scopes.map(({ models }) => models), ...(rights.within ?? [])];
  const isById = patterns.some((pattern) => parseModelPattern(pattern)?.scheme === "id");
  if (byKey && !isById) return byKey;
  const isHeld = (model: ModelIdentity) =>
    MODEL_PERMISSIONS.some((permission) => hasPermissionOn(rights, permission, model));
  const view = await findOrUndefined(store.open(ref, isHeld));
  return view ? { id: view.ledgerId, key: view.modelKey } : byKey;
}

const MODEL_PERMISSIONS = ALL_PERMISSIONS.filter((permission) => PERMISSIONS[permission].ofModels);
