import * as z from "zod/mini";
import type { ModelDocument } from "../../domain/document/document.ts";
import { readObjects } from "../../domain/document/read-document.ts";
import { LIMITS } from "../../domain/limits.ts";
import { includeMember, omitUndefined } from "../../domain/model/content.ts";
import { onConflict } from "../../domain/values/model-types.ts";
import { modelRef } from "../../domain/values/ref-types.ts";
import { sourceFormat } from "../../domain/values/source-formats.ts";
import { location, modelKey, singleLine, sourceContent, sourceLabel } from "../../domain/values/value-types.ts";
import {
  createNamedSchema,
  createRecognisedSourceSchema,
  createWarningsSchema,
  createWrittenOutput,
  describeInteger,
  describeList,
  describeText,
} from "../building/answers.ts";
import { checkDocumentProperties } from "../building/properties.ts";
import type { FreeContext } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, createParameterProblem, type Params } from "../contract/params.ts";
import { createLikelyRenameSchema, createMergeConflictSchema, createPlanStepSchema } from "./difference-schemas.ts";
import { createTagPart, importTags } from "./imported-tags.ts";
import { createModelDecision } from "./model.ts";
import { createImportRecord, parseSource, toleranceParams } from "./source-document.ts";

const importOutput = createWrittenOutput(
  "The created or changed model, and warnings about parts that were not imported.",
  () => ({
    counts: createNamedSchema("ImportCounts", {
      types: z.int(),
      entities: z.int(),
      attributes: z.int(),
      relationships: z.int(),
      businessKeys: z.int(),
      tags: describeInteger("Local tags of the model."),
      globalTags: describeInteger("The number of tag groups and global tags that were created with it."),
    }),
    recognised: createRecognisedSourceSchema(),
    warnings: createWarningsSchema(),
    plan: z.optional(describeText("With `into`: the name of the plan, as in `model_apply`.")),
    stepCount: z.optional(describeInteger("With `into`: the number of steps of the plan.")),
    conflictCount: z.optional(describeInteger("With `into`: the number of conflicts that `onConflict` decided.")),
    steps: z.optional(
      describeList(
        createPlanStepSchema(),
        `In a dry run with \`into\`: the steps in their order, the first ${LIMITS.plannedSteps}.`,
      ),
    ),
    likelyRenames: z.optional(
      describeList(createLikelyRenameSchema(), "In a dry run with `into`: objects that the source may have renamed."),
    ),
    conflicts: z.optional(
      describeList(
        createMergeConflictSchema(),
        `In a dry run with \`into\`: the conflicts, the first ${LIMITS.conflictRows}.`,
      ),
    ),
  }),
);

const input = {
  from: allowParam(location, "The URL to read."),
  content: allowParam(sourceContent, "The content: a JSON object, or the text of a file."),
  format: allowParam(sourceFormat, "The format of the source; detected unless given."),
  ...toleranceParams,
  modelKey: allowParam(
    modelKey,
    "The key of the new model; the name in the source unless given. Not together with `into`.",
  ),
  modelName: allowParam(
    singleLine,
    "The name of the new model; the title in the source unless given. Not together with `into`.",
  ),
  into: allowParam(modelRef, "The model that the source is merged into, instead of a new model."),
  source: allowParam(
    sourceLabel,
    "The label of the source. " +
      "Its document is stored under the label, and origins begin with it. " +
      "The URL without its query unless given; required for content that is merged into a model.",
  ),
  onConflict: allowParam(onConflict, "Only with `into`; `refuse` unless given."),
};

