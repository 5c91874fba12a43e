import { constraintFaults } from "../../domain/constraints/check.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import { restOf, textIn, textsIn } from "../tables/kept-rest.ts";
import { type NamedPart, namedIn } from "../tables/parts.ts";
import type { SourceColumn, SourceReference, SourceTable } from "../tables/source-tables.ts";
import { sqlType } from "../tables/sql-type.ts";
import { withoutMadeId } from "./stable-ids.ts";

const TABLE_MEMBERS = new Set(["name", "businessName", "description", "tags", "properties", "relationships"]);
const COLUMN_MEMBERS = new Set([
  ...["name", "businessName", "description", "logicalType", "logicalTypeOptions", "required", "unique", "primaryKey"],
  ...["primaryKeyPosition", "examples", "tags", "properties", "items", "relationships"],
]);
/** Members of an object that is a part of its owner, which its attributes tell. */
const PART_MEMBERS = new Set(["name", "properties", "required", "logicalType", "relationships"]);
const ITEMS = new Set(["items", "relationships"]);
const DEFAULTS = { partitioned: false, partitionKeyPosition: -1, criticalDataElement: false, logicalType: "object" };

/** Keywords of `logicalTypeOptions` that mean what the constraints of attributes mean. */
const KEYWORDS = new Set([
  ...["minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ...["multipleOf", "minItems", "maxItems", "uniqueItems"],
]);

/** The tables of schema objects, with those that lists of objects became and how these are held. */
export interface OdcsTables {
  readonly tables: readonly SourceTable[];
  readonly held: readonly SourceReference[];
}

/** Reads schema objects: each a table, and each list of objects below it one more. */
export function odcsTables(objects: readonly NamedPart[]): OdcsTables {
  const tables: SourceTable[] = [];
  const held: SourceReference[] = [];
  for (const object of objects) tableOf(object, object.name, [object.name]);
  return { tables, held };

  function tableOf(part: NamedPart, id: string, path: readonly string[]): void {
    const { source, name, findings } = part;
    const columns: Column[] = [];
    const parts: Record<string, JsonObject> = {};
    // The table stands before those that it holds.
    const place = tables.length;
    tables.push(undefined as never);
    collect(namedIn(source, "properties", findings), "", true);
    tables[place] = {
      ...{ id, name, path, findings, columns },
      title: textIn(source, "businessName"),
      description: textIn(source, "description"),
      tags: textsIn(source, "tags"),
      kept: {
        ...restOf(withoutMadeId(source), TABLE_MEMBERS, DEFAULTS),
        ...(Object.keys(parts).length > 0 && { parts }),
      },
      primaryKey: columns
        .filter(({ source: one }) => one.primaryKey === true)
        .toSorted((a, b) => positionOf(a.source) - positionOf(b.source))
        .map((one) => one.name),
      unique: columns.filter(({ source: one }) => one.unique === true).map((one) => [one.name]),
    };

    function collect(properties: readonly NamedPart[], prefix: string, isHere: boolean): void {
      for (const property of properties) {
        const called = prefix + property.name;
        const { items } = property.source;
        const isRequired = isHere && property.source.required === true;
        const steps = [...path, ...called.split(".")];
        if (Array.isArray(property.source.properties) && property.source.properties.length > 0) {
          const rest = restOf(withoutMadeId(property.source), PART_MEMBERS, DEFAULTS);
          if (Object.keys(rest).length > 0) parts[called] = rest;
          collect(namedIn(property.source, "properties", property.findings), `${called}.`, isRequired);
        } else if (isObject(items) && Array.isArray(items.properties)) {
          const inner = `${id}.${called}`;
          const findings = property.findings.at("/items");
          const rest = nonEmpty(restOf(items, PART_MEMBERS, DEFAULTS));
          const texts = { ...restOf(withoutMadeId(property.source), ITEMS), properties: items.properties, items: rest };
          tableOf(
            { source: { ...texts, logicalType: "object" }, name: inner.replaceAll(".", "_"), findings },
            inner,
            steps,
          );
          const cardinalities = ["one", "many"] as const;
          held.push({
            from: id,
            to: inner,
            columns: [],
            referred: [],
            cardinalities,
            name: inner.replaceAll(".", "_"),
            path: steps,
            findings,
          });
        } else columns.push(columnOf({ ...property, name: called }, isHere, steps));
      }
    }
  }
}

interface Column extends SourceColumn {
  readonly source: JsonObject;
}

function positionOf({ primaryKeyPosition }: JsonObject): number {
  return typeof primaryKeyPosition === "number" ? primaryKeyPosition : 0;
}

function columnOf({ source, name, findings }: NamedPart, isHere: boolean, path: readonly string[]): Column {
  const { required, primaryKey, unique, examples, logicalTypeOptions, items } = source;
  const options = isObject(logicalTypeOptions) ? logicalTypeOptions : {};
  const physical = textIn(source, "physicalType");
  const sql = physical === undefined ? undefined : sqlType(physical);
  const logical = textIn(source, "logicalType");
  const isKeyword = ([option, value]: readonly [string, unknown]): boolean =>
    KEYWORDS.has(option) && constraintFaults({ [option]: value }).length === 0;
  const keywords = Object.fromEntries(Object.entries(options).filter(isKeyword));
  return {
    ...{ source, name, path, findings },
    title: textIn(source, "businessName"),
    description: textIn(source, "description"),
    tags: textsIn(source, "tags"),
    type: logical ?? sql?.type ?? "any",
    // A primary key is there unless the contract says that it may be absent.
    optional: !isHere || (required === undefined || required === null ? primaryKey !== true : required !== true),
    constraints: {
      ...(logical === undefined && sql?.constraints),
      ...keywords,
      ...(unique === true && { unique }),
      ...(Array.isArray(examples) && examples.length > 0 && { examples }),
    },
    kept: {
      ...restOf(withoutMadeId(source), COLUMN_MEMBERS, DEFAULTS),
      logicalTypeOptions: nonEmpty(restOf(options, new Set(Object.keys(keywords)))),
      items,
    },
  };
}

function nonEmpty(value: JsonObject): JsonObject | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}
