import * as z from "zod/mini";
import { hashPlan, type PlanStep, planSteps } from "../../domain/apply/plan.ts";
import { listGlobalTagIds, toDocument } from "../../domain/document/write-document.ts";
import { getFieldsOfKind } from "../../domain/fields/model-fields.ts";
import { model } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Change } from "../../domain/model/changes.ts";
import { listObjects, type ModelContent, omitUndefined, toModelContent } from "../../domain/model/content.ts";
import type { AnyObject, TagIds } from "../../domain/model/objects.ts";
import { createRestorer, getGlobalTagIds, type RestoreLoss } from "../../domain/model/restore.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import { parseStoredJson } from "../../domain/text/json-values.ts";
import { createChangeTest } from "../../domain/undo/selection.ts";
import { computeUndone, type EditedCommit, type UndoConflict } from "../../domain/undo/undo.ts";
import { modelRevision, onUndoConflict, planName } from "../../domain/values/model-types.ts";
import { type UndoSelection, undoSelection } from "../../domain/values/undo-selection.ts";
import { createListType, requestId, runRef } from "../../domain/values/value-types.ts";
import {
  createNamedSchema,
  createWrittenOutput,
  describe,
  describeInteger,
  describeList,
  describeText,
} from "../building/answers.ts";
import { modelWrite } from "../building/field-actions.ts";
import { createIdSchema } from "../building/ids.ts";
import { checkObjectProperties } from "../building/properties.ts";
import { readGlobalTags } from "../building/tags.ts";
import type { Action, Ports } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, createParameterProblem } from "../contract/params.ts";
import { type CommitEdits, type CommitFacts, createNotThereProblem } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";
import { loadPropertyRules } from "./compare.ts";
import {
  countByImpact,
  createImpactCountSchemas,
  createOutdatedProblem,
  createPlanStepSchema,
  cutConflictValue,
} from "./difference-schemas.ts";
import { createLossSchema, findObjectsWithNewProperties, isKeyTaken } from "./versions.ts";

const createConflictSchema = () =>
  createNamedSchema("UndoConflict", {
    kind: describeText("The stored kind: `attribute` for attributes of entities and of relationships."),
    ref: describeText("Ref `id:<uuid>` of the object."),
    key: z.string(),
    member: z.optional(
      describeText("The member, such as `name` or `properties.steward`; absent for the whole object."),
    ),
    now: describe(z.unknown(), "The present value, with objects by id; null for none."),
    before: describe(z.unknown(), "The value before the selected commits, with objects by id; null for none."),
    reason: z.string(),
    revision: z.optional(describeInteger("The last commit of somebody else on it.")),
    actor: z.optional(createIdSchema("actor", "Id of the actor of that commit.")),
  });

