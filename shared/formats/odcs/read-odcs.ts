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
import { CONSTRAINT_OPTIONS } from "./known-members.ts";
import { readReferences, removeDerivedId } from "./references.ts";

const READ_CONTRACT_MEMBERS = new Set(["apiVersion", "kind", "name", "version", "tags", "schema"]);

/** Reads an Open Data Contract (ODCS 3.0, 3.1). */
export const readOdcs: ReadFormat = (source, context) => {
  const contract = source as JsonObject;
  return createDocument(readContract(contract, context), context);
};

function readContract(contract: JsonObject, { diagnostics }: ReadContext): SourceTables {
  const objects: readonly NamedPart[] = readNamedParts(contract, "schema", diagnostics);
  const readers = objects.map((object) => ({ object, reader: new TableReader(object.name, [object.name]) }));
  const tables = readers.flatMap(({ object, reader }) => reader.read(object));
  const nestings = readers.flatMap(({ reader }) => reader.nestings);
  const { purpose, text } = splitDescription(contract.description);
  const members = { ...omitRead(contract, READ_CONTRACT_MEMBERS), ...(purpose !== undefined && { description: text }) };
  const descriptionText = typeof contract.description === "string" ? contract.description : undefined;
  const name =
    readOptionalText(contract, "name") ?? readOptionalText(contract, "dataProduct") ?? readOptionalText(contract, "id");
  return {
    namespace: "odcs",
    header: { name, version: contract.version, description: purpose ?? descriptionText },
    rest: descriptionText === undefined ? members : { ...members, description: undefined },
    tags: readTextList(contract, "tags"),
    types: [],
    tables,
    references: [...nestings, ...readReferences(objects, tables)],
  };
}

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
const PART_MEMBERS = new Set(["name", "properties", "required", "logicalType", "relationships"]);
const READ_LIST_MEMBERS = new Set(["items", "relationships"]);
const DEFAULTS = { partitioned: false, partitionKeyPosition: -1, criticalDataElement: false, logicalType: "object" };

class TableReader {
  readonly nestings: SourceReference[] = [];
  readonly #id: string;
  readonly #path: readonly string[];
  readonly #columns: OdcsColumn[] = [];
  readonly #parts: Record<string, JsonObject> = {};
  readonly #nested: SourceTable[] = [];

  constructor(id: string, path: readonly string[]) {
    this.#id = id;
    this.#path = path;
  }

  read({ source, name, diagnostics }: NamedPart): readonly SourceTable[] {
    this.#readProperties(readNamedParts(source, "properties", diagnostics), "", true);
    const columns = this.#columns;
    const keys = columns.filter((one) => one.source.primaryKey === true);
    const table = {
      ...{ id: this.#id, name, path: this.#path, diagnostics, columns },
      title: readOptionalText(source, "businessName"),
      description: readOptionalText(source, "description"),
      tags: readTextList(source, "tags"),
      rest: {
        ...omitRead(removeDerivedId(source), TABLE_MEMBERS, DEFAULTS),
        ...(Object.keys(this.#parts).length > 0 && { parts: this.#parts }),
      },
      primaryKey: keys.toSorted((a, b) => readKeyPosition(a.source) - readKeyPosition(b.source)).map((one) => one.name),
      unique: columns.filter((one) => one.source.unique === true).map((one) => [one.name]),
    };
    return [table, ...this.#nested];
  }

  #readProperties(properties: readonly NamedPart[], prefix: string, isPresent: boolean): void {
    for (const property of properties) {
      const name = prefix + property.name;
      const { items, properties: innerParts, required } = property.source;
      if (Array.isArray(innerParts) && innerParts.length > 0) {
        const rest = omitRead(removeDerivedId(property.source), PART_MEMBERS, DEFAULTS);
        if (Object.keys(rest).length > 0) this.#parts[name] = rest;
        const parts = readNamedParts(property.source, "properties", property.diagnostics);
        this.#readProperties(parts, `${name}.`, isPresent && required === true);
      } else if (isObject(items) && Array.isArray(items.properties)) this.#readList(property, name, items);
      else this.#columns.push(toColumn({ ...property, name }, isPresent, [...this.#path, ...name.split(".")]));
    }
  }

  #readList({ source, diagnostics: owner }: NamedPart, property: string, items: JsonObject): void {
    const id = `${this.#id}.${property}`;
    const name = id.replaceAll(".", "_");
    const path = [...this.#path, ...property.split(".")];
    const diagnostics = owner.at("/items");
    const members = {
      ...omitRead(removeDerivedId(source), READ_LIST_MEMBERS),
      properties: items.properties,
      items: omitEmpty(omitRead(items, PART_MEMBERS, DEFAULTS)),
      logicalType: "object",
    };
    const reader = new TableReader(id, path);
    this.#nested.push(...reader.read({ source: members, name, diagnostics }));
    const cardinalities = ["one", "many"] as const;
    this.nestings.push(...reader.nestings, {
      ...{ from: this.#id, to: id, columns: [], targets: [], cardinalities, name, path, diagnostics },
    });
  }
}

interface OdcsColumn extends SourceColumn {
  readonly source: JsonObject;
}

function readKeyPosition({ primaryKeyPosition }: JsonObject) {
  return typeof primaryKeyPosition === "number" ? primaryKeyPosition : 0;
}

function toColumn({ source, name, diagnostics }: NamedPart, isHere: boolean, path: readonly string[]): OdcsColumn {
  const { required, primaryKey, unique, examples, logicalTypeOptions, items } = source;
  const options = isObject(logicalTypeOptions) ? logicalTypeOptions : {};
  const physicalType = readOptionalText(source, "physicalType");
  const sql = physicalType === undefined ? undefined : parseSqlType(physicalType);
  const logicalType = readOptionalText(source, "logicalType");
  const isKeyword = ([option, value]: readonly [string, unknown]) =>
    CONSTRAINT_OPTIONS.includes(option) && findConstraintFaults({ [option]: value }).length === 0;
  const keywords = Object.fromEntries(Object.entries(options).filter(isKeyword));
  return {
    ...{ source, name, path, diagnostics },
    title: readOptionalText(source, "businessName"),
    description: readOptionalText(source, "description"),
    tags: readTextList(source, "tags"),
    type: logicalType ?? sql?.type ?? "any",
    // A primary key is required unless the contract says otherwise.
    optional: !isHere || (required === undefined || required === null ? primaryKey !== true : required !== true),
    constraints: {
      ...(logicalType === undefined && sql?.constraints),
      ...keywords,
      ...(unique === true && { unique }),
      ...(Array.isArray(examples) && examples.length > 0 && { examples }),
    },
    rest: {
      ...omitRead(removeDerivedId(source), COLUMN_MEMBERS, DEFAULTS),
      logicalTypeOptions: omitEmpty(omitRead(options, new Set(Object.keys(keywords)))),
      items,
    },
  };
}

function omitEmpty(value: JsonObject): JsonObject | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}
