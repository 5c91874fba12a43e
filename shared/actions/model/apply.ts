import * as z from "zod/mini";
import { hashPlan, type PlanStep, planSteps } from "../../domain/apply/plan.ts";
import { computeTarget } from "../../domain/apply/target.ts";
import { computeChanges } from "../../domain/apply/target-changes.ts";
import { findLikelyRenames, type LikelyRename, matchDocuments } from "../../domain/compare/match-documents.ts";
import type { ModelDocument } from "../../domain/document/document.ts";
import { readStateObjects } from "../../domain/document/read-document.ts";
import { indexTagIdsByRef, listGlobalTagIds, toDocument } from "../../domain/document/write-document.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Change } from "../../domain/model/changes.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import type { Ref } from "../../domain/refs.ts";
import { planName } from "../../domain/values/model-types.ts";
import { modelRef } from "../../domain/values/ref-types.ts";
import { sourceFormat } from "../../domain/values/source-formats.ts";
import { flag, location, modelKey, sourceContent } from "../../domain/values/value-types.ts";
import { createWrittenOutput, recognisedSource, warningList } from "../building/answers.ts";
import { checkObjectProperties } from "../building/properties.ts";
import { findOrUndefined } from "../building/reads.ts";
import { readGlobalTags } from "../building/tags.ts";
import type { Action, Decision } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { optionalParam } from "../contract/params.ts";
import type { ReadView } from "../contract/view.ts";
import { captureGrant, requireGrant } from "./captured-rights.ts";
import { loadPropertyRules } from "./compare.ts";
import { countByImpact, impactCountSchemas, likelyRenameSchema, planStepSchema } from "./difference-schemas.ts";
import { captureTagRights, type ImportedTags, importTags } from "./imported-tags.ts";
import { createModelDecision } from "./model.ts";
import { parseSource, warnAboutKeptMembers } from "./source-document.ts";
import { findObjectsWithNewProperties } from "./versions.ts";

const applyOutput = createWrittenOutput(
  "The model as it is now, and by what plan; of a dry run with the steps of that.",
  () => ({
    plan: z
      .string()
      .check(z.describe("The name of the plan: SHA-256 over its steps, with the model's id and revision.")),
    stepCount: z.int().check(z.describe("How many steps the plan has.")),
    ...impactCountSchemas(),
    globalTags: z.int().check(z.describe("Tag groups and global tags that were not there and were made with it.")),
    recognised: recognisedSource(),
    warnings: warningList(),
    steps: z.optional(
      z
        .array(planStepSchema())
        .check(z.describe(`Of a dry run: the steps in their order, the first ${LIMITS.plannedSteps}.`)),
    ),
    likelyRenames: z.optional(
      z
        .array(likelyRenameSchema())
        .check(
          z.describe(
            "Of a dry run: objects that look like one under two keys and are not taken for one. `renamedFrom` in the document says that they are.",
          ),
        ),
    ),
  }),
);

