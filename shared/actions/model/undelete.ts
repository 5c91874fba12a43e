import * as z from "zod/mini";
import { hasPermissionOn } from "../../domain/accounts/principal.ts";
import { model } from "../../domain/kinds.ts";
import { createChange } from "../../domain/model/changes.ts";
import { omitUndefined } from "../../domain/model/content.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
import { getGlobalTagIds, listLostTagLinks } from "../../domain/model/restore.ts";
import { Problem } from "../../domain/problems.ts";
import { modelKey } from "../../domain/values/value-types.ts";
import { createNamedSchema, describeInteger, describeText } from "../building/answers.ts";
import { createIdSchema } from "../building/ids.ts";
import { createListOutput, pagingParams, toPage, toReading } from "../building/reads.ts";
import { type Action, authorizeOn } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam } from "../contract/params.ts";
import { type DeletedModel, requirePast } from "../contract/store.ts";
import { selectRows } from "../contract/view.ts";
import { findDeletedTags, restoreOutput } from "./versions.ts";

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
      id: describeText("The id, which `model_undelete` takes."),
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

export const undeleteActions = [deletedList, modelUndelete] as const satisfies readonly Action[];
