import * as z from "zod/mini";
import { objectsOf } from "../../domain/content.ts";
import { copyOf } from "../../domain/copy.ts";
import type { ModelDocument } from "../../domain/document.ts";
import { model } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { globalTagIds } from "../../domain/model-document.ts";
import { Problem } from "../../domain/problems.ts";
import { modelKey, modelVersion } from "../../domain/value-types.ts";
import { ifFound } from "../building/if-found.ts";
import { namedObject } from "../building/named-object.ts";
import { checkObjectProperties } from "../building/property-checks.ts";
import { globalTags } from "../building/tags-shown.ts";
import { written } from "../building/written.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { required } from "../contract/params.ts";
import { momentOf } from "../contract/past.ts";
import { modelExportAs } from "./export-as.ts";
import { importAction } from "./import.ts";
import { modelDocument } from "./model-document.ts";
import { newModel } from "./new-model.ts";
import { documentAt, documentThen, moments, pastDocument } from "./past-document.ts";

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
  input: { modelNewKey: required(modelKey, "The key of the copy.", "key") },
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

/** The actions that move whole models in and out. */
export const exchangeActions = [
  modelExport,
  modelExportVersion,
  modelExportAs,
  inspectModelsJson,
  modelCopy,
  importAction,
] as const satisfies readonly Action[];
