import { update } from "../../domain/change.ts";
import { objectsOf } from "../../domain/content.ts";
import { model } from "../../domain/kinds.ts";
import type { Model } from "../../domain/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { modelVersion } from "../../domain/value-types.ts";
import { compareVersions } from "../../domain/versions.ts";
import { subjectOf } from "../building/field-actions.ts";
import { written } from "../building/written.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { required } from "../contract/params.ts";

const modelRelease = defineAction({
  group: "model",
  name: "model_release",
  title: "Release model",
  description:
    "Releases what a model holds as a version, which can be read and compared from then on. The version has to be greater than the one before, in the order of Semantic Versioning.",
  intent: "update",
  rule: "model_release",
  target: model,
  input: { value: required(modelVersion, "The version.", "version") },
  output: written,
  errors: ["version_not_greater"],
  example: { modelRef: "key:crm", value: "1.0.0" },
  run: async ({ target, input, view }) => {
    checkGreater(input.value, target);
    const content = await view.content(true);
    const changes = update(target, { version: input.value });
    const holds = objectsOf({ ...content, model: { ...content.model, version: input.value } });
    return { subject: subjectOf(target), changes, release: input.value, holds };
  },
});

/** The label of a model never goes back, so it names the highest release. */
function checkGreater(version: string, { key, version: highest }: Model): void {
  if (compareVersions(version, highest) > 0) return;
  const detail = `${version} does not come after ${highest}, the highest release of the model ${key}; choose a greater version`;
  throw new Problem("version_not_greater", detail);
}

/** The actions that release versions. */
export const releaseActions = [modelRelease] as const satisfies readonly Action[];
