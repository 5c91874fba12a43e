import type { ModelDocument } from "../../domain/document/document.ts";
import { PHYSICAL } from "../../domain/normal-form/dialect-rules.ts";
import { findDialects } from "../../domain/types/dialects/dialects.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { findEnumTypes, warnUnusedTypes } from "../common/writing/column-types.ts";
import type { Coverage } from "../common/writing/coverage.ts";
import { createModelTables, type ModelTable, type ModelTables } from "../common/writing/model-tables.ts";
import { warnReadBack } from "../common/writing/read-back.ts";
import { findSchemas, toWrittenName } from "../common/writing/written-names.ts";
import { isColumnProperty } from "./columns.ts";
import type { DdlDialect } from "./dialect.ts";
import { createNames, describeNames, type SqlEnum, type SqlName, toLegalName } from "./names.ts";
import { createForeignKeys, type SqlForeignKey } from "./references.ts";
import { type SqlTable, toSqlTable } from "./tables.ts";
import { createViews, isView, type SqlView } from "./views.ts";

/** A model as objects of a database, in creation order. */
export interface SqlSchema {
  readonly schemas: readonly string[];
  readonly enums: readonly SqlEnum[];
  readonly tables: readonly SqlTable[];
  readonly foreignKeys: readonly SqlForeignKey[];
  readonly views: readonly SqlView[];
}

/** Converts a model to objects of a database. Warns about the rest. */
export function createSqlSchema(document: ModelDocument, diagnostics: Diagnostics, dialect: DdlDialect): SqlSchema {
  const model = toDialectModel(createModelTables(document, diagnostics), dialect);
  warnReadBack(model, { format: dialect.name, namesReferences: true, uniqueSets: true });
  const source = findDialects(document.properties).types ?? "common";
  const isOwn = source === dialect.dialect;
  if (!isOwn && document.properties?.[DIALECT_PROPERTY] !== undefined) {
    diagnostics.warn(`/properties/${DIALECT_PROPERTY}`, "not_written", `the statements are of ${dialect.name}`);
  }
  const allEnums = [...findEnumTypes(model.tables)];
  const values = allEnums.filter(([, list]) => list.every((one) => Buffer.byteLength(one) <= MAX_ENUM_BYTES));
  const types = dialect.enums === "types" ? values : [];
  const typeKeys = new Set(types.map(([key]) => key));
  warnUnusedTypes(document, dialect.name, (key) => typeKeys.has(key), diagnostics);
  warnTypeTexts(document, typeKeys, dialect, diagnostics);
  const typePositions = new Map(document.types.map((type, i) => [type.key, i]));
  const enumTypes = types.map(([key, list]) => {
    const i = typePositions.get(key) ?? -1;
    const type = document.types[i] ?? { key };
    return { key, type, values: list, name: toWrittenName(type), at: diagnostics.at(`/types/${i}`) };
  });
  const tableNames = model.tables.map(({ entity }) => toWrittenName(entity));
  const schemas = dialect.names.hasSchemas
    ? findSchemas([...tableNames, ...enumTypes.map(({ name }) => name)])
    : undefined;
  const namesIn = createNames(dialect.names, schemas);
  const warnRenamed = (name: string, at: Diagnostics, sqlName: SqlName): SqlName => {
    const own = schemas ? name.slice(name.indexOf(".") + 1) : name;
    if (sqlName.name !== own) at.warn("/key", "written_otherwise", describeNames(dialect.name, dialect.names));
    return sqlName;
  };
  const enums = new Map<string, SqlEnum>(
    enumTypes.map(({ key, type, values: list, name, at }) => [
      key,
      { ...warnRenamed(name, at, namesIn(name).nameEnum(name)), type, values: list },
    ]),
  );
  // All tables get their names before constraints.
  const named = model.tables.map((table, i) => {
    const name = tableNames[i] ?? table.key;
    const names = namesIn(name);
    return { table, names, sqlName: warnRenamed(name, table.at, names.nameTable(name)) };
  });
  const terms = { dialect, document, enums, enumValues: new Map(dialect.enums === "types" ? [] : values) };
  const views = createViews(
    named.filter(({ table }) => isView(table)),
    tableNames,
    isOwn,
    terms,
  );
  const keyed = listKeyedColumns(model);
  const tables = new Map(
    named
      .filter(({ table }) => !views.has(table))
      .map(({ table, sqlName, names }) => [
        table,
        toSqlTable({ table, sqlName, names, isOwn, source, keyed: keyed.get(table) ?? new Set() }, terms),
      ]),
  );
  return {
    schemas: [...(schemas ?? [])].map((one) => toLegalName(one, dialect.names)),
    enums: [...enums.values()],
    tables: [...tables.values()].filter(({ columns }) => columns.length > 0 || !dialect.needsColumns),
    foreignKeys: createForeignKeys(model.references, tables, dialect),
    views: [...views.values()],
  };
}