const modelApply = defineAction({
  group: "model",
  name: "model_apply",
  title: "Apply document to model",
  description:
    "Makes a model what a document says, whatever format `import` reads it in. Give `modelRef`, or `modelKey` with `create`, which makes the model where it is not there and takes the permission `model_import` then; and either `from` or `content`. Objects that both have are recognised by id, origin, former key (`renamedFrom` in the document) and key, at last the only entity by the only entity, and keep their ids. What the document lacks stays: objects unless `prune` is true, and members always, until the document has `null` for them. Lists that it leaves out as a whole stay too. The key, the version and the authority of the model stay. A dry run answers the plan; a call with a `plan` is done only if it is still that one.",
  intent: "update",
  rule: "model_write",
  manyModels: true,
  mayBecomeJob: true,
  notInBatch: { why: "it may write more than a batch" },
  preparedFrom: ["from", "content"],
  input: {
    modelRef: optionalParam(modelRef, "The model."),
    modelKey: optionalParam(
      modelKey,
      "The key of the model, in the place of `modelRef`, where it may have to be made.",
      "key",
    ),
    create: optionalParam(flag, "True where the model is made if no model has the key; only with `modelKey`."),
    from: optionalParam(location, "The URL to read."),
    content: optionalParam(sourceContent, "The content itself: a JSON object, or the text of a file."),
    format: optionalParam(sourceFormat, "The format to read it in, whatever it looks like; recognised unless given."),
    prune: optionalParam(flag, "Whether objects go that the document lacks; false unless given."),
    plan: optionalParam(
      planName,
      "The plan that a dry run answered: the call is refused where another one is true now.",
    ),
  },
  output: applyOutput,
  errors: ["not_found", "key_taken", "still_used", "plan_outdated", "source_not_recognised", "invalid_content"],
  example: {
    modelRef: "key:crm",
    content: {
      $schema: "urn:metaction:model:2",
      key: "crm",
      entities: [{ key: "customer", description: "Whoever buys." }],
    },
  },
  prepare: async ({ input, ports, call }) => {
    const named = checkModelParameters(input.modelRef, input.modelKey, input.create ?? false);
    const source = parseSource(input.from, input.content);
    const read = await ports.importer.read(source, {
      ...(named.key !== undefined && { modelKey: named.key }),
      ...(input.format !== undefined && { format: input.format }),
      notes: true,
    });
    return {
      ...read,
      may: captureTagRights(call.principal?.permissions),
      write: captureGrant(call.principal, "model_write"),
      create: captureGrant(call.principal, "model_import"),
    };
  },
  run: async ({ input, prepared, ports, call, open, tags }) => {
    const { document, recognised, may, warnings } = prepared;
    const view = await openModel(input.modelRef, input.modelKey, open);
    const imported = await importTags(document, tags, may, call.nextId);
    const { nextId } = call;
    const applying: ApplyOptions = { document, prune: input.prune ?? false, nextId, tags, imported };
    const decided = view ? await onto(view) : anew(input.modelKey ?? document.key);
    const { told, decision } = decided;
    if (input.plan !== undefined && input.plan !== told.plan) throw createOutdatedProblem(input.plan, told.plan, view);
    const changed = findObjectsWithNewProperties(decision.changes);
    await checkObjectProperties(changed, ports.store, input.from === undefined ? "/content" : "/from");
    const ledger = imported.changes.length > 0 ? await tags() : undefined;
    return {
      ...decision,
      ...(ledger && {
        alongside: [{ view: ledger, changes: imported.changes }],
        tagsSeen: ledger.revision + 1,
        publish: true,
      }),
      extra: {
        plan: told.plan,
        stepCount: told.steps.length,
        ...countByImpact(told.steps),
        globalTags: imported.changes.length,
        recognised,
        warnings: [...warnings, ...imported.warnings, ...(view ? await warnAboutKeptMembers(view, document) : [])],
      },
      rehearsed: { steps: told.steps.slice(0, LIMITS.plannedSteps), likelyRenames: told.likelyRenames },
    };

    async function onto(model: ReadView): Promise<PlannedDecision> {
      requireGrant(prepared.write, "model_write", { id: model.ledgerId, key: model.modelKey });
      const { changes, ...plan } = await planForModel(model, applying);
      const subject = { id: model.ledgerId, key: model.modelKey };
      return { told: plan, decision: { subject, begins: model, changes, keysLookedUp: true } };
    }

    function anew(key: string): PlannedDecision {
      requireGrant(prepared.write, "model_write", { key });
      requireGrant(prepared.create, "model_import", { key });
      const { objects, ...plan } = planForNewModel(key, applying);
      return { told: plan, decision: createModelDecision(objects, ports.store) };
    }
  },
});

/** A plan with the decision that it leads to. */
interface PlannedDecision {
  readonly told: ModelPlan;
  readonly decision: Decision;
}

