import * as z from "zod/mini";
import type { ValueType } from "../../domain/value-type.ts";
import { listOutput } from "../building/lists.ts";
import { namedObject } from "../building/named-object.ts";
import type { Action } from "../contract/action.ts";
import { allParams } from "../contract/action-params.ts";
import { defineAction } from "../contract/define-action.ts";

export const inspectTypeSystem = defineAction({
  group: "config",
  name: "inspect_type_system",
  title: "Inspect type system",
  description: "Lists every type a parameter can have, with its JSON form and its rules in words.",
  intent: "other",
  safe: true,
  rule: "public",
  input: {},
  output: listOutput("Every type of parameter. A list of a type is written List<type>.", () =>
    namedObject("ParameterType", {
      id: z.string(),
      equivJson: z.enum(["string", "boolean", "number", "array", "object", "any"]),
      description: z.string(),
    }),
  ),
  errors: [],
  example: {},
  run: async ({ ports }) => ({
    body: {
      items: typesOf(await ports.actions()).map(({ id, json, description }) => ({ id, equivJson: json, description })),
    },
  }),
});

/** The types of the parameters of these actions, each once, sorted by id; of a list, the type of its members. */
export function typesOf(actions: readonly Action[]): readonly ValueType<unknown>[] {
  const types = actions.flatMap((action) => Object.values(allParams(action)).map(({ type }) => type.item ?? type));
  return [...new Map(types.map((type) => [type.id, type])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
