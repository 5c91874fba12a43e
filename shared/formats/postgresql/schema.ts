import type { ModelDocument } from "../../domain/document/document.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { findEnumTypes, warnUnusedTypes } from "../common/writing/column-types.ts";
import type { Coverage } from "../common/writing/coverage.ts";
import { createModelTables, type ModelReference, type ModelTable } from "../common/writing/model-tables.ts";
import { toDerivedKey, warnReadBack } from "../common/writing/read-back.ts";
import { findSchemas, toWrittenName } from "../common/writing/written-names.ts";
import { canJoin, isTypeArgument, type SqlColumn } from "./columns.ts";
import { createNames, type MadeName, type SchemaNames, type SqlEnum } from "./names.ts";
import { MAX_KEY_COLUMNS, type SqlForeignKey, type SqlTable, toSqlTable } from "./tables.ts";

/** A model as PostgreSQL objects, in creation order. */
export interface SqlSchema {
  /** Names of schemas, if there are several. */
  readonly schemas: readonly string[];
  readonly enums: readonly SqlEnum[];
  readonly tables: readonly SqlTable[];
  readonly foreignKeys: readonly SqlForeignKey[];
}

/** Name of the database for messages. */
export const POSTGRESQL = "PostgreSQL";

/** Converts a model to PostgreSQL objects. Warns about everything that PostgreSQL cannot express. */
export function createSqlSchema(document: ModelDocument, diagnostics: Diagnostics): SqlSchema {
  const model = createModelTables(document, diagnostics);
  warnReadBack(model, { format: POSTGRESQL, namesReferences: true, uniqueSets: true });
  const values = [...findEnumTypes(model.tables)].filter(([, list]) =>
    list.every((one) => Buffer.byteLength(one) <= 63),
  );
  const typeKeys = new Set(values.map(([key]) => key));
  warnUnusedTypes(document, POSTGRESQL, (key) => typeKeys.has(key), diagnostics);
  warnTypeTexts(document, typeKeys, diagnostics);
  const typed = values.map(([key, list]) => {
    const i = document.types.findIndex((type) => type.key === key);
    const type = document.types[i] ?? { key };
    return { key, type, values: list, name: toWrittenName(type), at: diagnostics.at(`/types/${i}`) };
  });
  const tableNames = model.tables.map(({ entity }) => toWrittenName(entity));
  const schemas = findSchemas([...tableNames, ...typed.map(({ name }) => name)]);
  const namesIn = createNames(schemas);
  const warnRenamed = <P extends { readonly text: string; readonly name: string }>(
    name: string,
    at: Diagnostics,
    place: P,
  ): P => {
    const own = schemas ? name.slice(name.indexOf(".") + 1) : name;
    if (place.name !== own) {
      at.warn("/key", "written_otherwise", "PostgreSQL names have at most 63 bytes and are unique");
    }
    return place;
  };
  const enums = new Map<string, SqlEnum>(
    typed.map(({ key, type, values: list, name, at }) => [
      key,
      { ...warnRenamed(name, at, namesIn(name).placeEnum(name)), type, values: list },
    ]),
  );
  // All tables get their names before constraints.
  const places = model.tables.map((table, i) => {
    const name = tableNames[i] ?? table.key;
    const names = namesIn(name);
    return { table, names, place: warnRenamed(name, table.at, names.placeTable(name)) };
  });
  const tables = new Map(places.map(({ table, place, names }) => [table, toSqlTable(table, place, names, enums)]));
  return {
    schemas: [...(schemas ?? [])],
    enums: [...enums.values()],
    tables: [...tables.values()],
    foreignKeys: createForeignKeys(model.references, tables),
  };
}

function warnTypeTexts({ types }: ModelDocument, enums: ReadonlySet<string>, diagnostics: Diagnostics): void {
  for (const [i, { key, name, description }] of types.entries()) {
    if (enums.has(key)) continue;
    const says = description !== undefined || (name !== undefined && name !== key);
    if (says) diagnostics.warn(`/types/${i}`, "not_written", "PostgreSQL types have no name and description");
  }
}

/** Creates the foreign keys. Relationships with explicit names get theirs first. */
function createForeignKeys(
  references: readonly ModelReference[],
  tables: ReadonlyMap<ModelTable, SqlTable>,
): readonly SqlForeignKey[] {
  const sides = references.flatMap((reference) => {
    const joined = toJoin(reference, tables);
    if (typeof joined === "string") reference.at.warn("/keyPairs", "not_written", joined);
    return joined && typeof joined !== "string" ? [{ reference, ...joined }] : [];
  });
  const isMade = ({ relationship, ...reference }: ModelReference): boolean =>
    relationship.key === toDerivedKey({ relationship, ...reference });
  const own = new Map<ModelReference, MadeName>(
    sides
      .filter(({ reference }) => !isMade(reference))
      .map(({ reference, from }) => [
        reference,
        { name: from.names.take(reference.relationship.key), isExplicit: true },
      ]),
  );
  return sides.map(({ reference, ...joined }) => {
    const { relationship, at } = reference;
    const { from, columns } = joined;
    const name = own.get(reference) ?? createForeignKeyName(from.names, from.name, columns);
    const { name: title, description } = relationship;
    if (name.isExplicit && name.name !== relationship.key && own.has(reference)) {
      at.warn("/key", "written_otherwise", "PostgreSQL names have at most 63 bytes and are unique");
    }
    if (title !== undefined && title !== relationship.key)
      at.warn("/name", "not_written", "foreign keys have no name in addition to their key");
    return { ...joined, ...name, relationship, description };
  });
}

function createForeignKeyName(names: SchemaNames, table: string, columns: readonly SqlColumn[]): MadeName {
  return names.make(table, ...columns.map((one) => one.name), "fkey");
}

type Join = Pick<SqlForeignKey, "from" | "to" | "columns" | "referred">;

/** Returns both sides of a foreign key, or the reason why PostgreSQL cannot have it. */
function toJoin(
  { from, to, columns, referred }: ModelReference,
  tables: ReadonlyMap<ModelTable, SqlTable>,
): Join | string | undefined {
  const [here, there] = [tables.get(from), tables.get(to)];
  if (!here || !there) return undefined;
  if (columns.length > MAX_KEY_COLUMNS) return `PostgreSQL keys have at most ${MAX_KEY_COLUMNS} columns`;
  if (new Set(columns).size < columns.length) return "foreign keys cannot repeat a column";
  const keys = [...(there.primaryKey ? [there.primaryKey] : []), ...there.unique].map((key) => key.columns);
  const isKey = keys.some((key) => key.length === referred.length && key.every((one) => referred.includes(one.key)));
  if (!isKey) return "foreign keys must refer to a primary or unique key";
  const pick = (table: SqlTable, list: readonly string[]): readonly SqlColumn[] =>
    list.map((key) => table.columns.find((one) => one.key === key)).filter((one) => one !== undefined);
  const [own, other] = [pick(here, columns), pick(there, referred)];
  const isLike =
    own.length === columns.length && own.every((one, i) => other[i] !== undefined && canJoin(one.type, other[i].type));
  return isLike
    ? { from: here, to: there, columns: own, referred: other }
    : "foreign keys must join columns of equal types";
}

/** Members of a model that PostgreSQL can express, or that the writer warns about itself. */
export const POSTGRESQL_COVERAGE: Coverage = {
  format: POSTGRESQL,
  model: { members: ["name", "description", "version", "entities", "relationships"] },
  types: { members: ["name", "description"] },
  entities: { members: ["name", "description", "attributes", "primaryKey"] },
  attributes: {
    members: ["name", "description", "type", "optional"],
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
