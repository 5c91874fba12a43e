import type { ModelDocument, RelationshipDocument } from "../../domain/document/document.ts";
import { isSameValue } from "../../domain/text/json-values.ts";
import { removeEqualSets } from "../common/column-sets.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { findEnumTypes, warnUnusedTypes } from "../common/writing/column-types.ts";
import type { Coverage } from "../common/writing/coverage.ts";
import { createModelTables, type ModelReference, type ModelTable } from "../common/writing/model-tables.ts";
import { toDerivedKey, warnReadBack } from "../common/writing/read-back.ts";
import { findSchemas, toWrittenName } from "../common/writing/written-names.ts";
import type { SqlCheck } from "./checks.ts";
import { canJoin, isTypeArgument, type SqlColumn, toSqlColumn } from "./columns.ts";
import { createNames, createNameTaker, type MadeName, type SchemaNames, type SqlEnum, type SqlName } from "./names.ts";
import { isOrdered } from "./type-names.ts";

/** A model as PostgreSQL objects, in creation order. */
export interface SqlSchema {
  readonly schemas: readonly string[];
  readonly enums: readonly SqlEnum[];
  readonly tables: readonly SqlTable[];
  readonly foreignKeys: readonly SqlForeignKey[];
}

export const POSTGRESQL = "PostgreSQL";