/** Property of a model with the dialect of its source. */
const DIALECT_PROPERTY = "sql:dialect";
/** Most bytes of a value of an enum. */
const MAX_ENUM_BYTES = 63;

/** Removes the unique keys of a model for a dialect without such keys, which the coverage warns of. */
function toDialectModel(model: ModelTables, { keys }: DdlDialect): ModelTables {
  if (keys.hasUnique) return model;
  const tables = new Map(model.tables.map((table) => [table, { ...table, unique: [] }]));
  const find = (table: ModelTable) => tables.get(table) ?? table;
  return {
    ...model,
    tables: [...tables.values()],
    byRef: new Map([...model.byRef].map(([ref, table]) => [ref, find(table)])),
    references: model.references.map((one) => ({ ...one, from: find(one.from), to: find(one.to) })),
  };
}

/** Returns the keys of the columns in keys and foreign keys of each table. */
function listKeyedColumns({ tables, references }: ModelTables): ReadonlyMap<ModelTable, ReadonlySet<string>> {
  const keyed = new Map(
    tables.map((table) => [table, new Set([...table.primaryKey, ...table.unique.flatMap((set) => set.columns)])]),
  );
  for (const { from, to, columns, targets } of references) {
    for (const one of columns) keyed.get(from)?.add(one);
    for (const one of targets) keyed.get(to)?.add(one);
  }
  return keyed;
}

function warnTypeTexts(
  { types }: ModelDocument,
  enums: ReadonlySet<string>,
  { name: database }: DdlDialect,
  diagnostics: Diagnostics,
) {
  for (const [i, { key, name, description }] of types.entries()) {
    if (enums.has(key)) continue;
    const hasTexts = description !== undefined || (name !== undefined && name !== key);
    if (hasTexts) diagnostics.warn(`/types/${i}`, "not_written", `${database} types have no name and description`);
  }
}

/** Properties of entities that the writer uses. */
const TABLE_PROPERTIES = new Set(["sql:indexes", "sql:checks", "sql:kind", "sql:query", PHYSICAL]);
const REFERENCE_PROPERTIES = new Set(["sql:onDelete", "sql:onUpdate", PHYSICAL]);

/** Returns the members that the statements of a dialect express. */
export function createCoverage({ name, keys, references, enums, comments }: DdlDialect): Coverage {
  const hasTypes = enums === "types";
  return {
    format: name,
    model: {
      members: ["name", "description", "version", "entities", "relationships"],
      property: (property) => property === DIALECT_PROPERTY,
    },
    types: {
      members: ["name", "description"],
      hasOneName: true,
      property: (property) => property === "sql:values" || property === PHYSICAL,
    },
    entities: {
      members: ["name", "description", "attributes", "primaryKey"],
      hasOneName: true,
      property: (property) => TABLE_PROPERTIES.has(property),
    },
    attributes: {
      members: ["name", "description", "type", "optional"],
      hasOneName: true,
      constraints: [
        ...["enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
        ...["minLength", "maxLength", "default"],
        ...(keys.hasUnique ? ["unique"] : []),
      ],
      property: isColumnProperty,
    },
    relationships: {
      members: ["name", ...(comments.place === "statements" && hasTypes ? ["description"] : []), "roles", "keyPairs"],
      property: (property) =>
        REFERENCE_PROPERTIES.has(property) || (references.suffix !== "" && property === "sql:enforced"),
    },
    roles: { members: ["entity", "cardinality"] },
    ...(keys.hasUnique && { businessKeys: { members: ["entity", "participants"] } }),
  };
}
