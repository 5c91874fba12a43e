import * as z from "zod/mini";
import { VALUE_TYPES } from "../../domain/type-system.ts";
import { defineAction } from "../define-action.ts";
import { listOutput } from "../lists.ts";
import { namedObject } from "../named-object.ts";

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
      equivJson: z.enum(["string", "boolean", "number", "array", "object"]),
      description: z.string(),
    }),
  ),
  errors: [],
  example: {},
  run: async () => ({
    body: { items: VALUE_TYPES.map((t) => ({ id: t.id, equivJson: t.json, description: t.description })) },
  }),
});
