import fc from "fast-check";
import { DOCUMENT_SCHEMA } from "../../../../shared/domain/document/document.ts";
import { NAUGHTY } from "./strings.ts";

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

const keywords = fc.option(fc.array(fc.oneof(name, text), { maxLength: 4 }), { nil: undefined });
const foreignKeys = fc.option(
  fc.array(
    fc.record({ fields: name, reference: fc.record({ resource: fc.oneof(name, fc.constant("")), fields: name }) }),
    { maxLength: 2 },
  ),
  { nil: undefined },
);

const tableSchema = fc.record({ name, description: optionalText, fields, keywords, foreignKeys });

const dataPackage = fc.record({
  name,
  description: optionalText,
  keywords,
  resources: fc.uniqueArray(fc.record({ name, keywords, schema: fc.record({ fields, foreignKeys }) }), {
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
    relationships: fc.uniqueArray(name, { maxLength: 2 }),
    tags: fc.uniqueArray(name, { maxLength: 3 }),
    groups: fc.uniqueArray(name, { maxLength: 2 }),
    cardinality: fc.constantFrom("zeroOrOne", "one", "many", "unknown"),
  })
  .map(({ key, description, types, entities, attributes, relationships, tags, groups, cardinality }) => {
    const marks = [...tags.map((tag) => `key:${tag}`), ...groups.map((group) => `key:${group}/${key}`)];
    const attributesOf = () =>
      attributes.map((attribute) => ({ key: attribute, type: `key:${types[0]}`, optional: false, tags: marks }));
    const roles = ["a", "b"].map((role) => ({ key: role, entity: `key:${entities[0]}`, cardinality }));
    return {
      $schema: DOCUMENT_SCHEMA,
      key,
      name: key,
      ...(description !== undefined && { description }),
      version: "1.0.0",
      authority: "system",
      tags: marks,
      types: types.map((type) => ({ key: type })),
      entities: entities.map((entity) => ({
        key: entity,
        tags: marks,
        attributes: attributesOf(),
        primaryKey: [`key:${attributes[0]}`],
      })),
      relationships:
        entities.length === 0 ? [] : relationships.map((one) => ({ key: one, roles, attributes: attributesOf() })),
      businessKeys: entities.map((entity) => ({
        key: entity,
        entity: `key:${entity}`,
        participants: attributes.map((attribute) => `key:${attribute}`),
      })),
      localTags: tags.map((tag) => ({ key: tag })),
      tagGroups: groups.map((group) => ({ key: group, tags: [{ key }] })),
    };
  });

/** JSON that `import` takes: a Table Schema, a Data Package or a model document. */
export const modelContent: fc.Arbitrary<object> = fc
  .oneof(tableSchema, dataPackage, modelDocument)
  // A body has no members without a value.
  .map((content) => JSON.parse(JSON.stringify(content)) as object);
