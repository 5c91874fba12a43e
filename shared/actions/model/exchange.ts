import * as z from "zod/mini";
import { objectsOf } from "../../domain/content.ts";
import { copyOf } from "../../domain/copy.ts";
import type { ModelDocument } from "../../domain/document.ts";
import { objectsFromDocument } from "../../domain/document-content.ts";
import { model } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { globalTagIds } from "../../domain/model-document.ts";
import { Problem } from "../../domain/problems.ts";
import { sourceFormat } from "../../domain/source-formats.ts";
import { location, modelKey, modelVersion, singleLine, sourceContent } from "../../domain/value-types.ts";
import { ifFound } from "../building/if-found.ts";
import { namedObject } from "../building/named-object.ts";
import { checkDocumentProperties, checkObjectProperties } from "../building/property-checks.ts";
import { recognisedSource } from "../building/recognised-source.ts";
import { globalTags } from "../building/tags-shown.ts";
import { warningList } from "../building/warning-list.ts";
import { written, writtenWith } from "../building/written.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { optional, required } from "../contract/params.ts";
import { momentOf } from "../contract/past.ts";
import { modelExportAs } from "./export-as.ts";
import { importTags, mayMake } from "./imported-tags.ts";
import { modelDocument } from "./model-document.ts";
import { newModel } from "./new-model.ts";
import { documentAt, documentThen, moments, pastDocument } from "./past-document.ts";
import { sourceOf } from "./source-params.ts";

const modelExport = defineAction({
  group: "model",
  name: "model_export",
  title: "Export model",
  description:
    "Answers a whole model as one self-contained document that `import` reads back: as it is, or as it was at a version or a revision, with the global tags of then. Give `version` or `revision`, not both. A past state has the entity tag that it had as the newest. An administrator reads the past of a deleted model too, by its id, outside a batch.",
  intent: "read",
  rule: "model_read",
  past: true,
  within: model,
  input: moments,
  output: { mediaType: "application/json", description: "The model document.", schema: modelDocument },
  errors: [],
  example: { modelRef: "key:crm" },
  prepare: async ({ input }) => void momentOf(input.version, input.revision),
  run: async ({ view, tags, input, ports }) =>
    documentThen(view, tags, ports.store, momentOf(input.version, input.revision)),
});

const modelExportVersion = defineAction({
  group: "model",
  name: "model_export_version",
  title: "Export version",
  description: "Answers a released version of a model, as `model_export` does.",
  intent: "read",
  rule: "model_read",
  past: true,
  within: model,
  input: { version: required(modelVersion, "The released version.") },
  output: { mediaType: "application/json", description: "The model document.", schema: modelDocument },
  errors: [],
  example: { modelRef: "key:crm", version: "0.0.1" },
  run: async ({ view, input, ports }) => pastDocument(ports.store, view, { version: input.version }),
});

const allModels = {
  mediaType: "application/json" as const,
  description: "The documents of all models.",
  schema: () => namedObject("ModelDocuments", { models: z.array(modelDocument()) }),
};

const inspectModelsJson = defineAction({
  group: "model",
  name: "inspect_models_json",
  title: "Inspect all models",
  description: "Answers the documents of all models in one, sorted by key.",
  intent: "read",
  rule: "model_read",
  input: {},
  output: allModels,
  errors: [],
  example: {},
  run: async ({ ports, tags }) => {
    const models: ModelDocument[] = [];
    let bytes = 0;
    for (const { id: value } of (await ports.store.models()).items) {
      const view = await ifFound(ports.store.open({ scheme: "id", value }));
      if (!view) continue;
      const document = await documentAt(view, tags);
      bytes += JSON.stringify(document).length;
      if (bytes > LIMITS.inflatedResponseBytes) {
        throw new Problem(
          "result_too_large",
          "all models together are too large for one answer; export them one by one",
        );
      }
      models.push(document);
    }
    return { body: { models } };
  },
});

