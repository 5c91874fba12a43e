import * as z from "zod/mini";
import { hashPlan, type PlanStep, planSteps } from "../../domain/apply/plan.ts";
import { computeTarget } from "../../domain/apply/target.ts";
import { computeChanges } from "../../domain/apply/target-changes.ts";
import { toEffect } from "../../domain/change-kinds.ts";
import { assessEffects } from "../../domain/compare/compare.ts";
import { findLikelyRenames, type LikelyRename } from "../../domain/compare/likely-renames.ts";
import type { ModelDocument } from "../../domain/document/document.ts";
import { readStateObjects } from "../../domain/document/read-document.ts";
import { indexTagIdsByRef, listGlobalTagIds, toDocument } from "../../domain/document/write-document.ts";
import { LIMITS } from "../../domain/limits.ts";
import { haveSameForm, normalizeStored } from "../../domain/merge/stored-forms.ts";
import type { Change } from "../../domain/model/changes.ts";
import { includeMember, omitUndefined } from "../../domain/model/content.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
import { findDialectRules } from "../../domain/normal-form/dialect-rules.ts";
import { Problem } from "../../domain/problems.ts";
import type { Ref } from "../../domain/refs.ts";
import { planName } from "../../domain/values/model-types.ts";
import { modelRef } from "../../domain/values/ref-types.ts";
import { sourceFormat } from "../../domain/values/source-formats.ts";
import { flag, location, modelKey, sourceContent, sourceLabel } from "../../domain/values/value-types.ts";
import {
  createRecognisedSourceSchema,
  createWarningsSchema,
  createWrittenOutput,
  describeInteger,
  describeList,
  describeText,
} from "../building/answers.ts";
import { modelWrite } from "../building/field-actions.ts";
import { checkObjectProperties } from "../building/properties.ts";
import { findOrUndefined } from "../building/reads.ts";
import { readGlobalTags } from "../building/tags.ts";
import { type Action, authorizeOn, type Decision } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, createParameterProblem } from "../contract/params.ts";
import type { ImportNames } from "../contract/ports.ts";
import type { ReadView } from "../contract/view.ts";
import { loadPropertyRules } from "./compare.ts";
import {
  countByImpact,
  createImpactCountSchemas,
  createLikelyRenameSchema,
  createOutdatedProblem,
  createPlanStepSchema,
} from "./difference-schemas.ts";
import { createTagPart, type ImportedTags, importTags } from "./imported-tags.ts";
import { createModelDecision } from "./model.ts";
import { parseSource, toleranceParams, warnAboutKeptMembers } from "./source-document.ts";
import { findObjectsWithNewProperties } from "./versions.ts";

const applyOutput = createWrittenOutput(
  "The state of the model and the plan; a dry run also answers the steps of the plan.",
  () => ({
    plan: describeText("The name of the plan: SHA-256 of its steps, with the id and revision of the model."),
    stepCount: describeInteger("The number of steps of the plan."),
    ...createImpactCountSchemas("steps"),
    globalTags: describeInteger("The number of tag groups and global tags that were created with it."),
    recognised: createRecognisedSourceSchema(),
    warnings: createWarningsSchema(),
    steps: z.optional(
      describeList(createPlanStepSchema(), `In a dry run: the steps in their order, the first ${LIMITS.plannedSteps}.`),
    ),
    likelyRenames: z.optional(
      describeList(
        createLikelyRenameSchema(),
        "In a dry run: pairs of objects that may be one renamed object, but are treated as two. Set `renamedFrom` in the document if it was renamed.",
      ),
    ),
  }),
);

