import * as z from "zod/mini";
import { LIMITS, PROPERTY_LIMITS } from "../limits.ts";
import { FREE_KEY_PATTERN, UNSPEAKABLE } from "../refs.ts";
import { CONTROLS } from "../text/characters.ts";
import { jsonFault, type ValueFault } from "../text/json-faults.ts";
import { type JsonValue, jsonOf, jsonText } from "../text/json-values.ts";
import { anyObject, describedAs, text, valueType } from "./value-type.ts";
import { keyFault, listOf } from "./value-types.ts";

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

export const holderKinds = listOf(
  valueType<HolderKind>({
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

export const propertyImpact = valueType<PropertyImpact>({
  id: "PropertyImpact",
  json: "string",
  description: "The impact of a change of a property in a comparison: cosmetic or breaking.",
  schema: () => z.enum(["cosmetic", "breaking"], { error: "must be cosmetic or breaking" }),
});

/** Named JSON values of an object, beside its fixed fields. */
export type Properties = Readonly<Record<string, unknown>>;

/** Names follow the rule of keys; two that no JSON body could carry are none. */
export const propertyName = valueType({
  id: "PropertyName",
  json: "string",
  description: `Name of a property, by the rule of keys: 1 to ${LIMITS.keyCharacters} printable ASCII characters without \\ ' " and \`, and not ${UNSPEAKABLE.join(" or ")}. What stands before a \`:\` says whose it is.`,
  schema: () =>
    text().check(
      z.refine<string>((name) => nameFault(name) === undefined, { error: (issue) => nameFault(String(issue.input)) }),
      z.meta({ pattern: `^${FREE_KEY_PATTERN}$` }),
    ),
});

/** The fault of the name of a property; undefined for a legal one. */
export function nameFault(name: string): string | undefined {
  return UNSPEAKABLE.includes(name) ? `${name} is no name of a property` : keyFault(name);
}

export const propertyValue = valueType<JsonValue>({
  id: "PropertyValue",
  json: "any",
  nullIsValue: true,
  description: `Any JSON, also null and "", nested at most ${PROPERTY_LIMITS.propertyDepth} levels deep, its texts without ${CONTROLS}. In a query string as JSON text; a text that is no JSON stands for itself.`,
  schema: () =>
    z.unknown().check((ctx) => {
      const fault = jsonFault(ctx.value, PROPERTY_LIMITS.propertyDepth);
      if (fault) ctx.issues.push({ code: "custom", input: ctx.value, path: [...fault.path], message: fault.detail });
      // The check lets JSON through and nothing else.
    }, describedAs({})) as z.ZodMiniType<JsonValue>,
});

/** All properties of an object, as documents write them. */
export const properties = valueType<Properties>({
  id: "Properties",
  json: "object",
  description: `Named JSON values: at most ${PROPERTY_LIMITS.propertiesPerObject}, together at most ${PROPERTY_LIMITS.propertiesBytes} bytes of JSON in UTF-8, nested at most ${PROPERTY_LIMITS.propertyDepth} levels deep.`,
  schema: () =>
    anyObject().check((ctx) => {
      const fault = propertiesFault(ctx.value);
      if (fault) ctx.issues.push({ code: "custom", input: ctx.value, path: [...fault.path], message: fault.detail });
    }),
});

function propertiesFault(given: Readonly<Record<string, unknown>>): ValueFault | undefined {
  for (const [name, value] of Object.entries(given)) {
    const illegal = nameFault(name);
    if (illegal !== undefined) return { path: [name], detail: illegal };
    const fault = jsonFault(value, PROPERTY_LIMITS.propertyDepth, [name]);
    if (fault) return fault;
  }
  const excess = excessOf(given);
  return excess === undefined ? undefined : { path: [], detail: excess };
}

/** Why properties are too many or too large, in words; undefined where they are neither. */
function excessOf(given: Readonly<Record<string, unknown>>): string | undefined {
  const count = Object.keys(given).length;
  if (count > PROPERTY_LIMITS.propertiesPerObject) {
    return `has ${count} properties, and an object may have ${PROPERTY_LIMITS.propertiesPerObject}; delete some, or put several into one object`;
  }
  const bytes = Buffer.byteLength(jsonText(given));
  if (bytes <= PROPERTY_LIMITS.propertiesBytes) return undefined;
  return `has ${bytes} bytes of properties, and an object may have ${PROPERTY_LIMITS.propertiesBytes}; shorten or delete some`;
}

/** The kept properties of an object with one more, or with another value of one; a sentence where that is too much. */
export function withProperty(
  kept: string | undefined,
  name: string,
  value: JsonValue,
): { readonly kept: string } | { readonly excess: string } {
  const all = { ...propertiesOf(kept), [name]: value };
  const excess = excessOf(all);
  return excess === undefined ? { kept: jsonText(all) } : { excess };
}

/** The kept properties of an object without one; undefined where none is left. */
export function withoutProperty(kept: string | undefined, name: string): string | undefined {
  const { [name]: _, ...rest } = propertiesOf(kept);
  return keptProperties(rest);
}

/** Properties in the form that an object keeps; undefined where there are none. */
export function keptProperties(given: Properties | undefined): string | undefined {
  return given === undefined || Object.keys(given).length === 0 ? undefined : jsonText(given);
}

/** The properties that an object keeps. */
export function propertiesOf(kept: string | undefined): Properties {
  return kept === undefined ? {} : jsonOf<Properties>(kept);
}
