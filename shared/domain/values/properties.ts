import * as z from "zod/mini";
import { LIMITS, PROPERTY_LIMITS } from "../limits.ts";
import { FORBIDDEN_NAMES, FREE_KEY_PATTERN } from "../refs.ts";
import { CONTROLS } from "../text/characters.ts";
import { findJsonFault, type ValueFault } from "../text/json-faults.ts";
import { type JsonValue, parseStoredJson, toCanonicalJson } from "../text/json-values.ts";
import {
  checkFaults,
  createObjectSchema,
  defineChoiceType,
  defineTextType,
  defineValueType,
  replaceJsonSchema,
} from "./value-type.ts";
import { createListType, findKeyFault } from "./value-types.ts";

const HOLDER_KINDS = [
  ...["model", "type", "entity", "relationship", "attribute", "business_key", "tag", "tag_group"],
] as const;

export const holderKinds = createListType(
  defineChoiceType(
    "PropertyHolderKind",
    `A kind of objects that have properties: ${HOLDER_KINDS.join(", ")}.`,
    HOLDER_KINDS,
  ),
  HOLDER_KINDS.length,
  1,
);

export const propertyImpact = defineChoiceType(
  "PropertyImpact",
  "The impact of a change of a property in a comparison: cosmetic or breaking.",
  ["cosmetic", "breaking"],
);

/** Named JSON values of an object, in addition to its fixed fields. */
export type Properties = Readonly<Record<string, unknown>>;

/** Name of a property: a key, except for names that JSON bodies must not contain. */
export const propertyName = defineTextType(
  "PropertyName",
  `Name of a property, by the rule of keys: 1 to ${LIMITS.keyCharacters} printable ASCII characters without \\ ' " and \`, and not ${FORBIDDEN_NAMES.join(" or ")}. ` +
    `A prefix before \`:\` is the namespace.`,
  () => [
    z.refine<string>((name) => findPropertyNameFault(name) === undefined, {
      error: (issue) => findPropertyNameFault(String(issue.input)),
    }),
    z.meta({ pattern: `^${FREE_KEY_PATTERN}$` }),
  ],
);

/** Returns a sentence if a text is not a valid property name. */
export function findPropertyNameFault(name: string): string | undefined {
  return FORBIDDEN_NAMES.includes(name)
    ? `${name} is a reserved name; choose another name for the property`
    : findKeyFault(name);
}

export const propertyValue = defineValueType<JsonValue>({
  id: "PropertyValue",
  json: "any",
  nullIsValue: true,
  description:
    `Any JSON, also null and "", nested at most ${PROPERTY_LIMITS.propertyDepth} levels deep, its texts without ${CONTROLS}. ` +
    `In a query string, the JSON text; a text that is not JSON is used as a string.`,
  schema: () =>
    z.unknown().check(
      checkFaults((value: unknown) => findJsonFault(value, PROPERTY_LIMITS.propertyDepth)),
      replaceJsonSchema({}),
      // The check accepts JSON only.
    ) as z.ZodMiniType<JsonValue>,
});

export const properties = defineValueType<Properties>({
  id: "Properties",
  json: "object",
  description: `Named JSON values: at most ${PROPERTY_LIMITS.propertiesPerObject}, together at most ${PROPERTY_LIMITS.propertiesBytes} bytes of JSON in UTF-8, nested at most ${PROPERTY_LIMITS.propertyDepth} levels deep.`,
  schema: () => createObjectSchema().check(checkFaults(findPropertiesFault)),
});

function findPropertiesFault(input: Readonly<Record<string, unknown>>): ValueFault | undefined {
  for (const [name, value] of Object.entries(input)) {
    const illegal = findPropertyNameFault(name);
    if (illegal !== undefined) return { path: [name], detail: illegal };
    const fault = findJsonFault(value, PROPERTY_LIMITS.propertyDepth, [name]);
    if (fault) return fault;
  }
  const excess = describeExcess(input);
  return excess === undefined ? undefined : { path: [], detail: excess };
}

function describeExcess(input: Readonly<Record<string, unknown>>): string | undefined {
  const count = Object.keys(input).length;
  if (count > PROPERTY_LIMITS.propertiesPerObject) {
    return `has ${count} properties; at most ${PROPERTY_LIMITS.propertiesPerObject} are allowed; delete some, or combine several into one object`;
  }
  // Sorted members have the same length.
  const bytes = Buffer.byteLength(JSON.stringify(input));
  if (bytes <= PROPERTY_LIMITS.propertiesBytes) return undefined;
  return `has ${bytes} bytes of properties; at most ${PROPERTY_LIMITS.propertiesBytes} are allowed; shorten or delete some`;
}

/** Returns a sentence if stored properties are too large. */
export function findExcess(json: string): string | undefined {
  return describeExcess(parseProperties(json));
}

/** Adds or replaces a property. Returns a sentence if the result is too large. */
export function addProperty(
  json: string | undefined,
  name: string,
  value: JsonValue,
): { readonly json: string } | { readonly excess: string } {
  const all = { ...parseProperties(json), [name]: value };
  const excess = describeExcess(all);
  return excess === undefined ? { json: toCanonicalJson(all) } : { excess };
}

/** Removes a property from the stored properties. Returns undefined if none is left. */
export function removeProperty(json: string | undefined, name: string): string | undefined {
  const { [name]: _, ...rest } = parseProperties(json);
  return serializeProperties(rest);
}

/** Serializes properties for storage. Returns undefined if there are none. */
export function serializeProperties(input: Properties | undefined): string | undefined {
  return input === undefined || Object.keys(input).length === 0 ? undefined : toCanonicalJson(input);
}

/** Parses the stored properties of an object. */
export function parseProperties(json: string | undefined): Properties {
  return json === undefined ? {} : parseStoredJson<Properties>(json);
}