const modelUndo = defineAction({
  ...modelWrite,
  name: "model_undo",
  title: "Undo commits",
  description:
    "Takes back a run, some revisions or one request in a model, or a part of them, on top of its present state, as a new commit. " +
    "Give either `runRef`, `revisions`, `request` or `since`; `select` and `except` choose a part. " +
    "What others changed since stays and is listed in `conflicts`; with `onConflict` `back` it gets its former value too. " +
    "Objects that the commits created are deleted unless others use them, and objects that they deleted come back under their ids. " +
    "Version labels, the authority, global tags and accounts are never undone. An undo can be undone. " +
    "A dry run answers the plan. A call with `plan` is executed only if the plan is still the same.",
  intent: "update",
  notInBatch: { why: "it may write more than a batch" },
  mayBecomeJob: true,
  target: model,
  input: {
    runRef: allowParam(runRef, "The run to take back."),
    revisions: allowParam(createListType(modelRevision, LIMITS.undoneRevisions, 1), "The revisions to take back."),
    request: allowParam(requestId, "The id of the request to take back, such as that of an import or a batch."),
    since: allowParam(modelRevision, "The first of the revisions to take back; all later ones follow."),
    select: allowParam(undoSelection, "Only these changes; all unless given."),
    except: allowParam(undoSelection, "Not these changes."),
    onConflict: allowParam(onUndoConflict, "`keep` unless given."),
    plan: allowParam(planName, "The plan that a dry run answered: the call is refused if the plan has changed since."),
  },
  output: createWrittenOutput(
    "The state of the model and the plan; a dry run also answers the steps of the plan.",
    () => ({
      plan: describeText("The name of the plan: SHA-256 of its steps, with the id and revision of the model."),
      stepCount: describeInteger("The number of steps of the plan."),
      ...createImpactCountSchemas("steps"),
      undone: describeList(z.int(), "The revisions that were taken back, or of which a part was."),
      conflicts: describeList(createConflictSchema(), `The first ${LIMITS.conflictRows} conflicts.`),
      conflictCount: z.int(),
      losses: z.array(createLossSchema()),
      steps: z.optional(
        describeList(
          createPlanStepSchema(),
          `In a dry run: the steps in their order, the first ${LIMITS.plannedSteps}.`,
        ),
      ),
    }),
  ),
  errors: ["plan_outdated", "too_large"],
  example: { modelRef: "key:crm", revisions: [2] },
  prepare: async ({ input }) => {
    if (COMMITS.filter((name) => input[name] !== undefined).length === 1) return;
    throw createParameterProblem("Give either runRef, revisions, request or since", ...COMMITS);
  },
  run: async ({ target, input, view, ports, open, tags, call }) => {
    const content = await view.readContent(true);
    const now = new Map(listObjects(content).map((object) => [object.id, object]));
    const commits = await readCommits(view, now, input, ports);
    const { objects, revisions, conflicts } = computeUndone(now, commits, input.onConflict ?? "keep");
    const restoring = createRestorer(content);
    for (const object of objects.values()) restoring.add(object);
    const { key } = restoring.getModel();
    const keyTaken = key !== target.key && (await isKeyTaken(key, target.id, open));
    const { changes, losses } = restoring.finish({ keyTaken, lostTags: new Set() });
    losses.push(...(await listLostLinks(now, objects, tags)));
    const steps = await planUndo(content, objects, keyTaken ? target.key : key, tags);
    const plan = hashPlan({ model: target.id, revision: view.revision }, steps);
    if (input.plan !== undefined && input.plan !== plan) throw createOutdatedProblem(input.plan, plan, view);
    await checkObjectProperties(findObjectsWithNewProperties(changes), ports.store, call.budget);
    return {
      subject: { id: target.id, key: keyTaken ? target.key : key },
      changes,
      source: nameSelection(input),
      ...(needsGeneration(changes) && { publish: true as const }),
      keysLookedUp: true,
      extra: {
        plan,
        stepCount: steps.length,
        ...countByImpact(steps),
        undone: [...revisions],
        conflicts: conflicts.slice(0, LIMITS.conflictRows).map(toConflictRow),
        conflictCount: conflicts.length,
        losses,
      },
      preview: { steps: steps.slice(0, LIMITS.plannedSteps) },
    };
  },
});

export const undoActions = [modelUndo] as const satisfies readonly Action[];

const COMMITS = ["runRef", "revisions", "request", "since"] as const;

interface Selection {
  readonly runRef: Ref | undefined;
  readonly revisions: readonly number[] | undefined;
  readonly request: string | undefined;
  readonly since: number | undefined;
  readonly select: UndoSelection | undefined;
  readonly except: UndoSelection | undefined;
}

function nameSelection({ runRef: run, revisions = [], request, since }: Selection): string {
  if (run) return `run ${printRef(run)}`;
  if (since !== undefined) return `revisions from ${since}`;
  return request === undefined ? `revisions ${revisions.join(", ")}` : `request ${request}`;
}

/** Reads all commits from the first selected one on, oldest first. Throws `not_found` without one, and `too_large`. */
async function readCommits(
  view: ReadView,
  now: ReadonlyMap<string, AnyObject>,
  selection: Selection,
  ports: Ports,
): Promise<readonly EditedCommit[]> {
  const { first, isNamed } = await findCommits(view, selection, ports);
  const commits: CommitEdits[] = [];
  const last = new Map<string, AnyObject>();
  let count = 0;
  for await (const commit of (await ports.store.openPast()).listEdits(view, first)) {
    count += commit.edits.length;
    if (count > LIMITS.undoneChanges) throw createTooManyProblem(view);
    commits.push(commit);
    for (const { before, after = before } of commit.edits) if (after) last.set(after.id, after);
  }
  const isChosen = createChangeTest(new Map([...last, ...now]), selection);
  return commits.map((commit) => {
    const isSelected: EditedCommit["isSelected"] = (object, slot) => isChosen(object, slot, commit);
    return { ...commit, ...(isNamed(commit) && { isSelected }) };
  });
}

interface NamedCommits {
  readonly first: number;
  readonly isNamed: (commit: CommitFacts) => boolean;
}

