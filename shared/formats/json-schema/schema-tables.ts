import { KEYWORD_NAMES } from "../../domain/constraints/keywords.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { escapePointerToken } from "../../domain/text/characters.ts";
import type { Cardinality } from "../../domain/values/model-types.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { refuseTooMany } from "../common/document-size.ts";
import { isObject, type JsonObject, omitRead, readOptionalText } from "../common/json-object.ts";
import type { SourceColumn, SourcePart, SourceReference, SourceTable } from "../common/tables/source-tables.ts";
import { type NamedSchema, type Property, ROOT_ITEMS, type SchemaRefs, type Within } from "./refs.ts";
import { createSchemaMerger, type MergedSchema } from "./schema-merger.ts";

/** Tables, references and types of schemas. */
export interface SchemaTables {
  readonly tables: readonly SourceTable[];
  readonly references: readonly SourceReference[];
  readonly types: readonly SourcePart[];
}

const TABLE_MEMBERS = new Set([
  ...["type", "title", "description", "properties", "required", "$schema", "$id", "$defs", "definitions", "$anchor"],
]);

/** Members of a nested object that its attributes express. */
const PART_MEMBERS = new Set(["type", "properties", "required"]);

/** Members of a property that its relationship expresses. */
const HOLDER_MEMBERS = new Set([
  ...["$ref", "allOf", "anyOf", "oneOf", "type", "title", "description", "items", "properties", "required"],
  ...["additionalProperties", "nullable"],
]);

