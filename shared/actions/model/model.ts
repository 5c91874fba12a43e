import * as z from "zod/mini";
import { modelFields } from "../../domain/fields/model-fields.ts";
import { model } from "../../domain/kinds.ts";
import { type Change, createChange, deleteChange, updateChanges } from "../../domain/model/changes.ts";
import { includeMember } from "../../domain/model/content.ts";
import type { AnyObject, Model } from "../../domain/model/objects.ts";
import {
  FIRST_VERSION,
  link,
  markdown,
  modelAuthority,
  modelKey,
  modelVersion,
  singleLine,
} from "../../domain/values/value-types.ts";
import { createNamedOutput, createNamedSchema, writtenOutput } from "../building/answers.ts";
import { createKindActions, defineUpdateField, modelWrite, toSubject } from "../building/field-actions.ts";
import { createOwnIdSchema } from "../building/ids.ts";
import { modelRead, pagingParams, toPage, toReading } from "../building/reads.ts";
import { createRowShape, toRow } from "../building/rows.ts";
import { prepareTags } from "../building/tags.ts";
import type { Action, Decision } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowClearing, allowParam, requireParam } from "../contract/params.ts";
import type { Store } from "../contract/store.ts";

const modelCreate = defineAction({
  group: "model",
  name: "model_create",
  title: "Create model",
  description: "Creates an empty model and releases its first version.",
  intent: "create",
  rule: "model_create_manual",
  input: {
    key: requireParam(modelKey, "The key of the new model."),
    name: requireParam(singleLine, "Its name."),
    description: allowParam(markdown, "Its description."),
    version: allowParam(modelVersion, `The version of its first release; ${FIRST_VERSION} unless given.`),
  },
  output: writtenOutput,
  errors: ["key_taken"],
  example: { key: "crm", name: "Customers" },
  run: async ({ input, call, ports }) => {
    const version = input.version ?? FIRST_VERSION;
    const newModel: Model = {
      kind: "model",
      id: call.nextId(),
      key: input.key,
      revision: 0,
      name: input.name,
      ...includeMember("description", input.description),
      version,
      authority: "system",
    };
    return {
      subject: toSubject(newModel),
      begins: ports.store.beginModel(newModel.id, newModel.key),
      changes: [createChange(newModel)],
      release: version,
    };
  },
});

const modelList = defineAction({
  ...modelRead,
  name: "model_list",
  title: "List models",
  description: "Lists all models, sorted by key. The list includes every change that was answered before the call.",
  input: pagingParams,
  output: {
    mediaType: "application/json",
    description: "A list of summaries.",
    schema: () =>
      z.array(
        createNamedSchema("ModelSummary", {
          id: createOwnIdSchema("Id of the model."),
          key: z.string(),
          name: z.string(),
          version: z.string(),
          authority: z.enum(["system", "canonical"]),
        }),
      ),
    rows: (body) => body as readonly unknown[],
  },
  errors: [],
  example: {},
  run: async ({ input, ports }) => toReading(await ports.store.listModels(toPage(input)), (models) => models),
});

const modelGet = defineAction({
  ...modelRead,
  name: "model_get",
  title: "Get model",
  description: "Reads the fields of a model, without its content.",
  target: model,
  output: createNamedOutput("Model", "The model.", () => ({
    ...createRowShape("Model", modelFields),
    revision: z.int(),
  })),
  errors: [],
  example: { modelRef: "key:crm" },
  run: async ({ target, view, tags }) => {
    const tagsShown = await prepareTags([target], view, tags);
    return { body: { ...toRow(target, modelFields), ...tagsShown(target) }, showsRevision: true };
  },
});

const modelUpdateName = defineAction({
  ...modelWrite,
  name: "model_update_name",
  title: "Rename model",
  description: "Changes the name of a model.",
  intent: "update",
  target: model,
  input: { name: requireParam(singleLine, "The new name.", "value") },
  errors: [],
  example: { modelRef: "key:crm", name: "Customer relations" },
  run: async ({ target, input }) => ({
    subject: toSubject(target),
    changes: updateChanges(target, { name: input.name }),
  }),
});

const modelDelete = defineAction({
  group: "model",
  name: "model_delete",
  title: "Delete model",
  description: "Deletes a model with its content; its log and releases are kept.",
  intent: "delete",
  rule: "model_delete",
  target: model,
  output: writtenOutput,
  errors: [],
  example: { modelRef: "key:crm" },
  run: async ({ target }) => ({ subject: toSubject(target), changes: [deleteChange(target, true)] }),
});

const crm = { modelRef: "key:crm" };
const actions = createKindActions(model, {
  prefix: "model",
  group: "model",
  rule: "model_write",
  one: "a model",
  example: crm,
});

export const modelActions = [
  modelCreate,
  modelList,
  modelGet,
  modelUpdateName,
  actions.updateDescription("Everything about customers."),
  actions.updateKey(modelKey, "customers"),
  defineUpdateField("model_update_authority", model, "authority", {
    title: "Set model authority",
    description: "Sets the authority of a model: canonical, or owned by a system.",
    rule: "model_update_authority",
    value: requireParam(modelAuthority, "system or canonical."),
    example: { ...crm, value: "canonical" },
  }),
  defineUpdateField("model_update_documentation_link", model, "documentationHome", {
    title: "Link model documentation",
    description: "Changes or clears the link to the documentation of a model.",
    rule: "model_write",
    value: allowClearing(link, "The new link; leave it out to clear it."),
    example: { ...crm, value: "https://example.com/crm" },
  }),
  ...actions.properties,
  modelDelete,
] as const satisfies readonly Action[];

/** Decides to create a model as a generation that is published at the end. */
export function createModelDecision(
  objects: Iterable<AnyObject>,
  store: Store,
  members: Partial<Model> = {},
): Decision {
  let root: Model | undefined;
  const others: Change[] = [];
  for (const object of objects) {
    if (object.kind === "model") root = { ...object, ...members };
    else others.push(createChange(object));
  }
  if (!root) throw new Error("The objects do not include a model");
  return {
    subject: { id: root.id, key: root.key },
    begins: store.beginModel(root.id, root.key),
    changes: [createChange(root), ...others],
    release: root.version,
    publish: true,
  };
}
