import * as z from "zod/mini";
import { createNamedOutput, writtenOutput } from "../../shared/actions/building/answers.ts";
import { defineAction } from "../../shared/actions/contract/define-action.ts";
import { allowParam, deprecateAlias, deprecateParam } from "../../shared/actions/contract/params.ts";
import { entity } from "../../shared/domain/kinds.ts";
import { flag, singleLine } from "../../shared/domain/values/value-types.ts";

const example = { modelRef: "key:crm", entityRef: "key:customer" };
const common = { group: "model", target: entity, errors: [], example } as const;

/** A deprecated action. */
export const entityShow = defineAction({
  ...common,
  name: "entity_show",
  title: "Show entity",
  description: "Answers the key of an entity.",
  intent: "read",
  rule: "model_read",
  deprecated: { since: "2026-02-01", until: "2027-02-01", use: "model/entity_get" },
  output: createNamedOutput("ShownEntity", "The key.", () => ({ key: z.string() })),
  run: async ({ target }) => ({ body: { key: target.key } }),
});

/** An action with a deprecated parameter and a deprecated alias. */
export const entityTouch = defineAction({
  ...common,
  name: "entity_touch",
  title: "Touch entity",
  description: "Changes nothing.",
  intent: "update",
  rule: "model_write",
  input: {
    label: deprecateAlias(allowParam(singleLine, "Its label.", "caption"), "heading", {
      since: "2026-01-01",
      until: "2027-06-01",
    }),
    strict: deprecateParam(allowParam(flag, "How.", "firm"), {
      since: "2026-03-01",
      until: "2027-03-01",
      use: "label",
    }),
  },
  output: writtenOutput,
  run: async ({ target }) => ({ subject: target, changes: [] }),
});
