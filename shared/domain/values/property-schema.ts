import { PROPERTY_LIMITS } from "../limits.ts";
import { CONTROLS } from "../text/characters.ts";
import { jsonFault, type ValueFault } from "../text/json-faults.ts";
import { jsonText } from "../text/json-values.ts";
import { compilePattern, type LinearPattern } from "../text/linear-pattern.ts";
import { anyObject, jsonTypeOf, valueType } from "./value-type.ts";

/** The types of JSON that a schema can ask for. */
const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;

/** The JSON Schema of the allowed values of a property: a bounded subset, every keyword of which can be checked at once. */
export interface PropertySchema {
  readonly type?: (typeof TYPES)[number] | readonly (typeof TYPES)[number][];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly items?: PropertySchema;
}

export const propertySchema = valueType<Readonly<Record<string, unknown>>>({
  id: "PropertySchema",
  json: "object",
  description: `A JSON Schema (2020-12) with the keywords type, enum, minimum, maximum, pattern and items, at most ${PROPERTY_LIMITS.propertySchemaBytes} bytes. A type is one of ${TYPES.join(", ")}, or a list of them; the minimum is not above the maximum. A pattern has no lookaround, back references or \\b, so that it takes no longer than the text does. Texts are without ${CONTROLS}.`,
  schema: () =>
    anyObject().check((ctx) => {
      const bytes = Buffer.byteLength(jsonText(ctx.value));
      const excess =
        bytes > PROPERTY_LIMITS.propertySchemaBytes
          ? { path: [], detail: `has ${bytes} bytes, and a schema may have ${PROPERTY_LIMITS.propertySchemaBytes}` }
          : undefined;
      const fault = jsonFault(ctx.value, PROPERTY_LIMITS.propertyDepth) ?? excess ?? schemaFault(ctx.value);
      if (fault) ctx.issues.push({ code: "custom", input: ctx.value, path: [...fault.path], message: fault.detail });
    }),
});

/** The check of each keyword's value: a sentence where it is none. */
const KEYWORDS: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  type: (value) => {
    const types: readonly unknown[] = Array.isArray(value) ? value : [value];
    const areTypes = types.length > 0 && types.every((one) => TYPES.some((type) => type === one));
    return areTypes ? undefined : `must be one of ${TYPES.join(", ")}, or a list of them`;
  },
  enum: (value) => (Array.isArray(value) && value.length > 0 ? undefined : "must be a list with the allowed values"),
  minimum: numberFault,
  maximum: numberFault,
  pattern: (value) => {
    if (typeof value !== "string") return `expected a string, got ${jsonTypeOf(value)}`;
    const pattern = compilePattern(value);
    return typeof pattern === "string" ? `is no pattern of the known ones: ${pattern}` : undefined;
  },
  items: (value) => (isObject(value) ? undefined : `expected a schema, got ${jsonTypeOf(value)}`),
};

function numberFault(value: unknown): string | undefined {
  return typeof value === "number" && Number.isFinite(value)
    ? undefined
    : `expected a number, got ${jsonTypeOf(value)}`;
}

function schemaFault(schema: Readonly<Record<string, unknown>>, depth = 0): ValueFault | undefined {
  for (const [keyword, value] of Object.entries(schema)) {
    const check = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    const detail = check ? check(value) : `is not known; a schema may have ${Object.keys(KEYWORDS).join(", ")}`;
    if (detail !== undefined) return { path: [keyword], detail };
  }
  const { minimum, maximum, items } = schema as PropertySchema;
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    return { path: ["minimum"], detail: `${minimum} is above the maximum ${maximum}` };
  }
  if (items === undefined) return undefined;
  if (depth === PROPERTY_LIMITS.propertySchemaDepth) {
    return { path: ["items"], detail: `nests deeper than ${PROPERTY_LIMITS.propertySchemaDepth} levels` };
  }
  const inner = schemaFault(items as Readonly<Record<string, unknown>>, depth + 1);
  return inner && { path: ["items", ...inner.path], detail: inner.detail };
}

/** The first place where a value is not as a schema allows; undefined where it fits. */
export function misfitOf(value: unknown, schema: PropertySchema): ValueFault | undefined {
  const detail = misfitHere(value, schema);
  if (detail !== undefined) return { path: [], detail };
  if (!schema.items || !Array.isArray(value)) return undefined;
  for (const [i, one] of value.entries()) {
    const inner = misfitOf(one, schema.items);
    if (inner) return { path: [i, ...inner.path], detail: inner.detail };
  }
  return undefined;
}

/** As JSON Schema has it, a keyword about numbers or texts says nothing about a value that is none. */
function misfitHere(value: unknown, schema: PropertySchema): string | undefined {
  const { type, enum: allowed, minimum, maximum, pattern } = schema;
  const types = type === undefined ? TYPES : [type].flat();
  if (!types.some((one) => isOfType(value, one))) return `expected ${types.join(" or ")}, got ${jsonTypeOf(value)}`;
  if (allowed && !allowed.some((one) => jsonText(one) === jsonText(value))) {
    return `${shortened(value)} is none of ${shortened(allowed).slice(1, -1)}`;
  }
  if (typeof value === "number" && minimum !== undefined && value < minimum) return `${value} is below ${minimum}`;
  if (typeof value === "number" && maximum !== undefined && value > maximum) return `${value} is above ${maximum}`;
  if (typeof value === "string" && pattern !== undefined && !compiled(pattern)(value)) {
    return `${shortened(value)} does not fit the pattern ${pattern}`;
  }
  return undefined;
}

function isOfType(value: unknown, type: (typeof TYPES)[number]): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return type === "null" ? value === null : typeof value === type;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Patterns that were compiled before; an import asks for the same one again and again. */
const known = new Map<string, LinearPattern>();
const MOST_KNOWN = 100;

function compiled(source: string): LinearPattern {
  const found = known.get(source);
  if (found) return found;
  const made = compilePattern(source);
  if (typeof made === "string") throw new Error(`unchecked pattern: ${made}`);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(source, made);
  return made;
}

const SHOWN = 200;

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