const modelCopy = defineAction({
  group: "model",
  name: "model_copy",
  title: "Copy model",
  description:
    "Copies a model with all it holds under a new key, with new ids and the authority `system`; not its history.",
  intent: "create",
  rule: "model_copy",
  within: model,
  input: { modelNewKey: required(modelKey, "The key of the copy.") },
  output: written,
  errors: ["key_taken"],
  mayBecomeJob: true,
  example: { modelRef: "key:crm", modelNewKey: "crm_draft" },
  run: async ({ view, input, call, ports, tags }) => {
    const content = await view.content();
    await checkObjectProperties(objectsOf(content), ports.store);
    const globals = await globalTags(globalTagIds(content), tags);
    const named = { key: input.modelNewKey, authority: "system" as const };
    return newModel(copyOf(content, globals, call.nextId), ports.store, named);
  },
});

const imported = writtenWith("The model that was made, and what was not carried over.", () => ({
  counts: namedObject("ImportCounts", {
    types: z.int(),
    entities: z.int(),
    attributes: z.int(),
    relationships: z.int(),
    businessKeys: z.int(),
    tags: z.int().check(z.describe("Local tags of the model.")),
    globalTags: z.int().check(z.describe("Tag groups and global tags that were not there and were made with it.")),
  }),
  recognised: recognisedSource(),
  warnings: warningList(),
}));

const importAction = defineAction({
  group: "model",
  name: "import",
  title: "Import model",
  description:
    "Creates a model from a source: a model document that `model_export` answered, or a file in one of the formats that `format` names, which is told by its own marks (`recognised` says how). Give either `from` or `content`. Keywords become local tags, foreign keys relationships. Global tags of a document are found by their keys; what is missing is made with the model if the caller holds `tag_global_manage` (and `tag_group_manage` for a group), else its marks are left out with a warning. Nothing is stored unless all of it is valid.",
  intent: "create",
  rule: "model_import",
  notInBatch: { parameter: "from", why: "fetching takes longer than others should wait" },
  input: {
    from: optional(location, "The URL to read."),
    content: optional(sourceContent, "The content itself: a JSON object, or the text of a file."),
    format: optional(sourceFormat, "The format to read it in, whatever it looks like; recognised unless given."),
    modelKey: optional(modelKey, "The key of the new model; otherwise the source's own name."),
    modelName: optional(singleLine, "The name of the new model; otherwise the source's own title."),
  },
  output: imported,
  errors: ["key_taken", "source_not_recognised", "invalid_content"],
  mayBecomeJob: true,
  preparedFrom: ["from", "content"],
  example: {
    content: { name: "offices", fields: [{ name: "code", type: "string", constraints: { required: true } }] },
  },
  prepare: async ({ input, ports, call }) => {
    const read = await ports.importer.read(sourceOf(input.from, input.content), {
      ...(input.modelKey !== undefined && { modelKey: input.modelKey }),
      ...(input.modelName !== undefined && { modelName: input.modelName }),
      ...(input.format !== undefined && { format: input.format }),
    });
    return { ...read, may: mayMake(call.principal?.permissions) };
  },
  run: async ({ prepared, ports, call, tags }) => {
    const { document, may } = prepared;
    await checkDocumentProperties(document, ports.store);
    const { ids, changes, warnings } = await importTags(document, tags, may, call.nextId);
    const ledger = changes.length > 0 ? await tags() : undefined;
    return {
      ...newModel(objectsFromDocument(document, call.nextId, ids), ports.store),
      // The model's first revision sees the tags that are made with it.
      ...(ledger && { alongside: [{ view: ledger, changes }], tagsSeen: ledger.revision + 1 }),
      extra: {
        counts: { ...countsOf(document), globalTags: changes.length },
        recognised: prepared.recognised,
        warnings: [...prepared.warnings, ...warnings],
      },
    };
  },
});

function countsOf({ types, entities, relationships, businessKeys, localTags }: ModelDocument) {
  return {
    types: types.length,
    entities: entities.length,
    attributes: [...entities, ...relationships].reduce((sum, owner) => sum + owner.attributes.length, 0),
    relationships: relationships.length,
    businessKeys: businessKeys.length,
    tags: localTags.length,
  };
}

/** The actions that move whole models in and out. */
export const exchangeActions = [
  modelExport,
  modelExportVersion,
  modelExportAs,
  inspectModelsJson,
  modelCopy,
  importAction,
] as const satisfies readonly Action[];
