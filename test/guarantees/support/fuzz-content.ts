import fc from "fast-check";
import { DOCUMENT_SCHEMA } from "../../../shared/domain/document.ts";
import { NAUGHTY } from "./fuzz-strings.ts";

const name = fc.stringMatching(/^[a-z][a-z0-9_-]{2,30}$/);
const text = fc.constantFrom(...NAUGHTY.filter((t) => t.trim() !== ""));
const optionalText = fc.option(text, { nil: undefined });

const fields = fc.uniqueArray(
  fc.record({
    name,
    type: fc.constantFrom("string", "integer", "boolean", "date", "any"),
    description: optionalText,
    constraints: fc.option(fc.record({ required: fc.boolean() }), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 5, selector: (field) => field.name },
);

const tableSchema = fc.record({ name, description: optionalText, fields });

const dataPackage = fc.record({
  name,
  description: optionalText,
  resources: fc.uniqueArray(fc.record({ name, schema: fc.record({ fields }) }), {
    minLength: 1,
    maxLength: 3,
    selector: (resource) => resource.name,
  }),
});

const modelDocument = fc
  .record({
    key: name,
    description: optionalText,
    types: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
    entities: fc.uniqueArray(name, { maxLength: 3 }),
    attributes: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
  })
  .map(({ key, description, types, entities, attributes }) => ({
    $schema: DOCUMENT_SCHEMA,
    key,
    name: key,
    ...(description !== undefined && { description }),
    version: "1.0.0",
    authority: "system",
    types: types.map((type) => ({ key: type })),
    entities: entities.map((entity) => ({
      key: entity,
      attributes: attributes.map((attribute) => ({ key: attribute, type: `key:${types[0]}`, optional: false })),
      primaryKey: [`key:${attributes[0]}`],
    })),
  }));

/** JSON that `import` takes: a Table Schema, a Data Package or a model document. */
export const modelContent: fc.Arbitrary<object> = fc
  .oneof(tableSchema, dataPackage, modelDocument)
  // As a body holds it: a member without a value is not there.
  .map((content) => JSON.parse(JSON.stringify(content)) as object);
