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

const answerSchemas = new WeakMap<object, JsonObject>();

/**
 * Returns the JSON Schema of an answer, which later versions extend: objects may have more members, and texts other values
 * than those in `x-extensible-enum`. Constants stay, because they distinguish the forms of an answer.
 */
export function toAnswerSchema(source: { readonly schema: () => z.ZodMiniType }): JsonObject {
  const entry = answerSchemas.get(source) ?? openSchema(toJsonSchema(source));
  answerSchemas.set(source, entry);
  return entry;
}

function openSchema(schema: JsonObject): JsonObject {
  const members = Object.entries(schema).flatMap(([member, value]): [string, unknown][] => {
    if (member === "enum" && !isConstant(value)) return [["x-extensible-enum", value]];
    if (member === "additionalProperties" && value === false) return [];
    // A parameter has the closed schema under this name.
    if (member === "title" && schema.additionalProperties === false) return [[member, `${value}Answer`]];
    return [[member, openMember(member, value)]];
  });
  return Object.fromEntries(members);
}

const isConstant = (values: unknown) => Array.isArray(values) && values.length === 1;

function openMember(member: string, value: unknown): unknown {
  if (member === "items" || member === "additionalProperties") return isSchema(value) ? openSchema(value) : value;
  if (member === "anyOf" || member === "oneOf") return (value as readonly JsonObject[]).map(openSchema);
  if (member !== "properties") return value;
  return Object.fromEntries(Object.entries(value as JsonObject).map(([name, one]) => [name, openMember("items", one)]));
}

function isSchema(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null;
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
