import { KEYWORD_NAMES } from "../../domain/constraints/keywords.ts";
import { refuseTooMany } from "../common/document-size.ts";
import { isObject, type JsonObject } from "../common/json-object.ts";
import type { PlacedSchema, SchemaRefs } from "./refs.ts";

/** A schema with all that its refs and its `allOf` say of the same value. */
export interface MergedSchema {
  readonly schema: JsonObject;
  /** The pointer of the definition that it refers to and is otherwise equal to. */
  readonly definition?: string;
  /** True where null is allowed beside it. */
  readonly isNullable: boolean;
  /** The ref that leads out of the document, or round in a circle. */
  readonly unresolved?: string;
}

/** Members that a schema with a ref may have beside it without being another schema: texts, and what its values are bound to. */
const ANNOTATIONS = new Set<string>([
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
export function createSchemaMerger(refs: SchemaRefs) {
  const known = new Map<string, MergedSchema>();
  let members = 0;

  /** A definition with those that it needs, deepest first: refs may lead further than calls may nest. */
  function definition(wanted: PlacedSchema): MergedSchema {
    const open = new Set<string>();
    const waiting = [wanted];
    for (let next = waiting.at(-1); next; next = waiting.at(-1)) {
      const { schema, pointer } = next;
      const missing = known.has(pointer) || open.has(pointer) ? [] : targets(schema).filter((one) => isMissing(one));
      if (missing.length > 0) {
        open.add(pointer);
        for (const one of missing.toReversed()) waiting.push(one);
        continue;
      }
      waiting.pop();
      if (known.has(pointer)) continue;
      open.add(pointer);
      const made = merge(schema, open);
      open.delete(pointer);
      members += countProperties(made.schema);
      refuseTooMany(members);
      known.set(pointer, made);
    }
    return known.get(wanted.pointer) ?? EMPTY_SCHEMA;

    function isMissing({ pointer }: PlacedSchema): boolean {
      return !known.has(pointer) && !open.has(pointer);
    }
  }

  /** The schemas that one refers to itself, by its own ref and those of its `allOf`. */
  function targets(given: JsonObject): readonly PlacedSchema[] {
    const { $ref, allOf } = moveRefIntoAllOf(removeNull(given).schema);
    const target = typeof $ref === "string" ? refs.find($ref) : undefined;
    if (target) return [target];
    return Array.isArray(allOf) ? allOf.filter(isObject).flatMap(targets) : [];
  }

  function merge(given: JsonObject, open: ReadonlySet<string> = NONE): MergedSchema {
    const { schema: plain, isNullable } = removeNull(given);
    const schema = moveRefIntoAllOf(plain);
    const { $ref, allOf, ...own } = schema;
    if (typeof $ref === "string") {
      const target = refs.find($ref);
      if (!target) return { schema: own, isNullable, unresolved: $ref };
      const inner = open.has(target.pointer) ? createCyclePlaceholder(target.pointer) : definition(target);
      const isSame = Object.keys(schema).every((member) => ANNOTATIONS.has(member));
      const whole = { ...inner, schema: mergeMembers([inner.schema, own]), isNullable: isNullable || inner.isNullable };
      return isSame ? { ...whole, definition: inner.definition ?? target.pointer } : removeDefinition(whole);
    }
    if (!Array.isArray(allOf)) return { schema: own, isNullable };
    const parts = allOf.filter(isObject).map((part) => merge(part, open));
    const [only] = parts;
    const isSame = parts.length === 1 && Object.keys(own).every((member) => ANNOTATIONS.has(member));
    const unresolved = parts.find((part) => part.unresolved !== undefined)?.unresolved;
    return {
      schema: mergeMembers([...parts.map((part) => part.schema), own]),
      isNullable,
      ...(isSame && only?.definition !== undefined && { definition: only.definition }),
      ...(unresolved !== undefined && { unresolved }),
    };
  }

  return { merge: (schema: JsonObject) => merge(schema), definition, targets };
}

const NONE: ReadonlySet<string> = new Set();
const EMPTY_SCHEMA: MergedSchema = { schema: {}, isNullable: false };

/** What stands for a definition where that is being merged: the ref leads round in a circle. */
function createCyclePlaceholder(pointer: string): MergedSchema {
  return { ...EMPTY_SCHEMA, unresolved: `#${pointer}` };
}

function countProperties({ properties }: JsonObject): number {
  return isObject(properties) ? Object.keys(properties).length : 0;
}

function removeDefinition({ definition: _, ...merged }: MergedSchema): MergedSchema {
  return merged;
}

/** What schemas say together of one value; the last has the last word. */
function mergeMembers(schemas: readonly JsonObject[]): JsonObject {
  const said = schemas.filter((schema) => Object.keys(schema).length > 0);
  if (said.length < 2) return said[0] ?? {};
  const members = new Map<string, unknown>();
  const properties = new Map<string, unknown>();
  const required = new Set<unknown>();
  for (const [member, value] of said.flatMap((schema) => Object.entries(schema))) {
    members.set(member, value);
    if (member === "properties" && isObject(value))
      for (const [name, one] of Object.entries(value)) properties.set(name, one);
    if (member === "required" && Array.isArray(value)) for (const name of value) required.add(name);
  }
  if (isObject(members.get("properties"))) members.set("properties", Object.fromEntries(properties));
  if (Array.isArray(members.get("required"))) members.set("required", [...required]);
  return Object.fromEntries(members);
}

/** A schema with its ref as one more of its `allOf`, where it has both. */
function moveRefIntoAllOf(schema: JsonObject): JsonObject {
  const { $ref, allOf, ...own } = schema;
  return typeof $ref === "string" && Array.isArray(allOf) ? { ...own, allOf: [{ $ref }, ...allOf] } : schema;
}

/** A schema without the alternative null, which may stand in its type, beside one other schema, or as `nullable`. */
function removeNull(schema: JsonObject): { readonly schema: JsonObject; readonly isNullable: boolean } {
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
