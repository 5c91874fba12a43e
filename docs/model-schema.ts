import * as z from "zod/mini";
import { applyReplacement } from "../shared/actions/describe/json-schema.ts";
import { createModelDocumentSchema } from "../shared/actions/model/model-document.ts";
import { DOCUMENT_SCHEMA } from "../shared/domain/document/document.ts";

/** The objects of a document that are matched with those of a model. */
const MATCHED = new Set(
  ["Type", "Entity", "Attribute", "Relationship", "RelationshipRole", "BusinessKey", "Tag"].map((s) => `${s}Document`),
);

const RENAMED_FROM = { type: "string", description: "The key that it had before; never kept." } as const;

/**
 * `docs/model.schema.json`: the JSON Schema (draft 2020-12) of what `model_export` answers, with `id` optional, which an
 * import does not need, and `renamedFrom`, which only a document that is sent has.
 */
export function modelSchemaText(): string {
  const {
    $schema,
    title: _,
    ...schema
  } = z.toJSONSchema(createModelDocumentSchema(), {
    target: "draft-2020-12",
    io: "output",
    override: ({ jsonSchema }) => {
      applyReplacement(jsonSchema);
      if (jsonSchema.properties && MATCHED.has(jsonSchema.title ?? "")) {
        const { id = {}, ...others } = jsonSchema.properties;
        jsonSchema.properties = { id, renamedFrom: RENAMED_FROM, ...others };
      }
      if (jsonSchema.required) jsonSchema.required = jsonSchema.required.filter((member) => member !== "id");
    },
  });
  const published = {
    $schema,
    $id: DOCUMENT_SCHEMA,
    title: "Metaction model",
    description:
      "A whole model on its own. Lists are sorted by key, except attributes and the members of keys; members without a value are left out.",
    ...schema,
  };
  return `${JSON.stringify(published, null, 2)}\n`;
}