/** Refuses parameters that name no model, or two: `bad_parameters`. The key is that of a model which may have to be made. */
function checkModelParameters(
  ref: Ref | undefined,
  key: string | undefined,
  create: boolean,
): { readonly key?: string } {
  const fault = (detail: string, ...parameters: readonly string[]): Problem =>
    new Problem("bad_parameters", detail, { errors: parameters.map((one) => ({ pointer: `/${one}`, detail })) });
  if ((ref === undefined) === (key === undefined)) {
    throw fault("give either modelRef, or modelKey with create, and not both", "modelRef", "modelKey");
  }
  if (ref !== undefined && create) throw fault("only with modelKey a model is made; leave create out", "create");
  if (key !== undefined && !create) {
    throw fault("modelKey goes with create: true; of a model that is there give modelRef", "modelKey", "create");
  }
  return key === undefined ? {} : { key };
}

/** The model that is written to; undefined where it has to be made. */
async function openModel(
  ref: Ref | undefined,
  key: string | undefined,
  open: (ref: Ref) => Promise<ReadView>,
): Promise<ReadView | undefined> {
  return ref ? open(ref) : findOrUndefined(open({ scheme: "key", value: key ?? "" }));
}

function createOutdatedProblem(given: string, plan: string, view: ReadView | undefined): Problem {
  const place = view ? `the model ${view.modelKey} is at revision ${view.revision}` : "there is no such model";
  return new Problem(
    "plan_outdated",
    `the plan is no longer ${given.slice(0, 12)}…: ${place}; make a dry run again and look at the plan ${plan.slice(0, 12)}…`,
    { plan, ...(view && { currentRevision: view.revision }) },
  );
}

/** The action that applies documents to models. */
export const applyActions = [modelApply] as const satisfies readonly Action[];

/** A plan, as an answer tells it. */
interface ModelPlan {
  /** The digest that names it. */
  readonly plan: string;
  readonly steps: readonly PlanStep[];
  readonly likelyRenames: readonly LikelyRename[];
}

/** What a document is applied with. */
interface ApplyOptions {
  readonly document: ModelDocument;
  readonly prune: boolean;
  readonly nextId: () => string;
  readonly tags: () => Promise<ReadView>;
  /** The tags of groups that the document names, with those that are made for it. */
  readonly imported: ImportedTags;
}

/** A plan for a model that is there, with the changes that make it. */
async function planForModel(
  view: ReadView,
  { document, prune, nextId, tags, imported }: ApplyOptions,
): Promise<ModelPlan & { readonly changes: readonly Change[] }> {
  const content = await view.readContent(true);
  const globals = await readGlobalTags(listGlobalTagIds(content), tags);
  const known = new Map([...indexTagIdsByRef(globals), ...imported.ids]);
  const current = toDocument(content, globals);
  const target = computeTarget(current, document, { prune, nextId, hasGlobalTag: (ref) => known.has(ref) });
  const steps = planSteps(current, target, await loadPropertyRules([current, target], tags));
  const changes = await computeChanges(content, current, target, {
    globalTags: known,
    nextOrder: () => view.takeNextOrder(),
    orphanAt: (key) => view.findOrphan("business_key", key),
  });
  const plan = hashPlan({ model: view.ledgerId, revision: view.revision }, steps);
  return { plan, steps, likelyRenames: findLikelyRenames(matchDocuments(current, document)), changes };
}

/** A plan for a model that is not there yet, with the objects that it will have. */
function planForNewModel(
  key: string,
  { document, nextId, imported }: ApplyOptions,
): ModelPlan & { readonly objects: readonly AnyObject[] } {
  const { $schema, name, version, authority } = document;
  const own = { key, name, version, authority };
  const lists = { types: [], entities: [], relationships: [], businessKeys: [], localTags: [], tagGroups: [] };
  const begun: ModelDocument = { $schema, id: nextId(), ...own, ...lists };
  const hasGlobalTag = (ref: string): boolean => imported.ids.has(ref);
  const target = computeTarget(begun, document, { prune: false, nextId, hasGlobalTag });
  const first: PlanStep = {
    does: "create",
    objectType: "model",
    ref: `key:${key}`,
    after: own,
    impact: "additive",
    reasons: ["added; no consumer uses it yet"],
  };
  const steps = [first, ...planSteps(begun, target, { isNew: true })];
  const objects = readStateObjects(target, imported.ids);
  return { plan: hashPlan({ model: `key:${key}`, revision: 0 }, steps), steps, likelyRenames: [], objects };
}