/** Finds the commits that a call names. Throws `not_found`. */
async function findCommits(
  view: ReadView,
  { runRef: run, revisions = [], request, since }: Selection,
  { store, runs }: Ports,
): Promise<NamedCommits> {
  const { modelKey, revision: newest } = view;
  const later = [...revisions, since ?? 1].find((revision) => revision > newest);
  if (later !== undefined) throw createNotThereProblem(view, { revision: later });
  if (since !== undefined) return { first: since, isNamed: () => true };
  if (revisions.length > 0) {
    return { first: Math.min(...revisions), isNamed: ({ revision }) => revisions.includes(revision) };
  }
  if (run) {
    if (!(await runs.get(run.value))) throw new Problem("not_found", `no run ${printRef(run)}`);
    const first = await (await store.openPast()).findRun(view, run.value);
    if (first !== undefined) return { first, isNamed: (commit) => commit.run === run.value };
    throw new Problem("not_found", `the run ${printRef(run)} has no commit in the model ${modelKey}`);
  }
  const found = await (await store.openPast()).findRequest(view, request ?? "");
  if (found) return { first: found.revision, isNamed: ({ revision }) => revision === found.revision };
  throw new Problem("not_found", `the request ${request} made no commit in the model ${modelKey}`);
}

function createTooManyProblem({ modelKey }: ReadView): Problem {
  const detail = `The model ${modelKey} has more than ${LIMITS.undoneChanges} changes since the first revision to take back. Take back a later one, or restore a revision with model_restore`;
  return new Problem("too_large", detail);
}

/** Returns the steps from the present state to the one after the undo. */
async function planUndo(
  content: ModelContent,
  objects: ReadonlyMap<string, AnyObject>,
  key: string,
  tags: () => Promise<ReadView>,
): Promise<readonly PlanStep[]> {
  const after = toModelContent(objects.values());
  if (!after) throw new Error("an undo leaves the model");
  const ids = new Set([content, after].flatMap(listGlobalTagIds));
  const globals = await readGlobalTags([...ids], tags);
  const [current, target] = [toDocument(content, globals), { ...toDocument(after, globals), key }];
  const rules = await loadPropertyRules([current, target], tags);
  return planSteps(current, target, { ...rules, renamesModel: true });
}

/** Lists the objects that get links to tags which were deleted. */
async function listLostLinks(
  now: ReadonlyMap<string, AnyObject>,
  objects: ReadonlyMap<string, AnyObject>,
  tags: () => Promise<ReadView>,
): Promise<readonly RestoreLoss[]> {
  const added = [...objects.values()].flatMap((object) => {
    const present = now.get(object.id);
    if (object === present) return [];
    const known = new Set(present ? [...getTagIds(present), ...getGlobalTagIds(present)] : []);
    const listNew = (ids: readonly string[]) => ids.filter((id) => !known.has(id));
    return [{ object, local: listNew(getTagIds(object)), global: listNew(getGlobalTagIds(object)) }];
  });
  const globals = await readGlobalTags([...new Set(added.flatMap(({ global }) => global))], tags);
  return added.flatMap(({ object: { id, kind, key }, local, global }) => {
    const lost = [...local.filter((one) => !objects.has(one)), ...global.filter((one) => !globals.has(one))];
    return lost.length > 0 ? [{ id, detail: `${kind} ${key}: ${lost.length} of its tag(s) were deleted` }] : [];
  });
}

function getTagIds(object: AnyObject): readonly string[] {
  return (object as TagIds).tags ?? [];
}

/**
 * Tests whether a commit has to be published as a new generation: the sweeper may still delete the id of an object that
 * comes back, and a business key of a deleted entity may hold a key that is free.
 */
function needsGeneration(changes: readonly Change[]): boolean {
  return changes.some(
    (change) =>
      change.does === "create" ||
      (change.does === "update" && change.before.kind === "business_key" && change.before.key !== change.after.key),
  );
}

function toConflictRow({ object, member, now, before, reason, since }: UndoConflict) {
  const { kind, id, key } = object;
  const field = member === undefined ? undefined : getFieldsOfKind(kind)?.[member];
  const show = (value: unknown): unknown => {
    // The position among siblings is a number without a meaning.
    if (value === undefined || field?.is === "internal") return null;
    return cutConflictValue(field?.is === "json" ? parseStoredJson(String(value)) : value);
  };
  return omitUndefined({
    ...{ kind, ref: `id:${id}`, key, member, now: show(now), before: show(before), reason },
    ...{ revision: since?.revision, actor: since?.actor },
  });
}
