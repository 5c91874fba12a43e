import { PROPERTY_LIMITS } from "../limits.ts";
import { CONTROLS } from "../text/characters.ts";
import { findJsonFault, type ValueFault } from "../text/json-faults.ts";
import { toCanonicalJson } from "../text/json-values.ts";
import { compilePattern, type LinearPattern } from "../text/linear-pattern.ts";
import type { PatternBudget } from "../text/pattern-budget.ts";
import { checkFaults, createObjectSchema, defineValueType, describeJsonType } from "./value-type.ts";

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;

/** JSON Schema of the values of a property: a subset that is fast to check. */
export interface PropertySchema {
  readonly type?: (typeof TYPES)[number] | readonly (typeof TYPES)[number][];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly items?: PropertySchema;
}

export const propertySchema = defineValueType<Readonly<Record<string, unknown>>>({
  id: "PropertySchema",
  json: "object",
  description:
    `A JSON Schema (2020-12) with the keywords type, enum, minimum, maximum, pattern and items, at most ${PROPERTY_LIMITS.propertySchemaBytes} bytes. ` +
    `A type is one of ${TYPES.join(", ")}, or a list of them; the minimum is not above the maximum. ` +
    `A pattern has no lookaround, back references or \\b, so that its run time is linear. ` +
    `Texts are without ${CONTROLS}.`,
  schema: () =>
    createObjectSchema().check(
      checkFaults((schema: Readonly<Record<string, unknown>>) => {
        const bytes = Buffer.byteLength(toCanonicalJson(schema));
        const excess = `has ${bytes} bytes; at most ${PROPERTY_LIMITS.propertySchemaBytes} are allowed`;
        const fault = findJsonFault(schema, PROPERTY_LIMITS.propertyDepth);
        if (fault) return fault;
        return bytes > PROPERTY_LIMITS.propertySchemaBytes ? { path: [], detail: excess } : findSchemaFault(schema);
      }),
    ),
});

const KEYWORDS: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  type: (value) => {
    const types: readonly unknown[] = Array.isArray(value) ? value : [value];
    const areTypes = types.length > 0 && types.every((one) => TYPES.some((type) => type === one));
    return areTypes ? undefined : `must be one of ${TYPES.join(", ")}, or a list of them`;
  },
  enum: (value) => (Array.isArray(value) && value.length > 0 ? undefined : "must be a list with the allowed values"),
  minimum: findNumberFault,
  maximum: findNumberFault,
  pattern: (value) => {
    if (typeof value !== "string") return `expected a string, got ${describeJsonType(value)}`;
    const pattern = compilePattern(value);
    return typeof pattern === "string" ? `is not a supported pattern: ${pattern}` : undefined;
  },
  items: (value) => (isObject(value) ? undefined : `expected a schema, got ${describeJsonType(value)}`),
};

function findNumberFault(value: unknown): string | undefined {
  return typeof value === "number" && Number.isFinite(value)
    ? undefined
    : `expected a number, got ${describeJsonType(value)}`;
}

function findSchemaFault(schema: Readonly<Record<string, unknown>>, depth = 0): ValueFault | undefined {
  for (const [keyword, value] of Object.entries(schema)) {
    const check = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    const detail = check
      ? check(value)
      : `is not a supported keyword; a schema may have ${Object.keys(KEYWORDS).join(", ")}`;
    if (detail !== undefined) return { path: [keyword], detail };
  }
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, items } = schema as PropertySchema;
  if (minimum > maximum) {
    return { path: ["minimum"], detail: `${minimum} is greater than the maximum ${maximum}` };
  }
  if (items === undefined) return undefined;
  if (depth === PROPERTY_LIMITS.propertySchemaDepth) {
    return { path: ["items"], detail: `is nested deeper than ${PROPERTY_LIMITS.propertySchemaDepth} levels` };
  }
  const inner = findSchemaFault(items as Readonly<Record<string, unknown>>, depth + 1);
  return inner && { path: ["items", ...inner.path], detail: inner.detail };
}

/** Finds the first violation of a schema in a value. Patterns charge the budget of the call. */
export function findSchemaMismatch(
  value: unknown,
  schema: PropertySchema,
  budget: PatternBudget,
): ValueFault | undefined {
  const detail = describeMismatch(value, schema, budget);
  if (detail !== undefined) return { path: [], detail };
  if (!schema.items || !Array.isArray(value)) return undefined;
  for (const [i, one] of value.entries()) {
    const inner = findSchemaMismatch(one, schema.items, budget);
    if (inner) return { path: [i, ...inner.path], detail: inner.detail };
  }
  return undefined;
}

/** As in JSON Schema, keywords about numbers or texts ignore other values. */
function describeMismatch(value: unknown, schema: PropertySchema, budget: PatternBudget): string | undefined {
  const { type, enum: choices, pattern } = schema;
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const types = type === undefined ? TYPES : [type].flat();
  if (!types.some((one) => isOfType(value, one)))
    return `expected ${types.join(" or ")}, got ${describeJsonType(value)}`;
  if (choices && !getChoices(choices).has(toCanonicalJson(value))) {
    return `${shortenValue(value)} is not one of ${shortenValue(choices).slice(1, -1)}`;
  }
  if (typeof value === "number" && value < minimum) return `${value} is less than the minimum ${minimum}`;
  if (typeof value === "number" && value > maximum) return `${value} is greater than the maximum ${maximum}`;
  if (typeof value === "string" && pattern !== undefined && !getPattern(pattern)(value, budget)) {
    return `${shortenValue(value)} does not match the pattern ${pattern}`;
  }
  return undefined;
}

function isOfType(value: unknown, type: (typeof TYPES)[number]) {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return type === "null" ? value === null : typeof value === type;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Cache of compiled patterns. An import uses the same pattern many times. */
const patternCache = new Map<string, LinearPattern>();
const MAX_CACHED_PATTERNS = 100;

function getPattern(source: string): LinearPattern {
  const entry = patternCache.get(source);
  if (entry) return entry;
  const pattern = compilePattern(source);
  if (typeof pattern === "string") throw new Error(`unchecked pattern: ${pattern}`);
  if (patternCache.size >= MAX_CACHED_PATTERNS) patternCache.clear();
  patternCache.set(source, pattern);
  return pattern;
}

/** The canonical texts of enums, by enum. A list can have many items with the same schema. */
const choicesCache = new WeakMap<readonly unknown[], ReadonlySet<string>>();

function getChoices(choices: readonly unknown[]): ReadonlySet<string> {
  const entry = choicesCache.get(choices) ?? new Set(choices.map(toCanonicalJson));
  choicesCache.set(choices, entry);
  return entry;
}

const MAX_SHOWN_CHARACTERS = 200;

function shortenValue(value: unknown) {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}