export const importAction = defineAction({
  group: "model",
  name: "import",
  title: "Import model",
  description:
    "Creates a model from a source: a model document that `model_export` answered, or a file in one of the formats of `format`, which is detected (`recognised` shows how). " +
    "Give either `from` or `content`. Keywords become local tags, foreign keys become relationships. " +
    "Global tags of a document are found by their keys. " +
    "Missing ones are created if the caller holds `tag_global_manage` (and `tag_group_manage` for a group); " +
    "otherwise their links are left out with a warning. " +
    "With `into`, a model follows its source, which also requires `model_write` on that model. " +
    "Changes of the source since the last import under the same label are merged; changes by people stay. " +
    "A value that both changed in different ways is a conflict, also if one side deleted an object that the other side changed or uses. " +
    "Without an earlier import under the label, additions of the document are merged, and different values are conflicts. " +
    "The key, the version and the authority of the model stay. A dry run answers the plan. " +
    "Nothing is stored unless everything is valid.",
  intent: "create",
  rule: "model_import",
  manyModels: true,
  notInBatch: { parameters: ["from", "into"], why: "fetching and merging would delay the other entries" },
  input,
  output: importOutput,
  errors: ["not_found", "key_taken", "merge_conflict", "source_not_recognised", "invalid_content"],
  mayBecomeJob: true,
  preparedFrom: ["from", "content"],
  example: {
    content: { name: "offices", fields: [{ name: "code", type: "string", constraints: { required: true } }] },
    source: "offices",
  },
  prepare: async ({ input, ports, call }) => {
    checkInto(input);
    const { modelKey, modelName, format, source, allowUnknown, lenient } = input;
    const names = {
      ...omitUndefined({ modelKey, modelName, format, source }),
      ...{ allowUnknown, lenient },
      // The stored document of a source needs notes about omitted members.
      ...(input.from !== undefined || source !== undefined ? { notes: true as const } : {}),
    };
    const result = await ports.importer.read(parseSource(input, call.budget), names, call.budget);
    if (input.into && result.source === undefined) throw createParameterProblem(NO_LABEL, "source");
    return result;
  },
  run: async ({ input, prepared, ports, call, open, tags }) => {
    const { document, source } = prepared;
    if (input.into && source !== undefined) {
      const view = await open(input.into);
      const { mergeSource } = await import("./import-into.ts");
      const terms = { ...prepared, label: source, onConflict: input.onConflict ?? "refuse", call, ports, tags };
      const pointer = input.from === undefined ? "/content" : "/from";
      return mergeSource(view, { ...terms, pointer, counts: countObjects(document) });
    }
    await checkDocumentProperties(prepared, ports.store, call.budget);
    const { ids, changes, warnings } = await importTags(document, tags, call);
    const idsByObject = new Map();
    const objects = readObjects(document, call.nextId, ids, idsByObject);
    const record = source === undefined ? undefined : createImportRecord(call.newId());
    return {
      ...createModelDecision(objects, ports.store, record?.toSources(source ?? "")),
      ...includeMember("source", source),
      ...record?.toBlobs(
        document,
        (object) => idsByObject.get(object),
        (ref) => ids.has(ref),
      ),
      ...(await createTagPart(changes, tags)),
      extra: {
        counts: { ...countObjects(document), globalTags: changes.length },
        recognised: prepared.recognised,
        warnings: [...prepared.warnings, ...warnings],
      },
    };
  },
});

function checkInto({ into, modelKey: key, modelName, onConflict: rule }: FreeContext<typeof input & Params>["input"]) {
  if (into && key !== undefined)
    throw createParameterProblem("An existing model keeps its key; omit modelKey", "modelKey");
  if (into && modelName !== undefined) {
    const detail = "The name comes from the source; omit modelName, and rename the model afterwards";
    throw createParameterProblem(detail, "modelName");
  }
  if (!into && rule !== undefined)
    throw createParameterProblem("onConflict is allowed only with into; omit it", "onConflict");
}

const NO_LABEL =
  "source: missing label. Content has no URL to identify its source; give the same label with each import";

function countObjects({ types, entities, relationships, businessKeys, localTags }: ModelDocument) {
  return {
    types: types.length,
    entities: entities.length,
    attributes: [...entities, ...relationships].reduce((sum, owner) => sum + owner.attributes.length, 0),
    relationships: relationships.length,
    businessKeys: businessKeys.length,
    tags: localTags.length,
  };
}
