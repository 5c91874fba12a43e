import * as z from "zod/mini";
import { copyModel } from "../../domain/document/copy-model.ts";
import type { ModelDocument } from "../../domain/document/document.ts";
import { listGlobalTagIds, toDocument } from "../../domain/document/write-document.ts";
import { model } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { listObjects } from "../../domain/model/content.ts";
import { Problem } from "../../domain/problems.ts";
import { exportFormat } from "../../domain/values/export-formats.ts";
import { modelKey, modelVersion } from "../../domain/values/value-types.ts";
import {
  createJsonOutput,
  createNamedOutput,
  createWarningsSchema,
  describeText,
  writtenOutput,
} from "../building/answers.ts";
import { checkObjectProperties } from "../building/properties.ts";
import { findOrUndefined, modelRead } from "../building/reads.ts";
import { readGlobalTags } from "../building/tags.ts";
import type { Action } from "../contract/action.ts";
import { formatEtag } from "../contract/call.ts";
import { defineAction } from "../contract/define-action.ts";
import { requireParam } from "../contract/params.ts";
import { type PointInTime, parsePointInTime, requirePast, type Store } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";
import { importAction } from "./import.ts";
import { createModelDecision } from "./model.ts";
import { createModelDocumentSchema } from "./model-document.ts";
import { pointInTimeParams } from "./versions.ts";

interface ReadDocument {
  readonly body: ModelDocument;
  readonly etag?: string;
}

async function readPastDocument(store: Store, view: ReadView, point: PointInTime): Promise<ReadDocument> {
  const past = await store.openPast();
  const { content, globalTags, revision, tags } = await requirePast(past.readState(view, point), view, point);
  const pastTags = listGlobalTagIds(content).length > 0 ? { revision: tags } : undefined;
  return { body: toDocument(content, globalTags), etag: formatEtag({ ledgerId: view.ledgerId, revision }, pastTags) };
}

async function readDocument(view: ReadView, tags: () => Promise<ReadView>): Promise<ModelDocument> {
  const content = await view.readContent();
  return toDocument(content, await readGlobalTags(listGlobalTagIds(content), tags));
}

/** Reads the document of a past or current model. Throws `not_found` for a deleted model without a point in time. */
async function readDocumentAt(
  view: ReadView,
  tags: () => Promise<ReadView>,
  store: Store,
  point: PointInTime | undefined,
): Promise<ReadDocument> {
  if (point) return readPastDocument(store, view, point);
  if (view.deleted)
    throw new Problem("not_found", `The model ${view.modelKey} is deleted; give a version or a revision`);
  return { body: await readDocument(view, tags) };
}

const modelExportAs = defineAction({
  ...modelRead,
  name: "model_export_as",
  title: "Export model as",
  description:
    "Answers a whole model as the text of a file in another format: the current state, or the state at a version or a revision. Give `version` or `revision`, not both. " +
    "`warnings` lists the parts that the format cannot hold, with their paths in the document that `model_export` answers. " +
    "An unchanged model, exported in the format of its source, gives the source again, except for order, defaults and the data itself.",
  past: true,
  within: model,
  input: { format: requireParam(exportFormat, "The format of the file."), ...pointInTimeParams },
  output: createNamedOutput("ExportedFile", "The text of the file, and warnings about parts that it lacks.", () => ({
    format: exportFormat.schema(),
    mediaType: describeText("The media type of the content."),
    fileName: describeText("The usual name of such a file."),
    content: describeText("The text of the file."),
    warnings: createWarningsSchema(),
  })),
  errors: [],
  example: { modelRef: "key:crm", format: "frictionless" },
  prepare: async ({ input }) => void parsePointInTime(input.version, input.revision),
  run: async ({ view, tags, input, ports }) => {
    const reading = await readDocumentAt(view, tags, ports.store, parsePointInTime(input.version, input.revision));
    return { ...reading, body: await ports.exporter.write(reading.body, input.format) };
  },
});

const modelExport = defineAction({
  ...modelRead,
  name: "model_export",
  title: "Export model",
  description:
    "Answers a whole model as one self-contained document that `import` can read: the current state, or the state at a version or a revision, with the global tags of that time. " +
    "Give `version` or `revision`, not both. A past state has the entity tag that it had when it was current. " +
    "An administrator can also read the past of a deleted model, by its id, outside a batch.",
  past: true,
  within: model,
  input: pointInTimeParams,
  output: createJsonOutput("The model document.", createModelDocumentSchema),
  errors: [],
  example: { modelRef: "key:crm" },
  prepare: async ({ input }) => void parsePointInTime(input.version, input.revision),
  run: async ({ view, tags, input, ports }) =>
    readDocumentAt(view, tags, ports.store, parsePointInTime(input.version, input.revision)),
});

const modelExportVersion = defineAction({
  ...modelRead,
  name: "model_export_version",
  title: "Export version",
  description: "Answers a released version of a model, as `model_export` does.",
  past: true,
  within: model,
  input: { version: requireParam(modelVersion, "The released version.") },
  output: createJsonOutput("The model document.", createModelDocumentSchema),
  errors: [],
  example: { modelRef: "key:crm", version: "0.0.1" },
  run: async ({ view, input, ports }) => readPastDocument(ports.store, view, { version: input.version }),
});

const allModelsOutput = createNamedOutput("ModelDocuments", "The documents of all models.", () => ({
  models: z.array(createModelDocumentSchema()),
}));

const inspectModelsJson = defineAction({
  ...modelRead,
  name: "inspect_models_json",
  title: "Inspect all models",
  description: "Answers the documents of all models in one, sorted by key.",
  output: allModelsOutput,
  errors: [],
  example: {},
  run: async ({ ports, tags }) => {
    const models: ModelDocument[] = [];
    let bytes = 0;
    for (const { id: value } of (await ports.store.listModels()).items) {
      const view = await findOrUndefined(ports.store.open({ scheme: "id", value }));
      if (!view) continue;
      const document = await readDocument(view, tags);
      bytes += JSON.stringify(document).length;
      if (bytes > LIMITS.inflatedResponseBytes) {
        throw new Problem(
          "result_too_large",
          "All models together are too large for one answer; export them one by one",
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
    "Copies a model with its content under a new key, with new ids and the authority `system`, but without its history.",
  intent: "create",
  rule: "model_copy",
  within: model,
  input: { modelNewKey: requireParam(modelKey, "The key of the copy.", "key") },
  output: writtenOutput,
  errors: ["key_taken"],
  mayBecomeJob: true,
  example: { modelRef: "key:crm", modelNewKey: "crm_draft" },
  run: async ({ view, input, call, ports, tags }) => {
    const content = await view.readContent();
    await checkObjectProperties(listObjects(content), ports.store, call.budget);
    const globals = await readGlobalTags(listGlobalTagIds(content), tags);
    const overrides = { key: input.modelNewKey, authority: "system" as const };
    return createModelDecision(copyModel(content, globals, call.nextId), ports.store, overrides);
  },
});

export const exchangeActions = [
  modelExport,
  modelExportVersion,
  modelExportAs,
  inspectModelsJson,
  modelCopy,
  importAction,
] as const satisfies readonly Action[];
