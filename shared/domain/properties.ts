import * as z from "zod/mini";
import { type JsonValue, jsonOf, jsonText } from "./json-value.ts";
import { FREE_KEY_PATTERN } from "./keys.ts";
import { textFault } from "./legal-text.ts";
import { LIMITS } from "./limits.ts";
import { anyObject, describedAs, text, valueType } from "./value-type.ts";
import { keyFault } from "./value-types.ts";

/** Named JSON values of an object, beside its fixed fields. */
export type Properties = Readonly<Record<string, unknown>>;

/** Names that would let a JSON body hold `__proto__` or `constructor.prototype`, which is refused everywhere. */
const UNSPEAKABLE = ["__proto__", "constructor"];

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

/** The fault of the name of a property; undefined for one that is none. */
function nameFault(name: string): string | undefined {
  return UNSPEAKABLE.includes(name) ? `${name} is no name of a property` : keyFault(name);
}

/** A fault inside a JSON value: the path to the place, and a sentence that goes on after its name. */
interface ValueFault {
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

export const propertyValue = valueType<JsonValue>({
  id: "PropertyValue",
  json: "any",
  nullIsValue: true,
  description: `Any JSON, also null and "", nested at most ${LIMITS.propertyDepth} levels deep. In a query string as JSON text; a text that is no JSON stands for itself.`,
  schema: () =>
    z.unknown().check((ctx) => {
      const fault = valueFault(ctx.value);
      if (fault) ctx.issues.push({ code: "custom", input: ctx.value, path: [...fault.path], message: fault.detail });
      // The check lets JSON through and nothing else.
    }, describedAs({})) as z.ZodMiniType<JsonValue>,
});

/** All properties of an object, as documents write them. */
export const properties = valueType<Properties>({
  id: "Properties",
  json: "object",
  description: `Named JSON values: at most ${LIMITS.propertiesPerObject}, together at most ${LIMITS.propertiesBytes} bytes of JSON in UTF-8, nested at most ${LIMITS.propertyDepth} levels deep.`,
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
    const fault = valueFault(value, [name]);
    if (fault) return fault;
  }
  const excess = excessOf(given);
  return excess === undefined ? undefined : { path: [], detail: excess };
}

/** Why properties are too many or too large, in words; undefined where they are neither. */
function excessOf(given: Readonly<Record<string, unknown>>): string | undefined {
  const count = Object.keys(given).length;
  if (count > LIMITS.propertiesPerObject) {
    return `has ${count} properties, and an object may have ${LIMITS.propertiesPerObject}; delete some, or put several into one object`;
  }
  const bytes = Buffer.byteLength(jsonText(given));
  if (bytes <= LIMITS.propertiesBytes) return undefined;
  return `has ${bytes} bytes of properties, and an object may have ${LIMITS.propertiesBytes}; shorten or delete some`;
}

/** The first fault of a value: it nests too deep, or holds a text that no text may be or a number that is none. */
function valueFault(value: unknown, path: ValueFault["path"] = [], depth = 0): ValueFault | undefined {
  if (typeof value === "string") return textFaultAt(value, path);
  if (typeof value === "number" && !Number.isFinite(value)) {
    return { path, detail: "is a number beyond those of IEEE 754; write it as a text" };
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === LIMITS.propertyDepth) {
    return { path, detail: `nests deeper than ${LIMITS.propertyDepth} levels` };
  }
  const isList = Array.isArray(value);
  for (const [name, inner] of Object.entries(value)) {
    const here = [...path, isList ? Number(name) : name];
    const fault = (isList ? undefined : memberFault(name, here)) ?? valueFault(inner, here, depth + 1);
    if (fault) return fault;
  }
  return undefined;
}

/** The fault of the name of a member: no body may hold `__proto__` or `constructor.prototype`. */
function memberFault(name: string, path: ValueFault["path"]): ValueFault | undefined {
  const isUnspeakable = name === "__proto__" || (name === "prototype" && path.at(-2) === "constructor");
  return isUnspeakable ? { path, detail: "is a member that no JSON may have here" } : textFaultAt(name, path);
}

function textFaultAt(written: string, path: ValueFault["path"]): ValueFault | undefined {
  const detail = textFault(written);
  return detail === undefined ? undefined : { path, detail };
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
