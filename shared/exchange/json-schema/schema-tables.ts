import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import type { Cardinality } from "../../domain/structure-types.ts";
import { pointerToken } from "../../domain/well-formed.ts";
import { refuseTooMany } from "../document-size.ts";
import type { Findings } from "../findings.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import { restOf, textIn } from "../tables/kept-rest.ts";
import type { SourceColumn, SourcePart, SourceReference, SourceTable } from "../tables/source-tables.ts";
import { createMerging, type Merged } from "./merged.ts";
import { type NamedSchema, type Property, ROOT_ITEMS, type Within } from "./named-schema.ts";
import type { Refs } from "./refs.ts";
import { columnOf, typeOf } from "./schema-column.ts";

/** The tables, references and types that schemas describe. */
export interface SchemaTables {
  readonly tables: readonly SourceTable[];
  readonly references: readonly SourceReference[];
  readonly types: readonly SourcePart[];
}

const TABLE_MEMBERS = new Set([
  ...["type", "title", "description", "properties", "required", "$schema", "$id", "$defs", "definitions", "$anchor"],
]);

/** Members of an object that is a part of its owner, which its attributes tell. */
const PART_MEMBERS = new Set(["type", "properties", "required"]);

/** Members of a property that its relationship tells. */
const HOLDER_MEMBERS = new Set([
  ...["$ref", "allOf", "anyOf", "oneOf", "type", "title", "description", "items", "properties", "required"],
  ...["additionalProperties", "nullable"],
]);