const modelApply = defineAction({
  ...modelWrite,
  name: "model_apply",
  title: "Apply document to model",
  description:
    "Changes a model so that it matches a document, in any format that `import` reads. " +
    "Give `modelRef`, or `modelKey` with `create`, which creates a missing model and then requires the permission `model_import`. " +
    "With `create` and `source`, a model that exists is changed only if it was made from that source. " +
    "Give either `from` or `content`. " +
    "Objects are matched by id, origin, former key (`renamedFrom` in the document) and key, and a single entity with a single entity; " +
    "matched objects keep their ids. Objects that the document lacks stay, unless `prune` is true. " +
    "Members that the document lacks stay, unless the document has `null` for them. " +
    "Lists that the document omits completely also stay. " +
    "In a document in our own format, refs by key may name types, entities, attributes and tags of the model, and global tags. The key, the version and the authority of the model stay. " +
    "A dry run answers the plan. A call with `plan` is executed only if the plan is still the same.",
  intent: "update",
  manyModels: true,
  mayBecomeJob: true,
  notInBatch: { why: "it may write more than a batch" },
  preparedFrom: ["from", "content"],
  input: {
    modelRef: allowParam(modelRef, "The model."),
    modelKey: allowParam(
      modelKey,
      "The key of the model, instead of `modelRef`, if the model may have to be created.",
      "key",
    ),
    create: allowParam(flag, "True to create the model if no model has the key; only with `modelKey`."),
    from: allowParam(location, "The URL to read."),
    content: allowParam(sourceContent, "The content: a JSON object, or the text of a file."),
    format: allowParam(sourceFormat, "The format of the source; detected unless given."),
    ...toleranceParams,
    prune: allowParam(flag, "True to delete the objects that the document lacks; false unless given."),
    source: allowParam(
      sourceLabel,
      "The label of the source, such as the path of a file; the history names it. " +
        "With `create`, a new model keeps it as its origin, and a model that exists must have this origin, " +
        "or the id or the origin of the document; else the call is refused with `key_taken`.",
    ),
    plan: allowParam(planName, "The plan that a dry run answered: the call is refused if the plan has changed since."),
  },
  output: applyOutput,
  errors: ["not_found", "key_taken", "still_used", "plan_outdated", "source_not_recognised", "invalid_content"],
  example: {
    modelRef: "key:crm",
    content: {
      $schema: "urn:metaction:model:2",
      key: "crm",
      entities: [{ key: "customer", description: "A person or company that buys." }],
    },
  },
  prepare: async ({ input, ports, call }) => {
    const model = checkModelParameters(input.modelRef, input.modelKey, input.create ?? false);
    const source = parseSource(input, call.budget);
    const names: ImportNames = {
      ...omitUndefined({ modelKey: model.key, format: input.format }),
      notes: true,
      refsToModel: true,
      allowUnknown: input.allowUnknown,
      lenient: input.lenient,
    };
    return ports.importer.read(source, names, call.budget);
  },
  run: async ({ input, prepared, ports, call, open, tags }) => {
    const { document, recognised, warnings } = prepared;
    const view = await (input.modelRef
      ? open(input.modelRef)
      : findOrUndefined(open({ scheme: "key", value: input.modelKey ?? "" })));
    const tagImport = await importTags(document, tags, call);
    const { nextId } = call;
    const options: ApplyOptions = { document, prune: input.prune ?? false, nextId, tags, tagImport };
    const { plan, decision } = view ? await decideForModel(view) : decideForNewModel(input.modelKey ?? document.key);
    if (input.plan !== undefined && input.plan !== plan.plan) throw createOutdatedProblem(input.plan, plan.plan, view);
    const holders = findObjectsWithNewProperties(decision.changes);
    await checkObjectProperties(holders, ports.store, call.budget, input.from === undefined ? "/content" : "/from");
    return {
      ...decision,
      ...includeMember("source", input.source ?? prepared.source),
      ...(await createTagPart(tagImport.changes, tags)),
      extra: {
        plan: plan.plan,
        stepCount: plan.steps.length,
        ...countByImpact(plan.steps),
        globalTags: tagImport.changes.length,
        recognised,
        warnings: [...warnings, ...tagImport.warnings, ...(view ? await warnAboutKeptMembers(view, document) : [])],
      },
      preview: { steps: plan.steps.slice(0, LIMITS.plannedSteps), likelyRenames: plan.likelyRenames },
    };

    async function decideForModel(model: ReadView): Promise<PlannedDecision> {
      const subject = { id: model.ledgerId, key: model.modelKey };
      authorizeOn(subject, "model_write", call.principal);
      if (input.create && input.source !== undefined) await checkMadeFrom(model, document, input.source);
      const { changes, ...plan } = await planForModel(model, options);
      return { plan, decision: { subject, begins: model, changes, keysLookedUp: true } };
    }

    function decideForNewModel(key: string): PlannedDecision {
      authorizeOn({ key }, "model_write", call.principal);
      authorizeOn({ key }, "model_import", call.principal);
      const { objects, ...plan } = planForNewModel(key, options, input.source);
      return { plan, decision: createModelDecision(objects, ports.store) };
    }
  },
});

