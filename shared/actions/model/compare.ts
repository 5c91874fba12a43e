import * as z from "zod/mini";
import { breaking } from "../../domain/compare/change-rule.ts";
import { compareModels } from "../../domain/compare/compare.ts";
import type { Scope } from "../../domain/compare/difference.ts";
import { differenceFormat } from "../../domain/difference-formats.ts";
import type { ModelDocument } from "../../domain/document.ts";
import { documentProperties } from "../../domain/document-properties.ts";
import { compareScope, modelRevision } from "../../domain/history-types.ts";
import { modelRef } from "../../domain/ref-types.ts";
import { modelVersion, sourceContent } from "../../domain/value-types.ts";
import { namedObject } from "../building/named-object.ts";
import { definitionsIn } from "../building/property-checks.ts";
import { warningList } from "../building/warning-list.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { optional, required } from "../contract/params.ts";
import type { Importer } from "../contract/ports.ts";
import type { View } from "../contract/view.ts";
import { compared } from "./compare-output.ts";
import { checkedSides, type ReadSide, readSide, type Side } from "./compare-side.ts";

/** The parameters of the two sides of a comparison. */
const twoSides = {
  leftModelRef: optional(modelRef, "The model on the left."),
  leftModelVersion: optional(modelVersion, "Its released version; the newest state unless given.", "leftVersion"),
  leftRevision: optional(modelRevision, "Its revision, in the place of a version."),
  leftContent: optional(sourceContent, "What is on the left, as `import` reads it, in the place of a model."),
  rightModelRef: optional(modelRef, "The model on the right."),
  rightModelVersion: optional(modelVersion, "Its released version; the newest state unless given.", "rightVersion"),
  rightRevision: optional(modelRevision, "Its revision, in the place of a version."),
  rightContent: optional(sourceContent, "What is on the right, as `import` reads it, in the place of a model."),
};

const modelCompare = defineAction({
  group: "model",
  name: "model_compare",
  title: "Compare models",
  description:
    "Tells in what two models differ, or two versions or revisions of one, or a model and inline content: types, entities, attributes, relationships, roles, primary keys, business keys and tags. Each difference is `breaking`, `additive` or `cosmetic` for whoever knows the left side and meets the right one, with the reasons. Give either `leftModelRef` or `leftContent`, and either `rightModelRef` or `rightContent`; beside a ref a version or a revision, not both; beside content neither. Two states of one model are compared by the ids of their objects, so that a renamed one is recognised; any others by keys.",
  intent: "read",
  rule: "model_read",
  input: {
    ...twoSides,
    scope: optional(compareScope, "`complete` unless given."),
  },
  output: compared,
  errors: ["not_found", "source_not_recognised", "invalid_content"],
  example: { leftModelRef: "key:crm", leftModelVersion: "0.0.1", rightModelRef: "key:crm" },
  prepare: ({ input, ports }) => importedSides(input, ports.importer),
  run: async ({ input, prepared, ports, open, tags }) => {
    const { scope = "complete" } = input;
    const { left, right, entries } = await comparedSides(prepared, { store: ports.store, open, tags }, scope);
    const count = (impact: string): number => entries.filter((entry) => entry.impact === impact).length;
    return {
      body: {
        scopeApplied: scope,
        left: left.shown,
        right: right.shown,
        breaking: count("breaking"),
        additive: count("additive"),
        cosmetic: count("cosmetic"),
        entries,
      },
    };
  },
});

const modelCompareAs = defineAction({
  group: "model",
  name: "model_compare_as",
  title: "Compare models as",
  description:
    "Answers in what two models differ as the text of a file: a draft of the migration of a database, or a report. The two sides are given as `model_compare` takes them: either `leftModelRef` or `leftContent`, and either `rightModelRef` or `rightContent`; beside a ref a version or a revision, not both; beside content neither. What the format cannot say of the difference is listed under `warnings`, with its places below `/left` and `/right` in the documents that `model_export` answers.",
  intent: "read",
  rule: "model_read",
  input: { ...twoSides, format: required(differenceFormat, "The format of the file.") },
  output: {
    mediaType: "application/json",
    description: "The text of the file, and what is not in it.",
    schema: () =>
      namedObject("WrittenDifference", {
        format: differenceFormat.schema(),
        mediaType: z.string().check(z.describe("The media type of the content.")),
        fileName: z.string().check(z.describe("A name for such a file.")),
        content: z.string().check(z.describe("The text of the file.")),
        warnings: warningList(),
      }),
  },
  errors: ["not_found", "source_not_recognised", "invalid_content"],
  example: { leftModelRef: "key:crm", leftModelVersion: "0.0.1", rightModelRef: "key:crm", format: "postgresql" },
  prepare: ({ input, ports }) => importedSides(input, ports.importer),
  run: async ({ input, prepared, ports, open, tags }) => {
    const { left, right, entries } = await comparedSides(prepared, { store: ports.store, open, tags }, "complete");
    const compared = {
      ...{ left: left.document, right: right.document, differences: entries },
      names: [nameOf(left, prepared.left), nameOf(right, prepared.right)] as const,
    };
    return { body: await ports.exporter.writeDifference(compared, input.format) };
  },
});

/** The two sides of a call, with what was read of their content. */
async function importedSides(input: Parameters<typeof checkedSides>[0], importer: Importer) {
  const { left, right } = checkedSides(input);
  const read = async ({ content }: Side) => (content === undefined ? undefined : importer.read({ content }, {}));
  return { left: { ...left, imported: await read(left) }, right: { ...right, imported: await read(right) } };
}

/** The two sides as they are read, with all in which they differ. */
async function comparedSides(
  sides: Awaited<ReturnType<typeof importedSides>>,
  reading: Parameters<typeof readSide>[1],
  scope: Scope,
) {
  const left = await readSide(sides.left, reading);
  const right = await readSide(sides.right, reading);
  const sameModel = left.shown.modelId !== undefined && left.shown.modelId === right.shown.modelId;
  const rules = await propertyRules([left.document, right.document], reading.tags);
  const entries = compareModels(left.document, right.document, { sameModel, scope, ...rules });
  return { left, right, entries };
}

/** A side as sentences name it. */
function nameOf({ shown }: ReadSide, { version }: Side): string {
  if (version !== undefined) return `${shown.modelKey} ${version}`;
  return shown.revision === undefined ? `${shown.modelKey} (content)` : `${shown.modelKey}, revision ${shown.revision}`;
}

const DEFINED_SO = breaking("the definition of the property says that a change of it breaks");

/** The rules of properties by their definitions, which are read only where a side has properties. */
export async function propertyRules(documents: readonly ModelDocument[], tags: () => Promise<View>) {
  if (documents.every((one) => documentProperties(one).next().done)) return {};
  const definitions = await definitionsIn(tags);
  const ruleOfProperty = (name: string) => (definitions.get(name)?.impact === "breaking" ? DEFINED_SO : undefined);
  return { ruleOfProperty };
}

/** The actions that compare models. */
export const compareActions = [modelCompare, modelCompareAs] as const satisfies readonly Action[];
