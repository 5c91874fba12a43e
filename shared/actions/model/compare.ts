import { breaking } from "../../domain/compare/change-rule.ts";
import { compareModels } from "../../domain/compare/compare.ts";
import type { ModelDocument } from "../../domain/document.ts";
import { documentProperties } from "../../domain/document-properties.ts";
import { compareScope, modelRevision } from "../../domain/history-types.ts";
import { modelRef } from "../../domain/ref-types.ts";
import { modelVersion, sourceContent } from "../../domain/value-types.ts";
import { definitionsIn } from "../building/property-checks.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { optional } from "../contract/params.ts";
import type { View } from "../contract/view.ts";
import { compared } from "./compare-output.ts";
import { checkedSides, readSide, type Side } from "./compare-side.ts";

const modelCompare = defineAction({
  group: "model",
  name: "model_compare",
  title: "Compare models",
  description:
    "Tells in what two models differ, or two versions or revisions of one, or a model and inline content: types, entities, attributes, relationships, roles, primary keys, business keys and tags. Each difference is `breaking`, `additive` or `cosmetic` for whoever knows the left side and meets the right one, with the reasons. Give either `leftModelRef` or `leftContent`, and either `rightModelRef` or `rightContent`; beside a ref a version or a revision, not both; beside content neither. Two states of one model are compared by the ids of their objects, so that a renamed one is recognised; any others by keys.",
  intent: "read",
  rule: "model_read",
  input: {
    leftModelRef: optional(modelRef, "The model on the left."),
    leftModelVersion: optional(modelVersion, "Its released version; the newest state unless given."),
    leftRevision: optional(modelRevision, "Its revision, in the place of a version."),
    leftContent: optional(sourceContent, "What is on the left, as `import` reads it, in the place of a model."),
    rightModelRef: optional(modelRef, "The model on the right."),
    rightModelVersion: optional(modelVersion, "Its released version; the newest state unless given."),
    rightRevision: optional(modelRevision, "Its revision, in the place of a version."),
    rightContent: optional(sourceContent, "What is on the right, as `import` reads it, in the place of a model."),
    scope: optional(compareScope, "`complete` unless given."),
  },
  output: compared,
  errors: ["not_found", "source_not_recognised", "invalid_content"],
  example: { leftModelRef: "key:crm", leftModelVersion: "0.0.1", rightModelRef: "key:crm" },
  prepare: async ({ input, ports }) => {
    const { left, right } = checkedSides(input);
    const read = async ({ content }: Side) =>
      content === undefined ? undefined : ports.importer.read({ content }, {});
    return { left: { ...left, imported: await read(left) }, right: { ...right, imported: await read(right) } };
  },
  run: async ({ input, prepared, ports, open, tags }) => {
    const { scope = "complete" } = input;
    const reading = { store: ports.store, open, tags };
    const left = await readSide(prepared.left, reading);
    const right = await readSide(prepared.right, reading);
    const sameModel = left.shown.modelId !== undefined && left.shown.modelId === right.shown.modelId;
    const rules = await propertyRules([left.document, right.document], tags);
    const entries = compareModels(left.document, right.document, { sameModel, scope, ...rules });
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

const DEFINED_SO = breaking("the definition of the property says that a change of it breaks");

/** The rules of properties by their definitions, which are read only where a side has properties. */
export async function propertyRules(documents: readonly ModelDocument[], tags: () => Promise<View>) {
  if (documents.every((one) => documentProperties(one).next().done)) return {};
  const definitions = await definitionsIn(tags);
  const ruleOfProperty = (name: string) => (definitions.get(name)?.impact === "breaking" ? DEFINED_SO : undefined);
  return { ruleOfProperty };
}

/** The action that compares models. */
export const compareActions = [modelCompare] as const satisfies readonly Action[];
