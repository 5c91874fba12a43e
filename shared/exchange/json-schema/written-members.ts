import { KEYWORD_NAMES } from "../../domain/constraints/keywords.ts";
import type { Properties } from "../../domain/properties.ts";
import { pointerToken } from "../../domain/well-formed.ts";
import type { Findings } from "../findings.ts";
import { isObject, type JsonObject } from "../json-object.ts";

const NAMESPACE = "jsonschema:";

/** Members of schemas that hold a schema, a list of schemas, or schemas by names; all others may hold any value but those below. */
const SCHEMAS = new Set([
  ...["items", "additionalProperties", "additionalItems", "not", "if", "then", "else", "contains", "propertyNames"],
  ...["unevaluatedProperties", "unevaluatedItems", "contentSchema"],
]);
const LISTS = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const MAPS = new Set(["patternProperties", "dependentSchemas"]);
const TEXTS = new Set(["$comment", "$ref"]);
const FLAGS = new Set(["readOnly", "writeOnly", "deprecated"]);
const COUNTS = new Set(["minProperties", "maxProperties", "minContains", "maxContains"]);
/** Members that are written of something else, or that would change what the others mean. */
const NEVER = new Set([
  ...KEYWORD_NAMES,
  ...["type", "title", "description", "properties", "required", "$schema", "$id", "$defs", "definitions", "$anchor"],
  ...[
    "$dynamicRef",
    "$dynamicAnchor",
    "$vocabulary",
    "$recursiveRef",
    "$recursiveAnchor",
    "dependentRequired",
    "dependencies",
  ],
]);

/** The properties of an object that its schema was read with, as members again; a value that is none of its member is a warning. */
export function writtenMembers(properties: Properties = {}, at: Findings, others: readonly string[] = []): JsonObject {
  const members = Object.entries(properties).flatMap(([name, value]): [string, unknown][] => {
    if (!name.startsWith(NAMESPACE) || others.includes(name)) return [];
    const member = name.slice(NAMESPACE.length);
    if (fits(member, value)) return [[member, value]];
    at.warn(
      `/properties/${pointerToken(name)}`,
      "not_written",
      "the value is none that this member of the format may have",
    );
    return [];
  });
  return Object.fromEntries(members);
}

function fits(member: string, value: unknown): boolean {
  const isSchema = (one: unknown): boolean => isObject(one) || typeof one === "boolean";
  if (NEVER.has(member)) return false;
  if (SCHEMAS.has(member)) return isSchema(value);
  if (LISTS.has(member)) return Array.isArray(value) && value.length > 0 && value.every(isSchema);
  if (MAPS.has(member)) return isObject(value) && Object.values(value).every(isSchema);
  if (TEXTS.has(member)) return typeof value === "string";
  if (FLAGS.has(member)) return typeof value === "boolean";
  if (COUNTS.has(member)) return Number.isSafeInteger(value) && Number(value) >= 0;
  return !member.startsWith("$");
}

/** True for the name of a property that a schema was read with. */
export function isOfSchema(name: string): boolean {
  return name.startsWith(NAMESPACE);
}
