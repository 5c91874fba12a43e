import * as z from "zod/mini";
import type { ModelDocument } from "../../domain/document/document.ts";
import { readObjects } from "../../domain/document/read-document.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { onConflict } from "../../domain/values/model-types.ts";
import { modelRef } from "../../domain/values/ref-types.ts";
import { sourceFormat } from "../../domain/values/source-formats.ts";
import { location, modelKey, singleLine, sourceContent, sourceLabel } from "../../domain/values/value-types.ts";
import { createWrittenOutput, namedObjectSchema, recognisedSource, warningList } from "../building/answers.ts";
import { checkDocumentProperties } from "../building/properties.ts";
import type { FreeContext } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { optionalParam, type Params } from "../contract/params.ts";
import { captureGrant } from "./captured-rights.ts";
import { likelyRenameSchema, mergeConflictSchema, planStepSchema } from "./difference-schemas.ts";
import { captureTagRights, importTags } from "./imported-tags.ts";
import { createModelDecision } from "./model.ts";
import { createImportRecord, parseSource } from "./source-document.ts";

const importOutput = createWrittenOutput(
  "The model that was made or written to, and what was not carried over.",
  () => ({
    counts: namedObjectSchema("ImportCounts", {
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
    plan: z.optional(z.string().check(z.describe("With `into`: the name of the plan, as `model_apply` gives it."))),
    stepCount: z.optional(z.int().check(z.describe("With `into`: how many steps the plan has."))),
    conflictCount: z.optional(
      z.int().check(z.describe("With `into`: how many conflicts there were, which `onConflict` decided.")),
    ),
    steps: z.optional(
      z
        .array(planStepSchema())
        .check(z.describe(`Of a dry run with \`into\`: the steps in their order, the first ${LIMITS.plannedSteps}.`)),
    ),
    likelyRenames: z.optional(
      z.array(likelyRenameSchema()).check(z.describe("Of a dry run with `into`: what the source may have renamed.")),
    ),
    conflicts: z.optional(
      z
        .array(mergeConflictSchema())
        .check(z.describe(`Of a dry run with \`into\`: the conflicts, the first ${LIMITS.conflictRows}.`)),
    ),
  }),
);

const input = {
  from: optionalParam(location, "The URL to read."),
  content: optionalParam(sourceContent, "The content itself: a JSON object, or the text of a file."),
  format: optionalParam(sourceFormat, "The format to read it in, whatever it looks like; recognised unless given."),
  modelKey: optionalParam(modelKey, "The key of the new model, not beside `into`; otherwise the source's own name."),
  modelName: optionalParam(
    singleLine,
    "The name of the new model, not beside `into`; otherwise the source's own title.",
  ),
  into: optionalParam(modelRef, "The model that the source is joined with, in the place of a new one."),
  source: optionalParam(
    sourceLabel,
    "The label of the source, under which its document is remembered and with which origins begin; the URL without its query unless given. Content into a model needs one.",
  ),
  onConflict: optionalParam(onConflict, "Only with `into`; `refuse` unless given."),
};

/** The action that makes a model of a source, or joins one with a source that it follows. */
export const importAction = defineAction({
  group: "model",
  name: "import",
  title: "Import model",
  description:
    "Creates a model from a source: a model document that `model_export` answered, or a file in one of the formats that `format` names, which is told by its own marks (`recognised` says how). Give either `from` or `content`. Keywords become local tags, foreign keys relationships. Global tags of a document are found by their keys; what is missing is made with the model if the caller holds `tag_global_manage` (and `tag_group_manage` for a group), else its marks are left out with a warning. With `into`, which takes `model_write` on that model too, a model follows its source: what the source changed since the document that was imported last under the same label comes in, and what people changed stays. What both changed, each in another way, is a conflict, also where one deleted what the other changed or uses. Where nothing was imported under the label yet, what the document says and the model does not have comes in, and what stands differently is a conflict. The key, the version and the authority of the model stay. A dry run answers the plan. Nothing is stored unless all of it is valid.",
  intent: "create",
  rule: "model_import",
  manyModels: true,
  notInBatch: { parameters: ["from", "into"], why: "fetching and merging take longer than others should wait" },
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
    const read = await ports.importer.read(parseSource(input.from, input.content), {
      ...(input.modelKey !== undefined && { modelKey: input.modelKey }),
      ...(input.modelName !== undefined && { modelName: input.modelName }),
      ...(input.format !== undefined && { format: input.format }),
      ...(input.source !== undefined && { source: input.source }),
      // What is remembered of a source tells what it says nothing of.
      ...(input.from !== undefined || input.source !== undefined ? { notes: true as const } : {}),
    });
    if (input.into && read.source === undefined) throw createNoLabelProblem();
    return {
      ...read,
      may: captureTagRights(call.principal?.permissions),
      write: captureGrant(call.principal, "model_write"),
    };
  },
  run: async ({ input, prepared, ports, call, open, tags }) => {
    const { document, may, source } = prepared;
    if (input.into && source !== undefined) {
      const view = await open(input.into);
      const { mergeSource } = await import("./import-into.ts");
      const terms = { ...prepared, label: source, onConflict: input.onConflict ?? "refuse", call, ports, tags };
      const pointer = input.from === undefined ? "/content" : "/from";
      return mergeSource(view, { ...terms, pointer, counts: countObjects(document) });
    }
    await checkDocumentProperties(prepared, ports.store);
    const { ids, changes, warnings } = await importTags(document, tags, may, call.nextId);
    const ledger = changes.length > 0 ? await tags() : undefined;
    const given = new Map();
    const objects = readObjects(document, call.nextId, ids, given);
    const kept = source === undefined ? undefined : createImportRecord(call.newId());
    return {
      ...createModelDecision(objects, ports.store, kept?.toSources(source ?? "")),
      ...kept?.toBlobs(
        document,
        (object) => given.get(object),
        (ref) => ids.has(ref),
      ),
      // The model's first revision sees the tags that are made with it.
      ...(ledger && { alongside: [{ view: ledger, changes }], tagsSeen: ledger.revision + 1 }),
      extra: {
        counts: { ...countObjects(document), globalTags: changes.length },
        recognised: prepared.recognised,
        warnings: [...prepared.warnings, ...warnings],
      },
    };
  },
});

/** Refuses parameters that do not go together: `bad_parameters`. */
function checkInto({
  into,
  modelKey: key,
  modelName,
  onConflict: rule,
}: FreeContext<typeof input & Params>["input"]): void {
  const fault = (parameter: string, detail: string): Problem =>
    new Problem("bad_parameters", detail, { errors: [{ pointer: `/${parameter}`, detail }] });
  if (into && key !== undefined) throw fault("modelKey", "a model that is there keeps its key; leave modelKey out");
  if (into && modelName !== undefined) {
    throw fault("modelName", "the name comes from the source; leave modelName out, and rename the model afterwards");
  }
  if (!into && rule !== undefined)
    throw fault("onConflict", "only with into there are conflicts; leave onConflict out");
}

function createNoLabelProblem(): Problem {
  const detail = "source: the content has no URL to be remembered by; give source a label, the same each time";
  return new Problem("bad_parameters", detail, { errors: [{ pointer: "/source", detail }] });
}

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
