import * as z from "zod/mini";

/** JSON Schema of draft 2020-12, or any other plain JSON object. */
export interface JsonObject {
  readonly [member: string]: unknown;
}

const schemaCache = new WeakMap<object, JsonObject>();

/** Returns the JSON Schema of `source.schema()`, cached per source. Refinements have no JSON form and are omitted. */
export function toJsonSchema(source: { readonly schema: () => z.ZodMiniType }): JsonObject {
  const entry = schemaCache.get(source);
  if (entry) return entry;
  const { $schema: _, ...schema } = z.toJSONSchema(source.schema(), {
    unrepresentable: "throw",
    target: "draft-2020-12",
    io: "input",
    override: ({ jsonSchema }) => {
      applyReplacement(jsonSchema);
      replaceConst(jsonSchema);
      replaceNullType(jsonSchema);
      // Member names are always texts, and values without a schema may be null.
      delete jsonSchema.propertyNames;
      if (isEmpty(jsonSchema.additionalProperties)) jsonSchema.additionalProperties = true;
      // The bounds of the number format are no information about the value.
      const { minimum, maximum } = jsonSchema;
      if (minimum !== Number.MIN_SAFE_INTEGER || maximum !== Number.MAX_SAFE_INTEGER) return;
      delete jsonSchema.minimum;
      delete jsonSchema.maximum;
    },
  });
  schemaCache.set(source, schema);
  return schema;
}

type Schema = z.core.JSONSchema.BaseSchema;

/** Replaces a generated JSON Schema by its `describedAs`, keeping the description. */
export function applyReplacement(schema: Schema): void {
  const { describedAs, description } = schema;
  if (describedAs === undefined) return;
  for (const member of Object.keys(schema)) delete schema[member];
  Object.assign(schema, describedAs, description !== undefined && { description });
}

/** Client generators lack `const`: a text becomes the only value of `enum`, a boolean loses it. */
function replaceConst(schema: Schema) {
  const { const: value, type } = schema;
  if (value === undefined) return;
  delete schema.const;
  if (type !== "boolean") schema.enum = [value];
}

/** Client generators do not support a schema of `null` only: it becomes part of a type list. */
function replaceNullType(schema: Schema) {
  const { anyOf } = schema;
  const [value, ...others] = anyOf?.filter(({ type }) => type !== "null") ?? [];
  if (!anyOf || !value?.type || others.length > 0 || anyOf.length !== 2) return;
  delete schema.anyOf;
  Object.assign(schema, value, { type: [value.type, "null"] });
}

function isEmpty(schema: unknown) {
  return typeof schema === "object" && schema !== null && Object.keys(schema).length === 0;
}