/** Reads named schemas: objects as tables, others as types. */
export function readSchemaTables(
  named: readonly NamedSchema[],
  refs: SchemaRefs,
  diagnostics: Diagnostics,
): SchemaTables {
  const merging = createSchemaMerger(refs);
  const tables: SourceTable[] = [];
  const references: SourceReference[] = [];
  const names = new Map(named.map(({ pointer, name }) => [pointer, name]));
  const objects = named.filter((one) => isObjectSchema(merging.definition(one).schema));
  const isTable = new Set(objects.map(({ pointer }) => pointer));
  let objectCount = 0;
  for (const one of objects) {
    const within = { depth: 0, open: [one.pointer] };
    tableOf(merging.definition(one).schema, one.pointer, one.name, [one.name], diagnostics.at(one.pointer), within);
  }
  const types = named
    .filter(({ pointer }) => pointer !== "" && pointer !== ROOT_ITEMS && !isTable.has(pointer))
    .map((one) => toSchemaType(one, merging.definition(one).schema, diagnostics.at(one.pointer)));
  return { tables, references, types };

  function count(): void {
    objectCount++;
    refuseTooMany(objectCount);
  }

  function tableOf(
    schema: JsonObject,
    id: string,
    name: string,
    path: readonly string[],
    here: Diagnostics,
    within: Within,
  ): void {
    count();
    const columns: SourceColumn[] = [];
    const parts: Record<string, JsonObject> = {};
    const place = tables.push(undefined as never) - 1;
    collect(schema, { prefix: "", isHere: true, diagnostics: here, within });
    tables[place] = {
      ...{ id, name, path, diagnostics: here, columns, primaryKey: [], unique: [] },
      title: readOptionalText(schema, "title"),
      description: readOptionalText(schema, "description"),
      kept: { ...omitRead(schema, TABLE_MEMBERS), ...(Object.keys(parts).length > 0 && { parts }) },
    };

    function collect(object: JsonObject, { prefix, isHere, diagnostics: there, within: around }: CollectLevel): void {
      const required = new Set(Array.isArray(object.required) ? object.required : []);
      for (const [member, value] of Object.entries(isObject(object.properties) ? object.properties : {})) {
        const place = there.at(`/properties/${escapePointerToken(member)}`);
        const merged = inWithin(isObject(value) ? value : {}, around);
        warnUnresolved(merged, place);
        const isPresent = isHere && required.has(member) && !merged.isNullable;
        property(merged, {
          name: prefix + member,
          isPresent,
          raw: isObject(value) ? value : {},
          diagnostics: place,
          path: [...path, ...prefix.split(".").slice(0, -1), member],
          within: merged.within,
        });
      }
    }

    function property(merged: MergedSchema, at: Property): void {
      const { schema: one, definition } = merged;
      if (definition !== undefined && isTable.has(definition)) {
        hold(definition, at, ["zeroOrOne", at.isPresent ? "one" : "zeroOrOne"]);
        return;
      }
      const repeated = itemOf(one, at.within);
      if (repeated) {
        repeat(repeated, at);
        return;
      }
      if (isObjectSchema(one)) {
        const rest = omitRead(one, PART_MEMBERS);
        if (Object.keys(rest).length > 0) parts[at.name] = rest;
        collect(one, { prefix: `${at.name}.`, isHere: at.isPresent, diagnostics: at.diagnostics, within: at.within });
        return;
      }
      const alternatives = alternativesOf(one);
      if (alternatives) {
        for (const target of alternatives) hold(target, at, ["zeroOrOne", "zeroOrOne"], names.get(target));
        return;
      }
      count();
      const type = definition === undefined ? undefined : names.get(definition);
      columns.push(toSchemaColumn({ ...merged, schema: one }, type, at));
    }

    function repeat(item: NestedSchema, at: Property): void {
      if (item.definition !== undefined && isTable.has(item.definition)) {
        hold(item.definition, at, ["zeroOrOne", "many"]);
        return;
      }
      const inner = `${id}/${at.name}`;
      const called = `${name}_${at.name}`.replaceAll(".", "_");
      tableOf(item.schema, inner, called, at.path, at.diagnostics, item.within);
      hold(inner, at, ["one", "many"]);
    }

    /** Returns the items of a list or map of objects. Returns undefined for other lists and for recursive ones. */
    function itemOf(list: JsonObject, around: Within): NestedSchema | undefined {
      const { items, properties, additionalProperties } = list;
      const inner = isObject(items) ? items : properties === undefined ? additionalProperties : undefined;
      if (!isObject(inner)) return undefined;
      const merged = inWithin(inner, around);
      if (merged.isCircle) return undefined;
      const isNamed = merged.definition !== undefined && isTable.has(merged.definition);
      return isNamed || isObjectSchema(merged.schema) ? merged : itemOf(merged.schema, merged.within);
    }

    /** Returns the tables of which a property contains one. Returns undefined if an alternative is not a table. */
    function alternativesOf({ oneOf, anyOf }: JsonObject): readonly string[] | undefined {
      const list = [oneOf, anyOf].find((one) => Array.isArray(one) && one.length > 0);
      const found = (Array.isArray(list) ? list : []).map((one: unknown) =>
        isObject(one) ? merging.merge(one).definition : undefined,
      );
      return found.length > 0 && found.every((one) => one !== undefined && isTable.has(one))
        ? (found as string[])
        : undefined;
    }

    function hold(to: string, at: Property, cardinalities: readonly [Cardinality, Cardinality], suffix?: string): void {
      count();
      const called = [name, at.name.replaceAll(".", "_"), suffix].filter((one) => one !== undefined).join("_");
      const { raw, path, diagnostics } = at;
      references.push({
        ...{ name: called, from: id, to, columns: [], referred: [], cardinalities, path, diagnostics },
        title: readOptionalText(raw, "title"),
        description: readOptionalText(raw, "description"),
        kept: {
          ...omitRead(raw, HOLDER_MEMBERS),
          property: at.name,
          ...(isObject(raw.additionalProperties) && { holds: "map" }),
          ...(suffix !== undefined && { alternative: suffix }),
        },
      });
    }
  }

  /**
   * Merges a nested schema and tracks its depth, which refs may extend. A ref back to an enclosing schema is not
   * followed, unless it is a table.
   */
  function inWithin(schema: JsonObject, { depth, open }: Within): NestedSchema {
    if (depth > LIMITS.jsonDepth) {
      const levels = `${LIMITS.jsonDepth} levels with refs expanded`;
      throw new Problem("invalid_content", `the import failed: the source is nested deeper than ${levels}`);
    }
    const merged = merging.merge(schema);
    const targets = merging.targets(schema).map(({ pointer }) => pointer);
    const within = { depth: depth + 1, open: [...open, ...targets] };
    const isHeld = merged.definition !== undefined && isTable.has(merged.definition);
    const round = isHeld ? undefined : targets.find((pointer) => open.includes(pointer));
    if (round === undefined) return { ...merged, within, isCircle: false };
    return { schema: {}, isNullable: merged.isNullable, unresolved: `#${round}`, within, isCircle: true };
  }

  function warnUnresolved({ unresolved }: MergedSchema, place: Diagnostics): void {
    if (unresolved === undefined) return;
    const isLocal = unresolved.startsWith("#");
    place.warn(
      "/$ref",
      "not_carried_over",
      isLocal
        ? "the ref does not exist or forms a cycle, so its type is unknown"
        : "refs to other documents are not resolved, so its type is unknown",
    );
  }
}

