import * as z from "zod/mini";
import { LIMITS, PROPERTY_LIMITS } from "../limits.ts";
import { FORBIDDEN_NAMES, FREE_KEY_PATTERN } from "../refs.ts";
import { CONTROLS } from "../text/characters.ts";
import { findJsonFault, type ValueFault } from "../text/json-faults.ts";
import { type JsonValue, parseStoredJson, toCanonicalJson } from "../text/json-values.ts";
import { defineValueType, objectSchema, replaceJsonSchema, textSchema } from "./value-type.ts";
import { createListType, findKeyFault } from "./value-types.ts";

/** The kinds of objects that have properties, as definitions name them. */
const HOLDER_KINDS = [
  "model",
  "type",
  "entity",
  "relationship",
  "attribute",
  "business_key",
  "tag",
  "tag_group",
] as const;

/** A kind of objects that have properties; tags of models and of groups are one. */
export type HolderKind = (typeof HOLDER_KINDS)[number];

export const holderKinds = createListType(
  defineValueType<HolderKind>({
    id: "PropertyHolderKind",
    json: "string",
    description: `A kind of objects that have properties: ${HOLDER_KINDS.join(", ")}.`,
    schema: () => z.enum(HOLDER_KINDS, { error: `must be one of ${HOLDER_KINDS.join(", ")}` }),
  }),
  HOLDER_KINDS.length,
  1,
);

/** The meaning of a change of a property to whoever relies on the object. */
export type PropertyImpact = "cosmetic" | "breaking";

export const propertyImpact = defineValueType<PropertyImpact>({
  id: "PropertyImpact",
  json: "string",
  description: "The impact of a change of a property in a comparison: cosmetic or breaking.",
  schema: () => z.enum(["cosmetic", "breaking"], { error: "must be cosmetic or breaking" }),
});

/** Named JSON values of an object, beside its fixed fields. */
export type Properties = Readonly<Record<string, unknown>>;

/** Names follow the rule of keys; two that no JSON body could carry are none. */
export const propertyName = defineValueType({
  id: "PropertyName",
  json: "string",
  description: `Name of a property, by the rule of keys: 1 to ${LIMITS.keyCharacters} printable ASCII characters without \\ ' " and \`, and not ${FORBIDDEN_NAMES.join(" or ")}. What stands before a \`:\` says whose it is.`,
  schema: () =>
    textSchema().check(
      z.refine<string>((name) => findPropertyNameFault(name) === undefined, {
        error: (issue) => findPropertyNameFault(String(issue.input)),
      }),
      z.meta({ pattern: `^${FREE_KEY_PATTERN}$` }),
    ),
});

/** The fault of the name of a property; undefined for a legal one. */
export function findPropertyNameFault(name: string): string | undefined {
  return FORBIDDEN_NAMES.includes(name) ? `${name} is no name of a property` : findKeyFault(name);
}

export const propertyValue = defineValueType<JsonValue>({
  id: "PropertyValue",
  json: "any",
  nullIsValue: true,
  description: `Any JSON, also null and "", nested at most ${PROPERTY_LIMITS.propertyDepth} levels deep, its texts without ${CONTROLS}. In a query string as JSON text; a text that is no JSON stands for itself.`,
  schema: () =>
    z.unknown().check((ctx) => {
      const fault = findJsonFault(ctx.value, PROPERTY_LIMITS.propertyDepth);
      if (fault) ctx.issues.push({ code: "custom", input: ctx.value, path: [...fault.path], message: fault.detail });
      // The check lets JSON through and nothing else.
    }, replaceJsonSchema({})) as z.ZodMiniType<JsonValue>,
});

/** All properties of an object, as documents write them. */
export const properties = defineValueType<Properties>({
  id: "Properties",
  json: "object",
  description: `Named JSON values: at most ${PROPERTY_LIMITS.propertiesPerObject}, together at most ${PROPERTY_LIMITS.propertiesBytes} bytes of JSON in UTF-8, nested at most ${PROPERTY_LIMITS.propertyDepth} levels deep.`,
  schema: () =>
    objectSchema().check((ctx) => {
      const fault = findPropertiesFault(ctx.value);
      if (fault) ctx.issues.push({ code: "custom", input: ctx.value, path: [...fault.path], message: fault.detail });
    }),
});

function findPropertiesFault(given: Readonly<Record<string, unknown>>): ValueFault | undefined {
  for (const [name, value] of Object.entries(given)) {
    const illegal = findPropertyNameFault(name);
    if (illegal !== undefined) return { path: [name], detail: illegal };
    const fault = findJsonFault(value, PROPERTY_LIMITS.propertyDepth, [name]);
    if (fault) return fault;
  }
  const excess = describeExcess(given);
  return excess === undefined ? undefined : { path: [], detail: excess };
}

/** Why properties are too many or too large, in words; undefined where they are neither. */
function describeExcess(given: Readonly<Record<string, unknown>>): string | undefined {
  const count = Object.keys(given).length;
  if (count > PROPERTY_LIMITS.propertiesPerObject) {
    return `has ${count} properties, and an object may have ${PROPERTY_LIMITS.propertiesPerObject}; delete some, or put several into one object`;
  }
  const bytes = Buffer.byteLength(toCanonicalJson(given));
  if (bytes <= PROPERTY_LIMITS.propertiesBytes) return undefined;
  return `has ${bytes} bytes of properties, and an object may have ${PROPERTY_LIMITS.propertiesBytes}; shorten or delete some`;
}

/** The kept properties of an object with one more, or with another value of one; a sentence where that is too much. */
export function addProperty(
  kept: string | undefined,
  name: string,
  value: JsonValue,
): { readonly kept: string } | { readonly excess: string } {
  const all = { ...parseProperties(kept), [name]: value };
  const excess = describeExcess(all);
  return excess === undefined ? { kept: toCanonicalJson(all) } : { excess };
}

/** The kept properties of an object without one; undefined where none is left. */
export function removeProperty(kept: string | undefined, name: string): string | undefined {
  const { [name]: _, ...rest } = parseProperties(kept);
  return serializeProperties(rest);
}

/** Properties in the form that an object keeps; undefined where there are none. */
export function serializeProperties(given: Properties | undefined): string | undefined {
  return given === undefined || Object.keys(given).length === 0 ? undefined : toCanonicalJson(given);
}

/** The properties that an object keeps. */
export function parseProperties(kept: string | undefined): Properties {
  return kept === undefined ? {} : parseStoredJson<Properties>(kept);
}
