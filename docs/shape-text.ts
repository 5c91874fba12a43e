import type { JsonObject } from "../shared/actions/describe/json-schema.ts";

/** A JSON Schema as TypeScript would write it, descriptions as comments; for readers, not for compilers. */
export function shapeOf(schema: JsonObject, indent = ""): string {
  const values = schema["x-extensible-enum"] ?? schema.enum;
  if (Array.isArray(values)) return values.map((v) => JSON.stringify(v)).join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return choices.map((s) => shapeOf(objectOf(s), indent)).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => shapeOf({ ...schema, type }, indent)).join(" | ");
  if (schema.type === "array") return arrayShape(objectOf(schema.items), indent);
  if (schema.type === "object") return objectShape(schema, indent);
  if (schema.type === "integer") return "number";
  return typeof schema.type === "string" ? schema.type : "unknown";
}

function arrayShape(items: JsonObject, indent: string): string {
  const shape = shapeOf(items, indent);
  return shape.includes(" | ") && !shape.startsWith("{") ? `(${shape})[]` : `${shape}[]`;
}

function objectShape(schema: JsonObject, indent: string): string {
  const members = Object.entries(objectOf(schema.properties));
  if (members.length === 0) return "{ [member: string]: unknown }";
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const deeper = `${indent}  `;
  const lines = members.map(([name, member]) => {
    const inner = objectOf(member);
    const comment = typeof inner.description === "string" ? ` // ${inner.description}` : "";
    return `${deeper}${name}${required.has(name) ? "" : "?"}: ${shapeOf(inner, deeper)};${comment}`;
  });
  return ["{", ...lines, `${indent}}`].join("\n");
}

function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null ? (value as JsonObject) : {};
}
