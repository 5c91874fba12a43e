import { KEYWORD_NAMES } from "../../domain/constraints/keywords.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import type { Placed, Refs } from "./refs.ts";

/** A schema with all that its refs and its `allOf` say of the same value. */
export interface Merged {
  readonly schema: JsonObject;
  /** The pointer of the definition that it refers to and is otherwise equal to. */
  readonly definition?: string;
  /** True where null is allowed beside it. */
  readonly isNullable: boolean;
  /** The ref that leads out of the document, or round in a circle. */
  readonly unresolved?: string;
}

/** Members that a schema with a ref may have beside it without being another schema: texts, and what its values are bound to. */
const NOTES = new Set<string>([
  ...KEYWORD_NAMES,
  "$ref",
  "title",
  "description",
  "default",
  "examples",
  "example",
  "deprecated",
  "readOnly",
  "writeOnly",
  "nullable",
  "$comment",
]);

/**
 * Merges schemas of one document. A definition is merged once, so that definitions that repeat one another cost no more than
 * they are long.
 */
export function createMerging(refs: Refs) {
  const known = new Map<string, Merged>();
  const open = new Set<string>();

  function definition({ schema, pointer }: Placed): Merged {
    const found = known.get(pointer);
    if (found) return found;
    if (open.has(pointer)) return { schema: {}, isNullable: false, unresolved: `#${pointer}` };
    open.add(pointer);
    const made = merge(schema);
    open.delete(pointer);
    known.set(pointer, made);
    return made;
  }

  function merge(given: JsonObject): Merged {
    const { schema, isNullable } = withoutNull(given);
    const { $ref, allOf, ...own } = schema;
    if (typeof $ref === "string") {
      const target = refs.find($ref);
      if (!target) return { schema: own, isNullable, unresolved: $ref };
      const inner = definition(target);
      const isSame = Object.keys(schema).every((member) => NOTES.has(member));
      const whole = { ...inner, schema: joined(inner.schema, own), isNullable: isNullable || inner.isNullable };
      return isSame ? { ...whole, definition: inner.definition ?? target.pointer } : withoutDefinition(whole);
    }
    if (!Array.isArray(allOf)) return { schema: own, isNullable };
    const parts = allOf.filter(isObject).map(merge);
    const [only] = parts;
    const isSame = parts.length === 1 && Object.keys(own).every((member) => NOTES.has(member));
    const all = parts.reduce<JsonObject>((sum, part) => joined(sum, part.schema), {});
    const unresolved = parts.find((part) => part.unresolved !== undefined)?.unresolved;
    return {
      schema: joined(all, own),
      isNullable,
      ...(isSame && only?.definition !== undefined && { definition: only.definition }),
      ...(unresolved !== undefined && { unresolved }),
    };
  }

  return { merge, definition };
}

function withoutDefinition({ definition: _, ...merged }: Merged): Merged {
  return merged;
}

/** What two schemas say of one value; the second has the last word. */
function joined(a: JsonObject, b: JsonObject): JsonObject {
  const properties =
    isObject(a.properties) && isObject(b.properties) ? { ...a.properties, ...b.properties } : undefined;
  const required =
    Array.isArray(a.required) && Array.isArray(b.required) ? [...new Set([...a.required, ...b.required])] : undefined;
  return { ...a, ...b, ...(properties && { properties }), ...(required && { required }) };
}

/** A schema without the alternative null, which may stand in its type, beside one other schema, or as `nullable`. */
function withoutNull(schema: JsonObject): { readonly schema: JsonObject; readonly isNullable: boolean } {
  const { type, nullable, ...rest } = schema;
  if (Array.isArray(type) && type.includes("null")) {
    const types = type.filter((one) => one !== "null");
    return { schema: { ...rest, type: types.length === 1 ? types[0] : types }, isNullable: true };
  }
  for (const member of ["anyOf", "oneOf"] as const) {
    const list = schema[member];
    if (!Array.isArray(list)) continue;
    const others = list.filter((one) => !(isObject(one) && one.type === "null"));
    if (others.length === list.length && !(list.length === 1 && isObject(list[0]))) continue;
    const { [member]: _, ...around } = schema;
    const [only] = others;
    const isNullable = others.length < list.length;
    if (others.length === 1 && isObject(only)) return { schema: { ...only, ...around }, isNullable };
    return { schema: { ...around, [member]: others }, isNullable };
  }
  return nullable === true
    ? { schema: { ...rest, ...(type !== undefined && { type }) }, isNullable: true }
    : { schema, isNullable: false };
}
