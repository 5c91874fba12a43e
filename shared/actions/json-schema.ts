import * as z from "zod/mini";

/** A JSON Schema of draft 2020-12, or any other plain JSON object. */
export interface JsonObject {
  readonly [member: string]: unknown;
}

const built = new WeakMap<object, JsonObject>();

/** The JSON Schema of what `source.schema()` accepts, made once per source. Refinements have no JSON form and are left out. */
export function jsonSchemaOf(source: { readonly schema: () => z.ZodMiniType }): JsonObject {
  const known = built.get(source);
  if (known) return known;
  const { $schema: _, ...schema } = z.toJSONSchema(source.schema(), {
    unrepresentable: "throw",
    target: "draft-2020-12",
    io: "input",
    override: ({ jsonSchema }) => {
      // Bounds of the number format say nothing about the value.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  built.set(source, schema);
  return schema;
}
