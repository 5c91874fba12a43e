import { type Candidate, type Draft, valuesOf } from "./complete-values.ts";
import { findAction } from "./run-action.ts";

/** The words of commands, each with the action and the parameter whose values it may have. */
export const WORDS: Readonly<Record<string, readonly (readonly [path: string, parameter: string])[]>> = {
  export: [["model/model_get", "modelRef"]],
  pull: [["model/model_get", "modelRef"]],
  release: [["model/model_get", "modelRef"]],
  show: [
    ["model/model_get", "modelRef"],
    ["model/entity_get", "entityRef"],
  ],
  open: [
    ["model/model_get", "modelRef"],
    ["model/entity_get", "entityRef"],
    ["model/entity_attribute_get", "attributeRef"],
  ],
  grant: [
    ["auth/user_enable", "username"],
    ["auth/actor_add_role", "roleRef"],
  ],
};

/** The flags of commands that have the values of a parameter. */
export const VALUES: Readonly<Record<string, readonly [path: string, parameter: string]>> = {
  model: ["model/model_get", "modelRef"],
  models: ["model/model_get", "modelRef"],
  tag: ["model/model_add_tag", "tagRef"],
  format: ["model/model_apply", "format"],
  as: ["model/model_export_as", "format"],
};

export type OwnDraft = Omit<Draft, "action">;

/** The candidates of the next word of a command, bare; where there is none, a shell offers files. */
export async function ofWords(
  draft: OwnDraft,
  known: (typeof WORDS)[string],
  words: readonly string[],
): Promise<readonly Candidate[]> {
  const next = known[words.length];
  if (!next) return [];
  // The words before it say in which model to look.
  const before = words.map((word, i) => `--${known[i]?.[1]}=${word}`);
  return valuesAt({ ...draft, before }, next);
}

/** The values of a parameter of an action, without the scheme of keys. */
export async function valuesAt(draft: OwnDraft, [path, name]: (typeof VALUES)[string]): Promise<readonly Candidate[]> {
  const [group = "", action = ""] = path.split("/");
  const found = findAction(draft.description, group, action);
  const parameter = typeof found === "string" ? undefined : found.parameters.find((one) => one.name === name);
  if (typeof found === "string" || !parameter) return [];
  const values = await valuesOf({ ...draft, action: found }, parameter, "");
  return values.map(({ text, tells }) => ({ text: text.replace(/^key:/, ""), tells }));
}