/** Reads named schemas: objects as tables, all others as types. */
export function schemaTables(named: readonly NamedSchema[], refs: Refs, findings: Findings): SchemaTables {
  const merging = createMerging(refs);
  const tables: SourceTable[] = [];
  const references: SourceReference[] = [];
  const names = new Map(named.map(({ pointer, name }) => [pointer, name]));
  const objects = named.filter((one) => isObjectSchema(merging.definition(one).schema));
  const isTable = new Set(objects.map(({ pointer }) => pointer));
  let objectCount = 0;
  for (const one of objects) {
    const within = { depth: 0, open: [one.pointer] };
    tableOf(merging.definition(one).schema, one.pointer, one.name, [one.name], findings.at(one.pointer), within);
  }
  const types = named
    .filter(({ pointer }) => pointer !== "" && pointer !== ROOT_ITEMS && !isTable.has(pointer))
    .map((one) => typeOf(one, merging.definition(one).schema, findings.at(one.pointer)));
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
    here: Findings,
    within: Within,
  ): void {
    count();
    const columns: SourceColumn[] = [];
    const parts: Record<string, JsonObject> = {};
    const place = tables.push(undefined as never) - 1;
    collect(schema, { prefix: "", isHere: true, findings: here, within });
    tables[place] = {
      ...{ id, name, path, findings: here, columns, primaryKey: [], unique: [] },
      title: textIn(schema, "title"),
      description: textIn(schema, "description"),
      kept: { ...restOf(schema, TABLE_MEMBERS), ...(Object.keys(parts).length > 0 && { parts }) },
    };

    function collect(object: JsonObject, { prefix, isHere, findings: there, within: around }: Level): void {
      const required = new Set(Array.isArray(object.required) ? object.required : []);
      for (const [member, value] of Object.entries(isObject(object.properties) ? object.properties : {})) {
        const place = there.at(`/properties/${pointerToken(member)}`);
        const merged = inWithin(isObject(value) ? value : {}, around);
        warnUnresolved(merged, place);
        const isPresent = isHere && required.has(member) && !merged.isNullable;
        property(merged, {
          name: prefix + member,
          isPresent,
          raw: isObject(value) ? value : {},
          findings: place,
          path: [...path, ...prefix.split(".").slice(0, -1), member],
          within: merged.within,
        });
      }
    }

    function property(merged: Merged, at: Property): void {
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
        const rest = restOf(one, PART_MEMBERS);
        if (Object.keys(rest).length > 0) parts[at.name] = rest;
        collect(one, { prefix: `${at.name}.`, isHere: at.isPresent, findings: at.findings, within: at.within });
        return;
      }
      const alternatives = alternativesOf(one);
      if (alternatives) {
        for (const target of alternatives) hold(target, at, ["zeroOrOne", "zeroOrOne"], names.get(target));
        return;
      }
      count();
      const type = definition === undefined ? undefined : names.get(definition);
      columns.push(columnOf({ ...merged, schema: one }, type, at));
    }

    function repeat(item: Inside, at: Property): void {
      if (item.definition !== undefined && isTable.has(item.definition)) {
        hold(item.definition, at, ["zeroOrOne", "many"]);
        return;
      }
      const inner = `${id}/${at.name}`;
      const called = `${name}_${at.name}`.replaceAll(".", "_");
      tableOf(item.schema, inner, called, at.path, at.findings, item.within);
      hold(inner, at, ["one", "many"]);
    }

    /** The item of a list or of a map that is an object; undefined for lists and maps of anything else, and of themselves. */
    function itemOf(list: JsonObject, around: Within): Inside | undefined {
      const { items, properties, additionalProperties } = list;
      const inner = isObject(items) ? items : properties === undefined ? additionalProperties : undefined;
      if (!isObject(inner)) return undefined;
      const merged = inWithin(inner, around);
      if (merged.isCircle) return undefined;
      const isNamed = merged.definition !== undefined && isTable.has(merged.definition);
      return isNamed || isObjectSchema(merged.schema) ? merged : itemOf(merged.schema, merged.within);
    }

    /** The tables of which a property holds one; undefined where an alternative is none. */
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
      const { raw, path, findings } = at;
      references.push({
        ...{ name: called, from: id, to, columns: [], referred: [], cardinalities, path, findings },
        title: textIn(raw, "title"),
        description: textIn(raw, "description"),
        kept: {
          ...restOf(raw, HOLDER_MEMBERS),
          property: at.name,
          ...(isObject(raw.additionalProperties) && { holds: "map" }),
          ...(suffix !== undefined && { alternative: suffix }),
        },
      });
    }
  }

  /**
   * A schema that stands in others, its refs followed: what refs lead to is a part of these, and may nest as deep as a source. One
   * that leads back to a schema around it is not followed, unless that is a table of its own.
   */
  function inWithin(schema: JsonObject, { depth, open }: Within): Inside {
    if (depth > LIMITS.jsonDepth) {
      const levels = `${LIMITS.jsonDepth} levels, its refs followed`;
      throw new Problem("invalid_content", `nothing was imported: it nests deeper than ${levels}`);
    }
    const merged = merging.merge(schema);
    const targets = merging.targets(schema).map(({ pointer }) => pointer);
    const within = { depth: depth + 1, open: [...open, ...targets] };
    const isHeld = merged.definition !== undefined && isTable.has(merged.definition);
    const round = isHeld ? undefined : targets.find((pointer) => open.includes(pointer));
    if (round === undefined) return { ...merged, within, isCircle: false };
    return { schema: {}, isNullable: merged.isNullable, unresolved: `#${round}`, within, isCircle: true };
  }

  function warnUnresolved({ unresolved }: Merged, place: Findings): void {
    if (unresolved === undefined) return;
    const isLocal = unresolved.startsWith("#");
    place.warn(
      "/$ref",
      "not_carried_over",
      isLocal
        ? "the ref names nothing in the document, or leads round in a circle; what it stands for is not known"
        : "the ref leads out of the document, and nothing is fetched; what it stands for is not known",
    );
  }
}

/** A schema with what is around the schemas in it. */
interface Inside extends Merged {
  readonly within: Within;
  readonly isCircle: boolean;
}

interface Level {
  readonly within: Within;
  readonly prefix: string;
  readonly isHere: boolean;
  readonly findings: Findings;
}

/** True for a schema of objects with members of their own. */
function isObjectSchema({ properties }: JsonObject): boolean {
  return isObject(properties) && Object.keys(properties).length > 0;
}
