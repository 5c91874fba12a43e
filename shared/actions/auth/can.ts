import * as z from "zod/mini";
import { actionPath } from "../../domain/accounts/account-types.ts";
import { hasPermissionOn, type Principal } from "../../domain/accounts/principal.ts";
import { LIMITS } from "../../domain/limits.ts";
import { optionalMember } from "../../domain/model/content.ts";
import { ALL_PERMISSIONS, isPermission, PERMISSIONS } from "../../domain/permissions.ts";
import { type ModelIdentity, parseModelPattern, printRef, type Ref } from "../../domain/refs.ts";
import { modelRef } from "../../domain/values/ref-types.ts";
import { createListType } from "../../domain/values/value-types.ts";
import { namedObjectSchema } from "../building/answers.ts";
import { createListOutput, findOrUndefined } from "../building/reads.ts";
import type { Ports } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { optionalParam, requiredParam } from "../contract/params.ts";
import { type AccessRule, mayRun } from "../contract/rules.ts";

const allowanceSchema = () =>
  namedObjectSchema("Allowance", {
    action: z.string(),
    model: z.optional(z.string()),
    allowed: z.boolean().check(z.describe("Without a model: for every model there is and may be.")),
    models: z
      .optional(z.array(z.string()))
      .check(z.describe("Where it is not allowed for every model: patterns of the keys of those it is allowed for.")),
    within: z
      .optional(z.array(z.string()))
      .check(z.describe("With an API token for some models: its patterns, of which those models have to fit one too.")),
  });

/** The action `can`. */
export const can = defineAction({
  group: "auth",
  name: "can",
  title: "What may I do",
  description:
    "Tells for each action whether the caller may run it, and where models are given, whether on each of them. A key needs no model yet: so it also tells whether one may be created, or renamed to it. Of a model named by id that does not exist, or that the caller may not read, the answer is no.",
  intent: "other",
  safe: true,
  rule: "signed_in",
  apiTokens: "allowed",
  // The action opens models for their keys, and answers nothing about one that the caller holds nothing on.
  seesAll: true,
  input: {
    actions: requiredParam(createListType(actionPath, LIMITS.askedActions), "The actions."),
    models: optionalParam(
      createListType(modelRef, LIMITS.askedModels),
      "The models; the answers are for all of them unless given.",
    ),
  },
  output: createListOutput("An answer for each action, and for each model where there are some.", allowanceSchema),
  errors: ["unknown_action"],
  example: { actions: ["model/entity_create", "model/model_delete"], models: ["key:crm"] },
  run: async ({ input, call: { principal }, ports }) => {
    // The rule lets nobody through without one.
    if (!principal) throw new Error("can without a principal");
    const models: { readonly model: string; readonly named: ModelIdentity | undefined }[] = [];
    for (const ref of input.models ?? [])
      models.push({ model: printRef(ref), named: await identifyModel(ref, principal, ports) });
    const items: object[] = [];
    for (const path of input.actions) {
      const [group = "", name = ""] = path.split("/");
      const action = await ports.find(group, name);
      if (!input.models) items.push({ action: path, ...evaluateForAllModels(action, principal) });
      for (const { model, named } of models)
        items.push({ action: path, model, allowed: isAllowed(action, named, principal) });
    }
    return { body: { items } };
  },
});

function evaluateForAllModels(action: AccessRule, principal: Principal) {
  const { rule } = action;
  if (!mayRun(action, principal)) return { allowed: false };
  if (rule === "public" || rule === "signed_in" || principal.permissions.has(rule)) return { allowed: true };
  const models = principal.scopes.filter((scope) => scope.permissions.has(rule)).map((scope) => scope.models);
  if (models.length === 0) return { allowed: false };
  return { allowed: false, models, ...optionalMember("within", principal.within) };
}

/** Whether a rule lets the caller through on a model; of one they hold nothing on, nobody learns whether there is one. */
function isAllowed(action: AccessRule, model: ModelIdentity | undefined, principal: Principal): boolean {
  const { rule } = action;
  if (!mayRun(action, principal) || !isPermission(rule) || !PERMISSIONS[rule].ofModels)
    return mayRun(action, principal);
  return model !== undefined && hasPermissionOn(principal, rule, model);
}

/**
 * Id and key of a model, by which rights on it are judged; undefined where no model has that id, or the caller holds
 * nothing on it.
 */
async function identifyModel(ref: Ref, principal: Principal, { store }: Ports): Promise<ModelIdentity | undefined> {
  const ofKey = ref.scheme === "key" ? { key: ref.value } : undefined;
  const patterns = [...principal.scopes.map(({ models }) => models), ...(principal.within ?? [])];
  const isById = patterns.some((pattern) => parseModelPattern(pattern)?.scheme === "id");
  if (ofKey && !isById) return ofKey;
  const isHeld = (model: ModelIdentity) =>
    MODEL_PERMISSIONS.some((permission) => hasPermissionOn(principal, permission, model));
  const view = await findOrUndefined(store.open(ref, isHeld));
  return view ? { id: view.ledgerId, key: view.modelKey } : ofKey;
}

/** Permissions that can be given for some models only. */
const MODEL_PERMISSIONS = ALL_PERMISSIONS.filter((permission) => PERMISSIONS[permission].ofModels);
