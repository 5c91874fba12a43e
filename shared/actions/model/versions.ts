import * as z from "zod/mini";
import { hasPermissionOn } from "../../domain/accounts/principal.ts";
import { model } from "../../domain/kinds.ts";
import { type Change, createChange, updateChanges } from "../../domain/model/changes.ts";
import { listObjects, omitUndefined } from "../../domain/model/content.ts";
import type { AnyObject, Model } from "../../domain/model/objects.ts";
import { createRestorer, getGlobalTagIds, listLostTagLinks } from "../../domain/model/restore.ts";
import { Problem } from "../../domain/problems.ts";
import type { Ref } from "../../domain/refs.ts";
import { modelRevision } from "../../domain/values/model-types.ts";
import { compareVersions, modelKey, modelVersion } from "../../domain/values/value-types.ts";
import {
  createNamedSchema,
  createWrittenOutput,
  describeInteger,
  describeText,
  writtenOutput,
} from "../building/answers.ts";
import { modelWrite, toSubject } from "../building/field-actions.ts";
import { createIdSchema, createOwnIdSchema } from "../building/ids.ts";
import { checkObjectProperties } from "../building/properties.ts";
import { createListOutput, findOrUndefined, pagingParams, toPage, toReading } from "../building/reads.ts";
import { readGlobalTags } from "../building/tags.ts";
import { type Action, authorizeOn } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, createParameterProblem, requireParam } from "../contract/params.ts";
import {
  type DeletedModel,
  type PastObjects,
  type PointInTime,
  parsePointInTime,
  requirePast,
} from "../contract/store.ts";
import { type ReadView, selectRows } from "../contract/view.ts";

export const pointInTimeParams = {
  version: allowParam(modelVersion, "A released version; the current state unless given."),
  revision: allowParam(modelRevision, "A revision, instead of a version."),
};

const modelRelease = defineAction({
  group: "model",
  name: "model_release",
  title: "Release model",
  description:
    "Releases the current content of a model as a version, which can then be read and compared. " +
    "The version must be greater than the previous one, in the order of Semantic Versioning.",
  intent: "update",
  rule: "model_release",
  target: model,
  input: { value: requireParam(modelVersion, "The version.", "version") },
  output: writtenOutput,
  errors: ["version_not_greater"],
  example: { modelRef: "key:crm", value: "1.0.0" },
  run: async ({ target, input, view }) => {
    checkVersionGreater(input.value, target);
    const content = await view.readContent(true);
    const changes = updateChanges(target, { version: input.value });
    const objects = listObjects({ ...content, model: { ...content.model, version: input.value } });
    return { subject: toSubject(target), changes, release: input.value, holds: objects };
  },
});

/** Throws `version_not_greater` unless the version is greater than the current one, which is always the highest release. */
function checkVersionGreater(version: string, { key, version: highest }: Model) {
  if (compareVersions(version, highest) > 0) return;
  const detail = `Version ${version} is not greater than ${highest}, the highest release of the model ${key}; choose a greater version`;
  throw new Problem("version_not_greater", detail);
}

/** Returns the schema of a part that cannot be restored. */
export const createLossSchema = () =>
  createNamedSchema("RestoreLoss", { id: describeText("Id of the object."), detail: z.string() });

const restoreOutput = createWrittenOutput("The restored model, and the losses.", () => ({
  restoredRevision: describeInteger("The revision that was restored."),
  losses: z.array(createLossSchema()),
}));

const modelRestore = defineAction({
  ...modelWrite,
  name: "model_restore",
  title: "Restore model",
  description:
    "Restores the state of a model at a version or a revision, as a new commit; its history is kept. " +
    "Give either `version` or `revision`. Objects return with their ids. " +
    "`losses` lists the parts that cannot be restored: the version label never goes back, another model may have the key now, and global tags may be deleted.",
  intent: "update",
  notInBatch: { why: "it replaces the whole model" },
  mayBecomeJob: true,
  target: model,
  input: {
    version: { ...pointInTimeParams.version, description: "The released version to restore." },
    revision: { ...pointInTimeParams.revision, description: "The revision to restore, instead of a version." },
  },
  output: restoreOutput,
  errors: [],
  example: { modelRef: "key:crm", revision: 1 },
  prepare: async ({ input }) => void requirePointInTime(input.version, input.revision),
  run: async ({ target, input, view, ports, open, tags, call }) => {
    const point = requirePointInTime(input.version, input.revision);
    const past = await requirePast((await ports.store.openPast()).readObjects(view, point), view, point);
    const restoring = createRestorer(await view.readContent(true));
    for await (const object of past.objects) restoring.add(object);
    const { key } = restoring.getModel();
    const keyTaken = key !== target.key && (await isKeyTaken(key, target.id, open));
    const lostTags = await findDeletedTags(restoring.listGlobalTagIds(), past, tags);
    const { changes, losses } = restoring.finish({ keyTaken, lostTags });
    await checkObjectProperties(findObjectsWithNewProperties(changes), ports.store, call.budget);
    return {
      subject: { id: target.id, key: keyTaken ? target.key : key },
      changes,
      source: input.version === undefined ? `revision ${past.revision}` : `version ${input.version}`,
      publish: true,
      keysLookedUp: true,
      extra: { restoredRevision: past.revision, losses },
    };
  },
});