/** Converts a model to PostgreSQL objects. Warns about the rest. */
export function createSqlSchema(document: ModelDocument, diagnostics: Diagnostics): SqlSchema {
  const model = createModelTables(document, diagnostics);
  warnReadBack(model, { format: POSTGRESQL, namesReferences: true, uniqueSets: true });
  const values = [...findEnumTypes(model.tables)].filter(([, list]) =>
    list.every((one) => Buffer.byteLength(one) <= 63),
  );
  const typeKeys = new Set(values.map(([key]) => key));
  warnUnusedTypes(document, POSTGRESQL, (key) => typeKeys.has(key), diagnostics);
  warnTypeTexts(document, typeKeys, diagnostics);
  const enumTypes = values.map(([key, list]) => {
    const i = document.types.findIndex((type) => type.key === key);
    const type = document.types[i] ?? { key };
    return { key, type, values: list, name: toWrittenName(type), at: diagnostics.at(`/types/${i}`) };
  });
  const tableNames = model.tables.map(({ entity }) => toWrittenName(entity));
  const schemas = findSchemas([...tableNames, ...enumTypes.map(({ name }) => name)]);
  const namesIn = createNames(schemas);
  const warnRenamed = (name: string, at: Diagnostics, sqlName: SqlName): SqlName => {
    const own = schemas ? name.slice(name.indexOf(".") + 1) : name;
    if (sqlName.name !== own) {
      at.warn("/key", "written_otherwise", "PostgreSQL names have at most 63 bytes and are unique");
    }
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
  const tables = new Map(
    named.map(({ table, sqlName, names }) => [table, toSqlTable(table, sqlName, names, { enums, document })]),
  );
  return {
    schemas: [...(schemas ?? [])],
    enums: [...enums.values()],
    tables: [...tables.values()],
    foreignKeys: createForeignKeys(model.references, tables),
  };
}

function warnTypeTexts({ types }: ModelDocument, enums: ReadonlySet<string>, diagnostics: Diagnostics) {
  for (const [i, { key, name, description }] of types.entries()) {
    if (enums.has(key)) continue;
    const hasTexts = description !== undefined || (name !== undefined && name !== key);
    if (hasTexts) diagnostics.warn(`/types/${i}`, "not_written", "PostgreSQL types have no name and description");
  }
}

function createForeignKeys(
  references: readonly ModelReference[],
  tables: ReadonlyMap<ModelTable, SqlTable>,
): readonly SqlForeignKey[] {
  const sides = references.flatMap((reference) => {
    const join = toJoin(reference, tables);
    if (typeof join === "string") reference.at.warn("", "not_written", join);
    return join && typeof join !== "string" ? [{ reference, ...join }] : [];
  });
  const own = new Map(
    sides
      .filter(({ reference }) => reference.relationship.key !== toDerivedKey(reference))
      .map(({ reference, from }) => [reference, from.names.take(reference.relationship.key)]),
  );
  return sides.map(({ reference, ...join }) => {
    const { relationship, at } = reference;
    const { key, name: title, description } = relationship;
    const { from, columns } = join;
    const name = own.get(reference);
    if (name !== undefined && name !== key) {
      at.warn("/key", "written_otherwise", "PostgreSQL names have at most 63 bytes and are unique");
    }
    if (title !== undefined && title !== key)
      at.warn("/name", "not_written", "foreign keys have no name in addition to their key");
    const naming: MadeName =
      name === undefined
        ? from.names.make(from.name, ...columns.map((one) => one.name), "fkey")
        : { name, isExplicit: true };
    return { ...join, ...naming, relationship, description };
  });
}

type Join = Pick<SqlForeignKey, "from" | "to" | "columns" | "targets">;

function toJoin(
  { from, to, columns, targets }: ModelReference,
  tables: ReadonlyMap<ModelTable, SqlTable>,
): Join | string | undefined {
  const [source, target] = [tables.get(from), tables.get(to)];
  if (!source || !target) return undefined;
  if (columns.length > MAX_KEY_COLUMNS) return `PostgreSQL keys have at most ${MAX_KEY_COLUMNS} columns`;
  if (new Set(columns).size < columns.length) return "foreign keys cannot repeat a column";
  const keys = [...(target.primaryKey ? [target.primaryKey] : []), ...target.unique].map((key) => key.columns);
  const isKey = keys.some((key) => key.length === targets.length && key.every((one) => targets.includes(one.key)));
  if (!isKey) return "foreign keys must refer to a primary or unique key";
  const pick = (table: SqlTable, list: readonly string[]) =>
    list.map((key) => table.columns.find((one) => one.key === key)).filter((one) => one !== undefined);
  const [own, other] = [pick(source, columns), pick(target, targets)];
  const isLike = own.length === columns.length && own.every((one, i) => other[i] && canJoin(one.type, other[i].type));
  if (!isLike) return "foreign keys must join columns of equal types";
  return { from: source, to: target, columns: own, targets: other };
}

export const POSTGRESQL_COVERAGE: Coverage = {
  format: POSTGRESQL,
  model: { members: ["name", "description", "version", "entities", "relationships"] },
  types: { members: ["name", "description"], hasOneName: true },
  entities: { members: ["name", "description", "attributes", "primaryKey"], hasOneName: true },
  attributes: {
    members: ["name", "description", "type", "optional"],
    hasOneName: true,
    constraints: [
      ...["enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
      ...["minLength", "maxLength", "default", "unique"],
    ],
    property: isTypeArgument,
  },
  relationships: { members: ["name", "description", "roles", "keyPairs"] },
  roles: { members: ["entity", "cardinality"] },
  businessKeys: { members: ["entity", "participants"] },
};

/** A table of PostgreSQL for an entity. */
export interface SqlTable extends SqlName {
  readonly entity: ModelTable["entity"];
  readonly columns: readonly SqlColumn[];
  readonly checks: ReadonlyMap<SqlColumn, readonly NamedCheck[]>;
  readonly primaryKey: SqlKey | undefined;
  readonly unique: readonly SqlKey[];
  readonly names: SchemaNames;
}

export interface NamedCheck extends SqlCheck, MadeName {}

export interface SqlKey extends MadeName {
  readonly columns: readonly SqlColumn[];
}

export interface SqlForeignKey extends MadeName {
  readonly relationship: RelationshipDocument;
  readonly from: SqlTable;
  readonly to: SqlTable;
  readonly columns: readonly SqlColumn[];
  readonly targets: readonly SqlColumn[];
  readonly description: string | undefined;
}

const SYSTEM_COLUMNS = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid", "oid"];

const MAX_KEY_COLUMNS = 32;

const MAX_TABLE_COLUMNS = 1_600;

function toSqlTable(
  table: ModelTable,
  sqlName: SqlName,
  names: SchemaNames,
  { enums, document }: { readonly enums: ReadonlyMap<string, SqlEnum>; readonly document: ModelDocument },
): SqlTable {
  const { entity, primaryKey, unique, at } = table;
  const takeName = createNameTaker(SYSTEM_COLUMNS);
  const columns = table.columns.slice(0, MAX_TABLE_COLUMNS).map((one) => {
    const baseName = toWrittenName(one.attribute);
    const name = takeName(baseName);
    if (name !== baseName) {
      one.at.warn("/key", "written_otherwise", "PostgreSQL names have at most 63 bytes and are not reserved");
    }
    return toSqlColumn(one, name, enums.get(one.type), document);
  });
  for (const { at: recorder } of table.columns.slice(MAX_TABLE_COLUMNS)) {
    recorder.warn("", "not_written", `a table has at most ${MAX_TABLE_COLUMNS} columns`);
  }
  const byKey = new Map(columns.map((one) => [one.key, one]));
  const findKeyColumns = (keys: readonly string[], refuse: () => void) => {
    const parts = keys.map((key) => byKey.get(key)).filter((one) => one !== undefined);
    const isKey =
      parts.length === keys.length && keys.length <= MAX_KEY_COLUMNS && parts.every((one) => isOrdered(one.type));
    if (keys.length > 0 && !isKey) refuse();
    return keys.length > 0 && isKey ? parts : undefined;
  };
  const detail = `a key has at most ${MAX_KEY_COLUMNS} columns of sortable types`;
  const keyColumns = findKeyColumns(primaryKey, () => at.warn("/primaryKey", "not_written", detail));
  const firstSets = new Set(removeEqualSets(unique.map((set) => set.columns)));
  const sets = unique.filter((set) => {
    const isPrimary = isSameValue(set.columns, primaryKey);
    if (isPrimary && primaryKey.length > 0) {
      set.at.warn("", "not_written", "PostgreSQL merges a unique key with the primary key of the same columns");
    }
    return firstSets.has(set.columns) && !isPrimary;
  });
  const createKey = (keys: readonly SqlColumn[], end: string): SqlKey => ({
    columns: keys,
    ...names.make(sqlName.name, ...(end === "pkey" ? [] : keys.map((one) => one.name)), end),
  });
  return {
    ...sqlName,
    ...{ entity, columns, names },
    primaryKey: keyColumns && createKey(keyColumns, "pkey"),
    unique: sets.flatMap((set) => {
      const keys = findKeyColumns(set.columns, () => set.at.warn("", "not_written", detail));
      return keys ? [createKey(keys, "key")] : [];
    }),
    checks: new Map(
      columns.map((one) => [
        one,
        one.checks.map((check) => ({ ...check, ...names.make(sqlName.name, one.name, "check") })),
      ]),
    ),
  };
}
