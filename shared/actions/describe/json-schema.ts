import * as z from "zod/mini";

/** A JSON Schema of draft 2020-12, or any other plain JSON object. */
export interface JsonObject {
  readonly [member: string]: unknown;
}

const schemaCache = new WeakMap<object, JsonObject>();

/** The JSON Schema of what `source.schema()` accepts, made once per source. Refinements have no JSON form and are left out. */
export function toJsonSchema(source: { readonly schema: () => z.ZodMiniType }): JsonObject {
  const known = schemaCache.get(source);
  if (known) return known;
  const { $schema: _, ...schema } = z.toJSONSchema(source.schema(), {
    unrepresentable: "throw",
    target: "draft-2020-12",
    io: "input",
    override: ({ jsonSchema }) => {
      applyReplacement(jsonSchema);
      replaceConst(jsonSchema);
      replaceNullType(jsonSchema);
      // Names of members are texts anyway, and whatever they hold may be null like any JSON.
      delete jsonSchema.propertyNames;
      if (isEmpty(jsonSchema.additionalProperties)) jsonSchema.additionalProperties = true;
      // Bounds of the number format say nothing about the value.
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

/** Puts the JSON Schema of `describedAs` in the place of the one that was made, under the description of its place. */
export function applyReplacement(schema: Schema): void {
  const { describedAs, description } = schema;
  if (describedAs === undefined) return;
  for (const member of Object.keys(schema)) delete schema[member];
  Object.assign(schema, describedAs, description !== undefined && { description });
}

/** Generators of clients know no `const`: a text becomes the only one of its values, and a truth value any. */
function replaceConst(schema: Schema): void {
  const { const: only, type } = schema;
  if (only === undefined) return;
  delete schema.const;
  if (type !== "boolean") schema.enum = [only];
}

/** Generators of clients know no schema that is `null` alone: it becomes one of two types. */
function replaceNullType(schema: Schema): void {
  const { anyOf } = schema;
  const [value, ...others] = anyOf?.filter(({ type }) => type !== "null") ?? [];
  if (!anyOf || !value?.type || others.length > 0 || anyOf.length !== 2) return;
  delete schema.anyOf;
  Object.assign(schema, value, { type: [value.type, "null"] });
}

function isEmpty(schema: unknown): boolean {
  return typeof schema === "object" && schema !== null && Object.keys(schema).length === 0;
}
