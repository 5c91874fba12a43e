import { KEYWORD_NAMES } from "../../domain/constraints/keywords.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { escapePointerToken } from "../../domain/text/characters.ts";
import type { Cardinality } from "../../domain/values/model-types.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import type { SourceSize } from "../common/document-size.ts";
import type { ReadContext } from "../common/format.ts";
import { isObject, type JsonObject, omitRead, readOptionalText } from "../common/json-object.ts";
import type { SourceColumn, SourcePart, SourceReference, SourceTable } from "../common/tables/source-tables.ts";
import { type FindSchema, type NamedSchema, type Property, ROOT_ITEMS, type SchemaUse, type Within } from "./refs.ts";
import { type MergedSchema, SchemaMerger } from "./schema-merger.ts";

/** Tables, references and types of schemas. */
export interface SchemaTables {
  readonly tables: readonly SourceTable[];
  readonly references: readonly SourceReference[];
  readonly types: readonly SourcePart[];
}

const TABLE_MEMBERS = new Set([
  ...["type", "title", "description", "properties", "required", "$schema", "$id", "$defs", "definitions", "$anchor"],
]);

const PART_MEMBERS = new Set(["type", "properties", "required"]);

const HOLDER_MEMBERS = new Set([
  ...["$ref", "allOf", "anyOf", "oneOf", "type", "title", "description", "items", "properties", "required"],
  ...["additionalProperties", "nullable"],
]);

/**
 * Reads named schemas: objects as tables, others as types. With `asColumns`, a property that refers to tables is a column
 * whose type names them, and no reference.
 */
export function readSchemaTables(
  schemas: readonly NamedSchema[],
  findSchema: FindSchema,
  { diagnostics, size }: Pick<ReadContext, "diagnostics" | "size">,
  asColumns = false,
): SchemaTables {
  return new SchemaReader(schemas, findSchema, size, asColumns).read(diagnostics);
}

interface NestedSchema extends MergedSchema {
  readonly within: Within;
  readonly isCycle: boolean;
}

class SchemaReader {
  readonly references: SourceReference[] = [];
  readonly asColumns: boolean;
  readonly #named: readonly NamedSchema[];
  readonly #merger: SchemaMerger;
  readonly #names: ReadonlyMap<string, string>;
  readonly #tables: ReadonlySet<string>;
  readonly #size: SourceSize;
  #objectCount = 0;

