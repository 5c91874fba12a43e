import * as z from "zod/mini";
import { create } from "../../domain/change.ts";
import { documentOf } from "../../domain/content.ts";
import type { ModelDocument } from "../../domain/document.ts";
import { type NextId, objectsFromDocument } from "../../domain/document-content.ts";
import { model } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { jsonContent, location, modelKey, singleLine } from "../../domain/value-types.ts";
import { type Action, type Decision, defineAction, type Output } from "../define-action.ts";
import { optional, required } from "../params.ts";
import type { ImportSource } from "../ports.ts";
import type { Store, View } from "../store.ts";
import { written, writtenWith } from "../written.ts";
import { modelDocument } from "./model-document.ts";

const modelExport = defineAction({
  group: "model",
  name: "model_export",
  title: "Export model",
  description: "Answers a whole model as one self-contained document that `import` reads back.",
  intent: "read",
  rule: "model_read",
  within: model,
  input: {},
  output: { mediaType: "application/json", description: "The model document.", schema: modelDocument },
  errors: [],
  example: { modelRef: "key:crm" },
  run: async ({ view }) => ({ body: documentOf(await view.content()) }),
});

const allModels: Output = {
  mediaType: "application/json",
  description: "The documents of all models.",
  schema: () => z.object({ models: z.array(modelDocument()) }),
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
  run: async ({ ports }) => {
    const models: ModelDocument[] = [];
    let bytes = 0;
    for (const { id } of (await ports.store.models()).items) {
      const view = await openIfThere(ports.store, id);
      if (!view) continue;
      const document = documentOf(await view.content());
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

/** A model of a list; undefined when it was deleted since. */
async function openIfThere(store: Store, id: string): Promise<View | undefined> {
  try {
    return await store.open({ scheme: "id", value: id });
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found") return undefined;
    throw error;
  }
}

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
  errors: ["key_taken", "too_large"],
  example: { modelRef: "key:crm", modelNewKey: "crm_draft" },
  run: async ({ view, input, call, ports }) => {
    const source = documentOf(await view.content());
    return newModel({ ...source, key: input.modelNewKey, authority: "system" }, ports.store, call.nextId);
  },
});

const imported = writtenWith("The model that was made, and what was not carried over.", () => ({
  counts: z.object({ types: z.int(), entities: z.int(), attributes: z.int() }),
  warnings: z.array(
    z.object({
      pointer: z.string().check(z.describe("Its place in the source, as a JSON pointer.")),
      detail: z.string(),
    }),
  ),
}));

const importAction = defineAction({
  group: "model",
  name: "import",
  title: "Import model",
  description:
    "Creates a model from a Frictionless Table Schema or Data Package (version 1 or 2), or from a model document that `model_export` answered. Give either `from` or `content`. Nothing is stored unless all of it is valid.",
  intent: "create",
  rule: "model_import",
  input: {
    from: optional(location, "The URL to read."),
    content: optional(jsonContent, "The JSON content itself."),
    modelKey: optional(modelKey, "The key of the new model; otherwise the source's own name."),
    modelName: optional(singleLine, "The name of the new model; otherwise the source's own title."),
  },
  output: imported,
  errors: ["key_taken", "source_not_recognised", "invalid_content", "too_large"],
  example: {
    content: { name: "offices", fields: [{ name: "code", type: "string", constraints: { required: true } }] },
  },
  prepare: async ({ input, ports }) =>
    ports.importer.read(sourceOf(input.from, input.content), {
      ...(input.modelKey !== undefined && { modelKey: input.modelKey }),
      ...(input.modelName !== undefined && { modelName: input.modelName }),
    }),
  run: async ({ prepared, ports, call }) => {
    const { document, warnings } = prepared;
    const counts = {
      types: document.types.length,
      entities: document.entities.length,
      attributes: document.entities.reduce((sum, e) => sum + e.attributes.length, 0),
    };
    return { ...newModel(document, ports.store, call.nextId), extra: { counts, warnings } };
  },
});

function sourceOf(from: string | undefined, content: Readonly<Record<string, unknown>> | undefined): ImportSource {
  if (from !== undefined && content === undefined) return { from };
  if (content !== undefined && from === undefined) return { content };
  const detail = "give either from (a URL) or content (a JSON object), and not both";
  throw new Problem("bad_parameters", detail, {
    errors: [
      { pointer: "/from", detail },
      { pointer: "/content", detail },
    ],
  });
}

/** The decision to make a model of a document, as a generation that is published at the end. */
function newModel(document: ModelDocument, store: Store, nextId: NextId): Decision {
  const [root, ...others] = objectsFromDocument(document, nextId);
  return {
    subject: { id: root.id, key: root.key },
    begins: store.begin(root.id, root.key),
    changes: [root, ...others].map(create),
    release: root.version,
    publish: true,
  };
}

/** The actions that move whole models in and out. */
export const exchangeActions: readonly Action[] = [modelExport, inspectModelsJson, modelCopy, importAction];
