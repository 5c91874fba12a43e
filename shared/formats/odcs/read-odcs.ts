import { findConstraintFaults } from "../../domain/constraints/check.ts";
import type { ReadContext, ReadFormat } from "../common/format.ts";
import {
  isObject,
  type JsonObject,
  type NamedPart,
  omitRead,
  readNamedParts,
  readOptionalText,
  readTextList,
} from "../common/json-object.ts";
import { parseSqlType } from "../common/sql-type.ts";
import type { SourceColumn, SourceReference, SourceTable, SourceTables } from "../common/tables/source-tables.ts";
import { createDocument } from "../common/tables/tables-document.ts";
import { readReferences, removeDerivedId } from "./references.ts";

const READ_CONTRACT_MEMBERS = new Set(["apiVersion", "kind", "name", "version", "tags", "schema"]);

/**
 * Reads an Open Data Contract (ODCS 3.0 and 3.1). Schema objects become entities; everything else becomes properties
 * of the model.
 */
export const readOdcs: ReadFormat = (source, reading) => {
  const contract = source as JsonObject;
  return createDocument(readContract(contract, reading), reading);
};

function readContract(contract: JsonObject, { diagnostics }: ReadContext): SourceTables {
  const objects: readonly NamedPart[] = readNamedParts(contract, "schema", diagnostics);
  const { tables, held } = readTables(objects);
  const { purpose, text } = splitDescription(contract.description);
  const kept = { ...omitRead(contract, READ_CONTRACT_MEMBERS), ...(purpose !== undefined && { description: text }) };
  const name =
    readOptionalText(contract, "name") ?? readOptionalText(contract, "dataProduct") ?? readOptionalText(contract, "id");
  return {
    namespace: "odcs",
    header: {
      name,
      version: contract.version,
      description: purpose ?? (typeof contract.description === "string" ? contract.description : undefined),
    },
    kept: typeof contract.description === "string" ? { ...kept, description: undefined } : kept,
    tags: readTextList(contract, "tags"),
    types: [],
    tables,
    references: [...held, ...readReferences(objects, tables)],
  };
}

/** Splits a description object into its purpose and the other members. */
function splitDescription(description: unknown): { readonly purpose?: string; readonly text?: unknown } {
  if (!isObject(description)) return {};
  const { purpose, ...rest } = description;
  if (typeof purpose !== "string") return {};
  return { purpose, text: Object.keys(rest).length > 0 ? rest : undefined };
}

const TABLE_MEMBERS = new Set(["name", "businessName", "description", "tags", "properties", "relationships"]);
const COLUMN_MEMBERS = new Set([
  ...["name", "businessName", "description", "logicalType", "logicalTypeOptions", "required", "unique", "primaryKey"],
  ...["primaryKeyPosition", "examples", "tags", "properties", "items", "relationships"],
]);
/** Members of a nested object that its attributes express. */
const PART_MEMBERS = new Set(["name", "properties", "required", "logicalType", "relationships"]);
const READ_LIST_MEMBERS = new Set(["items", "relationships"]);
const DEFAULTS = { partitioned: false, partitionKeyPosition: -1, criticalDataElement: false, logicalType: "object" };

/** Options with the same meaning as constraints of attributes. */
const KEYWORDS = new Set([
  ...["minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ...["multipleOf", "minItems", "maxItems", "uniqueItems"],
]);

/** Tables of schema objects and of nested lists of objects, with the references to the latter. */
interface OdcsTables {
  readonly tables: readonly SourceTable[];
  readonly held: readonly SourceReference[];
}

/** Reads schema objects as tables. Each nested list of objects is another table. */
function readTables(objects: readonly NamedPart[]): OdcsTables {
  const tables: SourceTable[] = [];
  const held: SourceReference[] = [];
  for (const object of objects) tableOf(object, object.name, [object.name]);
  return { tables, held };

  function tableOf(part: NamedPart, id: string, path: readonly string[]): void {
    const { source, name, diagnostics } = part;
    const columns: OdcsColumn[] = [];
    const parts: Record<string, JsonObject> = {};
    // The containing table comes before nested ones.
    const place = tables.length;
    tables.push(undefined as never);
    collect(readNamedParts(source, "properties", diagnostics), "", true);
    tables[place] = {
      ...{ id, name, path, diagnostics, columns },
      title: readOptionalText(source, "businessName"),
      description: readOptionalText(source, "description"),
      tags: readTextList(source, "tags"),
      kept: {
        ...omitRead(removeDerivedId(source), TABLE_MEMBERS, DEFAULTS),
        ...(Object.keys(parts).length > 0 && { parts }),
      },
      primaryKey: columns
        .filter(({ source: one }) => one.primaryKey === true)
        .toSorted((a, b) => readKeyPosition(a.source) - readKeyPosition(b.source))
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
          const rest = omitRead(removeDerivedId(property.source), PART_MEMBERS, DEFAULTS);
          if (Object.keys(rest).length > 0) parts[called] = rest;
          collect(readNamedParts(property.source, "properties", property.diagnostics), `${called}.`, isRequired);
        } else if (isObject(items) && Array.isArray(items.properties)) {
          const inner = `${id}.${called}`;
          const diagnostics = property.diagnostics.at("/items");
          const rest = omitEmpty(omitRead(items, PART_MEMBERS, DEFAULTS));
          const texts = {
            ...omitRead(removeDerivedId(property.source), READ_LIST_MEMBERS),
            properties: items.properties,
            items: rest,
          };
          tableOf(
            { source: { ...texts, logicalType: "object" }, name: inner.replaceAll(".", "_"), diagnostics },
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
            diagnostics,
          });
        } else columns.push(toColumn({ ...property, name: called }, isHere, steps));
      }
    }
  }
}

interface OdcsColumn extends SourceColumn {
  readonly source: JsonObject;
}

function readKeyPosition({ primaryKeyPosition }: JsonObject): number {
  return typeof primaryKeyPosition === "number" ? primaryKeyPosition : 0;
}

function toColumn({ source, name, diagnostics }: NamedPart, isHere: boolean, path: readonly string[]): OdcsColumn {
  const { required, primaryKey, unique, examples, logicalTypeOptions, items } = source;
  const options = isObject(logicalTypeOptions) ? logicalTypeOptions : {};
  const physical = readOptionalText(source, "physicalType");
  const sql = physical === undefined ? undefined : parseSqlType(physical);
  const logical = readOptionalText(source, "logicalType");
  const isKeyword = ([option, value]: readonly [string, unknown]): boolean =>
    KEYWORDS.has(option) && findConstraintFaults({ [option]: value }).length === 0;
  const keywords = Object.fromEntries(Object.entries(options).filter(isKeyword));
  return {
    ...{ source, name, path, diagnostics },
    title: readOptionalText(source, "businessName"),
    description: readOptionalText(source, "description"),
    tags: readTextList(source, "tags"),
    type: logical ?? sql?.type ?? "any",
    // A primary key is required unless the contract says otherwise.
    optional: !isHere || (required === undefined || required === null ? primaryKey !== true : required !== true),
    constraints: {
      ...(logical === undefined && sql?.constraints),
      ...keywords,
      ...(unique === true && { unique }),
      ...(Array.isArray(examples) && examples.length > 0 && { examples }),
    },
    kept: {
      ...omitRead(removeDerivedId(source), COLUMN_MEMBERS, DEFAULTS),
      logicalTypeOptions: omitEmpty(omitRead(options, new Set(Object.keys(keywords)))),
      items,
    },
  };
}

function omitEmpty(value: JsonObject): JsonObject | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}