  constructor(schemas: readonly NamedSchema[], findSchema: FindSchema, size: SourceSize, asColumns: boolean) {
    this.#size = size;
    this.asColumns = asColumns;
    this.#named = schemas;
    this.#merger = new SchemaMerger(findSchema, size);
    this.#names = new Map(schemas.map(({ pointer, name }) => [pointer, name]));
    const objects = schemas.filter((one) => one.isTable || isObjectSchema(this.#merger.mergeDefinition(one).schema));
    this.#tables = new Set(objects.map(({ pointer }) => pointer));
  }

  read(diagnostics: Diagnostics): SchemaTables {
    const objects = this.#named.filter(({ pointer }) => this.#tables.has(pointer));
    const tables = objects.flatMap((one) => {
      const { schema } = this.#merger.mergeDefinition(one);
      const reader = new TableReader(this, one.pointer, one.name, [one.name], one.use);
      return reader.read(schema, diagnostics.at(one.pointer), { depth: 0, open: [one.pointer] });
    });
    const types = this.#named
      .filter(({ pointer }) => pointer !== "" && pointer !== ROOT_ITEMS && !this.#tables.has(pointer))
      .map((one) => toSchemaType(one, this.#merger.mergeDefinition(one).schema, diagnostics.at(one.pointer)));
    return { tables, references: this.references, types };
  }

  countObject(): void {
    this.#objectCount++;
    this.#size.checkObjects(this.#objectCount);
  }

  findTable({ definition }: MergedSchema): string | undefined {
    return definition !== undefined && this.#tables.has(definition) ? definition : undefined;
  }

  findName(definition: string | undefined): string | undefined {
    return definition === undefined ? undefined : this.#names.get(definition);
  }

  /** Returns the items of a list or map of objects. Returns undefined for other lists and for recursive ones. */
  findItems({ items, properties, additionalProperties }: JsonObject, within: Within): NestedSchema | undefined {
    const itemSchema = isObject(items) ? items : properties === undefined ? additionalProperties : undefined;
    if (!isObject(itemSchema)) return undefined;
    const mergedSchema = this.mergeNested(itemSchema, within);
    if (mergedSchema.isCycle) return undefined;
    const isTable = this.findTable(mergedSchema) !== undefined || isObjectSchema(mergedSchema.schema);
    return isTable ? mergedSchema : this.findItems(mergedSchema.schema, mergedSchema.within);
  }

  findAlternatives({ oneOf, anyOf }: JsonObject): readonly string[] | undefined {
    const list = [oneOf, anyOf].find((one) => Array.isArray(one) && one.length > 0);
    if (!Array.isArray(list)) return undefined;
    const ids = list.map((one: unknown) => (isObject(one) ? this.findTable(this.#merger.merge(one)) : undefined));
    return ids.every((one) => one !== undefined) ? ids : undefined;
  }

  /** Merges a nested schema. A ref back to an enclosing schema is not followed, unless it is a table. */
  mergeNested(schema: JsonObject, { depth, open }: Within): NestedSchema {
    if (depth > LIMITS.jsonDepth) {
      const levels = `${LIMITS.jsonDepth} levels with refs expanded`;
      throw new Problem("invalid_content", `the import failed: the source is nested deeper than ${levels}`);
    }
    const mergedSchema = this.#merger.merge(schema);
    const targets = this.#merger.findTargets(schema).map(({ pointer }) => pointer);
    const within = { depth: depth + 1, open: [...open, ...targets] };
    const isTable = this.findTable(mergedSchema) !== undefined;
    const cycle = isTable ? undefined : targets.find((pointer) => open.includes(pointer));
    if (cycle === undefined) return { ...mergedSchema, within, isCycle: false };
    return { schema: {}, isNullable: mergedSchema.isNullable, badRef: `#${cycle}`, within, isCycle: true };
  }
}

class TableReader {
  readonly #schemas: SchemaReader;
  readonly #id: string;
  readonly #name: string;
  readonly #path: readonly string[];
  readonly #use: SchemaUse | undefined;
  readonly #columns: SourceColumn[] = [];
  readonly #parts: Record<string, JsonObject> = {};
  readonly #nested: SourceTable[] = [];

  constructor(schemas: SchemaReader, id: string, name: string, path: readonly string[], use: SchemaUse | undefined) {
    this.#schemas = schemas;
    this.#id = id;
    this.#name = name;
    this.#path = path;
    this.#use = use;
  }

  read(schema: JsonObject, diagnostics: Diagnostics, within: Within): readonly SourceTable[] {
    this.#schemas.countObject();
    this.#readProperties(schema, "", { isPresent: true, diagnostics, within });
    const table = {
      ...{ id: this.#id, name: this.#name, path: this.#path, diagnostics, columns: this.#columns },
      ...{ primaryKey: [], unique: [] },
      title: readOptionalText(schema, "title"),
      description: readOptionalText(schema, "description"),
      rest: {
        ...omitRead(schema, TABLE_MEMBERS),
        ...(Object.keys(this.#parts).length > 0 && { parts: this.#parts }),
        usedIn: this.#use,
      },
    };
    return [table, ...this.#nested];
  }

  #readProperties(
    object: JsonObject,
    prefix: string,
    parent: Pick<Property, "isPresent" | "diagnostics" | "within">,
  ): void {
    const names = new Set(Array.isArray(object.required) ? object.required : []);
    for (const [member, value] of Object.entries(isObject(object.properties) ? object.properties : {})) {
      const diagnostics = parent.diagnostics.at(`/properties/${escapePointerToken(member)}`);
      const raw = isObject(value) ? value : {};
      const mergedSchema = this.#schemas.mergeNested(raw, parent.within);
      warnUnresolved(mergedSchema, diagnostics);
      this.#readProperty(mergedSchema, {
        ...{ raw, diagnostics, within: mergedSchema.within },
        name: prefix + member,
        isPresent: parent.isPresent && names.has(member) && !mergedSchema.isNullable,
        path: [...this.#path, ...prefix.split(".").slice(0, -1), member],
      });
    }
  }

  #readProperty(mergedSchema: MergedSchema, property: Property): void {
    const { schema } = mergedSchema;
    const table = this.#schemas.findTable(mergedSchema);
    if (table !== undefined) {
      this.#addReference(table, property, ["zeroOrOne", property.isPresent ? "one" : "zeroOrOne"]);
      return;
    }
    const items = this.#schemas.findItems(schema, property.within);
    if (items) {
      this.#readItems(items, property);
      return;
    }
    if (isObjectSchema(schema)) {
      const rest = omitRead(schema, PART_MEMBERS);
      if (Object.keys(rest).length > 0) this.#parts[property.name] = rest;
      this.#readProperties(schema, `${property.name}.`, property);
      return;
    }
    const alternatives = this.#schemas.findAlternatives(schema);
    if (alternatives && this.#schemas.asColumns) {
      this.#addColumn(
        toReferringSchema(property),
        alternatives.map((id) => this.#schemas.findName(id)).join("|"),
        property,
      );
      return;
    }
    if (alternatives) {
      for (const target of alternatives) {
        this.#addReference(target, property, ["zeroOrOne", "zeroOrOne"], this.#schemas.findName(target));
      }
      return;
    }
    const type = this.#schemas.findName(mergedSchema.definition);
    this.#addColumn(mergedSchema, type ?? (this.#schemas.asColumns ? toListType(schema) : undefined), property);
  }

  #addColumn(mergedSchema: MergedSchema, type: string | undefined, property: Property): void {
    this.#schemas.countObject();
    this.#columns.push(toSchemaColumn(mergedSchema, type, property));
  }

  #readItems(items: NestedSchema, property: Property): void {
    const table = this.#schemas.findTable(items);
    if (table !== undefined) {
      this.#addReference(table, property, ["zeroOrOne", "many"]);
      return;
    }
    const id = `${this.#id}/${property.name}`;
    const name = this.#getNestedName(property.name);
    const reader = new TableReader(this.#schemas, id, name, property.path, this.#use);
    this.#nested.push(...reader.read(items.schema, property.diagnostics, items.within));
    this.#addReference(id, property, ["one", "many"]);
  }

  #getNestedName(property: string): string {
    return `${this.#name}_${property}`.replaceAll(".", "_");
  }

  #addReference(
    to: string,
    { name, raw, path, diagnostics, ...rest }: Property,
    cardinalities: readonly [Cardinality, Cardinality],
    alternative?: string,
  ): void {
    if (this.#schemas.asColumns) {
      const table = this.#schemas.findName(to) ?? this.#getNestedName(name);
      const type = cardinalities[1] === "many" ? `${table}[]` : table;
      this.#addColumn(toReferringSchema({ raw }), type, { name, raw, path, diagnostics, ...rest });
      return;
    }
    this.#schemas.countObject();
    const names = [this.#name, name.replaceAll(".", "_"), alternative].filter((one) => one !== undefined);
    this.#schemas.references.push({
      ...{ name: names.join("_"), from: this.#id, to, columns: [], targets: [], cardinalities, path, diagnostics },
      title: readOptionalText(raw, "title"),
      description: readOptionalText(raw, "description"),
      rest: {
        ...omitRead(raw, HOLDER_MEMBERS),
        property: name,
        ...(isObject(raw.additionalProperties) && { holds: "map" }),
        alternative,
      },
    });
  }
}

function warnUnresolved({ badRef }: MergedSchema, diagnostics: Diagnostics) {
  if (badRef === undefined) return;
  const detail = badRef.startsWith("#")
    ? "the ref does not exist or forms a cycle, so its type is unknown"
    : "refs to other documents are not resolved, so its type is unknown";
  diagnostics.warn("/$ref", "not_carried_over", detail);
}

function isObjectSchema({ properties }: JsonObject) {
  return isObject(properties) && Object.keys(properties).length > 0;
}

/** Returns the schema of a property without the tables that it refers to. */
function toReferringSchema({ raw }: Pick<Property, "raw">): MergedSchema {
  const { title, description } = raw;
  return { schema: { title, description, ...omitRead(raw, HOLDER_MEMBERS) }, isNullable: false };
}

/** Returns the type of a list with the type of its items, such as `string[]`; undefined for other schemas. */
function toListType({ type, items }: JsonObject): string | undefined {
  if (type !== "array" || !isObject(items)) return undefined;
  const { $ref } = items;
  return `${typeof $ref === "string" ? $ref.slice($ref.lastIndexOf("/") + 1) : (toListType(items) ?? toTypeName(items))}[]`;
}

const KEYWORDS = new Set<string>(KEYWORD_NAMES.filter((name) => name !== "unique" && name !== "unit"));
const READ_COLUMN_MEMBERS = new Set([...KEYWORDS, "type", "title", "description"]);

function toSchemaColumn({ schema, badRef }: MergedSchema, type: string | undefined, at: Property): SourceColumn {
  const { name, isPresent, path, diagnostics } = at;
  return {
    ...{ name, path, diagnostics },
    title: readOptionalText(schema, "title"),
    description: readOptionalText(schema, "description"),
    type: type ?? toTypeName(schema),
    optional: !isPresent,
    constraints: pickConstraints(schema),
    rest: { ...omitRead(schema, READ_COLUMN_MEMBERS), ...(badRef !== undefined && { $ref: badRef }) },
  };
}

function toSchemaType({ name }: NamedSchema, schema: JsonObject, diagnostics: Diagnostics): SourcePart {
  return {
    ...{ name, diagnostics, path: [name] },
    title: readOptionalText(schema, "title"),
    description: readOptionalText(schema, "description"),
    rest: { schema: omitRead(schema, new Set(["title", "description"])) },
  };
}

function toTypeName({ type, enum: values }: JsonObject) {
  if (typeof type === "string") return type;
  if (Array.isArray(type) && type.length > 0) return type.map(String).join("|");
  return Array.isArray(values) && values.every((one) => typeof one === "string") ? "string" : "any";
}

/** Returns the constraints of a schema. Boolean exclusive bounds (drafts before 6, OpenAPI 3.0) become numbers. */
function pickConstraints(schema: JsonObject): JsonObject {
  const values = Object.fromEntries(Object.entries(schema).filter(([member]) => KEYWORDS.has(member)));
  for (const [bound, flag] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (typeof values[flag] !== "boolean") continue;
    const { [bound]: value, [flag]: isOpen } = values;
    delete values[flag];
    if (isOpen !== true || value === undefined) continue;
    delete values[bound];
    values[flag] = value;
  }
  return values;
}