interface PlannedDecision {
  readonly plan: ModelPlan;
  readonly decision: Decision;
}

/** Returns the key of a model to create. Throws `bad_parameters` unless exactly one model is named. */
function checkModelParameters(
  ref: Ref | undefined,
  key: string | undefined,
  create: boolean,
): { readonly key?: string } {
  if ((ref === undefined) === (key === undefined)) {
    throw createParameterProblem("Give either modelRef, or modelKey with create, but not both", "modelRef", "modelKey");
  }
  if (ref !== undefined && create)
    throw createParameterProblem("create is allowed only with modelKey; omit it", "create");
  if (key !== undefined && !create) {
    throw createParameterProblem(
      "modelKey requires create: true; for an existing model give modelRef",
      "modelKey",
      "create",
    );
  }
  return key === undefined ? {} : { key };
}

/** Throws `key_taken` for a model made from another source than label and document name. */
async function checkMadeFrom(view: ReadView, { id, origin }: ModelDocument, label: string) {
  const { model } = await view.readContent(true);
  if (model.id === id || (model.origin !== undefined && [label, origin].includes(model.origin))) return;
  throw new Problem(
    "key_taken",
    `The model ${view.modelKey} exists and was not made from ${label}${model.origin === undefined ? "" : `, but from ${model.origin}`}. Omit create to change it, or give another key`,
  );
}

export const applyActions = [modelApply] as const satisfies readonly Action[];

interface ModelPlan {
  readonly plan: string;
  readonly steps: readonly PlanStep[];
  readonly likelyRenames: readonly LikelyRename[];
}

interface ApplyOptions {
  readonly document: ModelDocument;
  readonly prune: boolean;
  readonly nextId: () => string;
  readonly tags: () => Promise<ReadView>;
  readonly tagImport: ImportedTags;
}

async function planForModel(
  view: ReadView,
  { document, prune, nextId, tags, tagImport }: ApplyOptions,
): Promise<ModelPlan & { readonly changes: readonly Change[] }> {
  const content = await view.readContent(true);
  const globals = await readGlobalTags(listGlobalTagIds(content), tags);
  const tagIds = new Map([...indexTagIdsByRef(globals), ...tagImport.ids]);
  const stored = toDocument(content, globals);
  const isSql = findDialectRules(document.properties) !== undefined;
  const current = isSql ? normalizeStored(stored, nextId) : stored;
  const target = computeTarget(current, document, { prune, nextId, hasGlobalTag: (ref) => tagIds.has(ref) });
  const steps = planSteps(current, target, await loadPropertyRules([current, target], tags));
  // Other changes also bring the stored model into its normal form.
  const isSame = isSql && haveSameForm(current, target);
  const changes = isSame ? [] : await computeChanges(content, stored, target, tagIds, view);
  const plan = hashPlan({ model: view.ledgerId, revision: view.revision }, steps);
  return { plan, steps, likelyRenames: findLikelyRenames(current, document), changes };
}

function planForNewModel(
  key: string,
  { document, nextId, tagImport }: ApplyOptions,
  origin: string | undefined,
): ModelPlan & { readonly objects: readonly AnyObject[] } {
  const { $schema, name, version, authority } = document;
  const own = { key, name, version, authority };
  const lists = { types: [], entities: [], relationships: [], businessKeys: [], localTags: [], tagGroups: [] };
  const empty: ModelDocument = { $schema, id: nextId(), ...own, ...(origin !== undefined && { origin }), ...lists };
  const hasGlobalTag = (ref: string) => tagImport.ids.has(ref);
  const target = computeTarget(empty, document, { prune: false, nextId, hasGlobalTag });
  const first: PlanStep = {
    does: "create",
    objectType: "model",
    ref: `key:${key}`,
    after: own,
    ...assessEffects([toEffect("added")]),
  };
  const steps = [first, ...planSteps(empty, target, { isNew: true })];
  const objects = readStateObjects(target, tagImport.ids);
  return { plan: hashPlan({ model: `key:${key}`, revision: 0 }, steps), steps, likelyRenames: [], objects };
}