const deletedList = defineAction({
  group: "model",
  name: "deleted_list",
  title: "List deleted models",
  description:
    "Lists the deleted models that the caller may delete, sorted by id. `model_undelete` brings one back. " +
    "A model that was deleted by a version of the service before this action is listed after `npm run fsck -- --repair`.",
  intent: "read",
  rule: "model_delete",
  seesAll: true,
  input: pagingParams,
  output: createListOutput("The deleted models.", () =>
    createNamedSchema("DeletedModel", {
      id: createOwnIdSchema("Id of the model, as `model_undelete` takes it."),
      key: describeText("The key at the deletion; another model may have it now."),
      revision: describeInteger("The revision of the deletion."),
      deletedAt: describeText("ISO 8601."),
      deletedBy: z.optional(createIdSchema("actor", "Id of the actor.")),
    }),
  ),
  errors: [],
  example: {},
  run: async ({ input, call, ports }) => {
    const mayDelete = (row: DeletedModel) =>
      call.principal !== undefined && hasPermissionOn(call.principal, "model_delete", row);
    const rows = await selectRows(ports.store.listDeletedModels, toPage(input), mayDelete, ({ id }) => id);
    return toReading(rows, (all) => ({ items: all.map(toDeletedRow) }));
  },
});

function toDeletedRow({ id, key, revision, time, actor }: DeletedModel) {
  return omitUndefined({ id, key, revision, deletedAt: time, deletedBy: actor });
}

const modelUndelete = defineAction({
  group: "model",
  name: "model_undelete",
  title: "Undelete model",
  description:
    "Brings a deleted model back as it was before its deletion, as the next revision, with all ids, releases and its history. " +
    "The ref is its id, as `deleted_list` shows it. If another model has its key now, give another `key`. " +
    "The caller also needs the permission `model_create_manual` for the key. " +
    "`losses` lists links to global tags that were deleted meanwhile.",
  intent: "update",
  rule: "model_delete",
  findsDeleted: true,
  notInBatch: { why: "it publishes a whole model" },
  mayBecomeJob: true,
  within: model,
  input: { key: allowParam(modelKey, "The key that the model gets; the one at its deletion unless given.") },
  output: restoreOutput,
  errors: ["not_deleted", "key_taken"],
  example: { modelRef: "id:01890a5d-ac96-774b-bcce-b302099a8057" },
  run: async ({ view, input, call, ports, tags }) => {
    const { ledgerId: id, modelKey: formerKey, revision } = view;
    if (!view.deleted) throw new Problem("not_deleted", `The model ${formerKey} is not deleted`);
    const key = input.key ?? formerKey;
    authorizeOn({ key }, "model_create_manual", call.principal);
    const point = { revision: revision - 1 };
    const past = await requirePast((await ports.store.openPast()).readObjects(view, point), view, point);
    const objects: AnyObject[] = [];
    for await (const object of past.objects) objects.push(object.kind === "model" ? { ...object, key } : object);
    const tagIds = new Set(objects.flatMap(getGlobalTagIds));
    const lostTags = await findDeletedTags([...tagIds], past, tags);
    return {
      subject: { id, key },
      begins: ports.store.beginAgain(view),
      changes: objects.map((object) => createChange(object)),
      publish: true,
      undeletes: true,
      extra: { restoredRevision: point.revision, losses: objects.flatMap((one) => listLostTagLinks(one, lostTags)) },
    };
  },
});

/** Returns the objects that changes create or give other properties. */
export function* findObjectsWithNewProperties(changes: readonly Change[]): Generator<AnyObject> {
  for (const change of changes) {
    if (change.does === "delete") continue;
    const before = change.does === "update" ? (change.before as WithProperties).properties : undefined;
    if ((change.after as WithProperties).properties !== before) yield change.after;
  }
}

type WithProperties = { readonly properties?: string };

function requirePointInTime(version: string | undefined, revision: number | undefined): PointInTime {
  const point = parsePointInTime(version, revision);
  if (point) return point;
  throw createParameterProblem("Give the version or the revision to restore", "version", "revision");
}

/** Tests whether another model has a key. */
export async function isKeyTaken(value: string, own: string, open: (ref: Ref) => Promise<ReadView>): Promise<boolean> {
  const holder = await findOrUndefined(open({ scheme: "key", value }));
  return holder !== undefined && holder.ledgerId !== own;
}

/** Returns the ids of global tags that existed at a point in time and are deleted now. */
async function findDeletedTags(
  ids: readonly string[],
  past: PastObjects,
  tags: () => Promise<ReadView>,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const pastTags = await past.listTags();
  const tagIds = ids.filter((id) => pastTags.has(id));
  const now = await readGlobalTags(tagIds, tags);
  return new Set(tagIds.filter((id) => !now.has(id)));
}

export const versionActions = [
  modelRelease,
  modelRestore,
  deletedList,
  modelUndelete,
] as const satisfies readonly Action[];