/** A merged schema with its context. */
interface NestedSchema extends MergedSchema {
  readonly within: Within;
  readonly isCircle: boolean;
}

interface CollectLevel {
  readonly within: Within;
  readonly prefix: string;
  readonly isHere: boolean;
  readonly diagnostics: Diagnostics;
}

/** Returns true for a schema of objects with properties. */
function isObjectSchema({ properties }: JsonObject): boolean {
  return isObject(properties) && Object.keys(properties).length > 0;
}

const KEYWORDS = new Set<string>(KEYWORD_NAMES.filter((name) => name !== "unique" && name !== "unit"));
const READ_COLUMN_MEMBERS = new Set([...KEYWORDS, "type", "title", "description"]);

/** Converts a property that is not a table to a column. `type` is the name of its definition. */
function toSchemaColumn({ schema, unresolved }: MergedSchema, type: string | undefined, at: Property): SourceColumn {
  const { name, isPresent, path, diagnostics } = at;
  return {
    ...{ name, path, diagnostics },
    title: readOptionalText(schema, "title"),
    description: readOptionalText(schema, "description"),
    type: type ?? toTypeName(schema),
    optional: !isPresent,
    constraints: pickConstraints(schema),
    kept: { ...omitRead(schema, READ_COLUMN_MEMBERS), ...(unresolved !== undefined && { $ref: unresolved }) },
  };
}

/** Converts a definition that is not an object to a type. */
function toSchemaType({ name }: NamedSchema, schema: JsonObject, diagnostics: Diagnostics): SourcePart {
  return {
    ...{ name, diagnostics, path: [name] },
    title: readOptionalText(schema, "title"),
    description: readOptionalText(schema, "description"),
    kept: { schema: omitRead(schema, new Set(["title", "description"])) },
  };
}

/** Returns the type name: several types joined by `|`, or `any`. */
function toTypeName({ type, enum: values }: JsonObject): string {
  if (typeof type === "string") return type;
  if (Array.isArray(type) && type.length > 0) return type.map(String).join("|");
  return Array.isArray(values) && values.every((one) => typeof one === "string") ? "string" : "any";
}

/** Returns the constraints of a schema. Boolean exclusive bounds (drafts before 6, OpenAPI 3.0) become numbers. */
function pickConstraints(schema: JsonObject): JsonObject {
  const found = Object.fromEntries(Object.entries(schema).filter(([member]) => KEYWORDS.has(member)));
  for (const [bound, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (typeof found[exclusive] !== "boolean") continue;
    const { [bound]: value, [exclusive]: isOpen } = found;
    delete found[exclusive];
    if (isOpen !== true || value === undefined) continue;
    delete found[bound];
    found[exclusive] = value;
  }
  return found;
}
