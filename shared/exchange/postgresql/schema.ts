import type { ModelDocument } from "../../domain/document.ts";
import type { Findings } from "../findings.ts";
import { enumTypes, warnUnusedTypes } from "../writing/enum-types.ts";
import { type ModelReference, type ModelTable, tablesOfModel } from "../writing/model-tables.ts";
import { madeKey, warnReadBack } from "../writing/read-back.ts";
import { schemasOf } from "../writing/schemas.ts";
import { writtenName } from "../writing/written-name.ts";
import { isJoined, type SqlColumn } from "./columns.ts";
import type { SqlEnum } from "./enums.ts";
import { createNames, type MadeName, type SchemaNames } from "./names.ts";
import { KEY_COLUMNS, type SqlForeignKey, type SqlTable, tableOf } from "./tables.ts";

/** What PostgreSQL has of a model, in the order in which statements make it. */
export interface SqlSchema {
  /** The names of schemas, where there are several. */
  readonly schemas: readonly string[];
  readonly enums: readonly SqlEnum[];
  readonly tables: readonly SqlTable[];
  readonly foreignKeys: readonly SqlForeignKey[];
}

/** The database as sentences name it. */
export const FORMAT = "PostgreSQL";

/** A model as PostgreSQL has it; what it has no place for is a warning. */
export function schemaOf(document: ModelDocument, findings: Findings): SqlSchema {
  const model = tablesOfModel(document, findings);
  warnReadBack(model, { format: FORMAT, namesReferences: true, uniqueSets: true });
  const values = [...enumTypes(model.tables)].filter(([, list]) => list.every((one) => Buffer.byteLength(one) <= 63));
  const typeKeys = new Set(values.map(([key]) => key));
  warnUnusedTypes(document, FORMAT, (key) => typeKeys.has(key), findings);
  warnTexts(document, typeKeys, findings);
  const typed = values.map(([key, list]) => {
    const i = document.types.findIndex((type) => type.key === key);
    const type = document.types[i] ?? { key };
    return { key, type, values: list, name: writtenName(type), at: findings.at(`/types/${i}`) };
  });
  const tableNames = model.tables.map(({ entity }) => writtenName(entity));
  const schemas = schemasOf([...tableNames, ...typed.map(({ name }) => name)]);
  const namesIn = createNames(schemas);
  const placed = <P extends { readonly text: string; readonly name: string }>(
    name: string,
    at: Findings,
    place: P,
  ): P => {
    const own = schemas ? name.slice(name.indexOf(".") + 1) : name;
    if (place.name !== own) {
      at.warn("/key", "written_otherwise", "a name of PostgreSQL has at most 63 bytes, and no type has it too");
    }
    return place;
  };
  const enums = new Map<string, SqlEnum>(
    typed.map(({ key, type, values: list, name, at }) => [
      key,
      { ...placed(name, at, namesIn(name).enum(name)), type, values: list },
    ]),
  );
  // Constraints get no name of a table that comes later.
  const places = model.tables.map((table, i) => {
    const name = tableNames[i] ?? table.key;
    const names = namesIn(name);
    return { table, names, place: placed(name, table.at, names.table(name)) };
  });
  const tables = new Map(places.map(({ table, place, names }) => [table, tableOf(table, place, names, enums)]));
  return {
    schemas: [...(schemas ?? [])],
    enums: [...enums.values()],
    tables: [...tables.values()],
    foreignKeys: foreignKeysOf(model.references, tables),
  };
}

function warnTexts({ types }: ModelDocument, enums: ReadonlySet<string>, findings: Findings): void {
  for (const [i, { key, name, description }] of types.entries()) {
    if (enums.has(key)) continue;
    const says = description !== undefined || (name !== undefined && name !== key);
    if (says) findings.warn(`/types/${i}`, "not_written", "the types of PostgreSQL have no texts of their own");
  }
}

/** The foreign keys of relationships; those with names of their own take them first. */
function foreignKeysOf(
  references: readonly ModelReference[],
  tables: ReadonlyMap<ModelTable, SqlTable>,
): readonly SqlForeignKey[] {
  const sides = references.flatMap((reference) => {
    const joined = joinOf(reference, tables);
    if (typeof joined === "string") reference.at.warn("/keyPairs", "not_written", joined);
    return joined && typeof joined !== "string" ? [{ reference, ...joined }] : [];
  });
  const isMade = ({ relationship, ...reference }: ModelReference): boolean =>
    relationship.key === madeKey({ relationship, ...reference });
  const own = new Map<ModelReference, MadeName>(
    sides
      .filter(({ reference }) => !isMade(reference))
      .map(({ reference, from }) => [reference, { name: from.names.take(reference.relationship.key), isSaid: true }]),
  );
  return sides.map(({ reference, ...joined }) => {
    const { relationship, at } = reference;
    const { from, columns } = joined;
    const name = own.get(reference) ?? madeName(from.names, from.name, columns);
    const { name: title, description } = relationship;
    if (name.isSaid && name.name !== relationship.key && own.has(reference)) {
      at.warn("/key", "written_otherwise", "a name of PostgreSQL has at most 63 bytes, and no two constraints have it");
    }
    if (title !== undefined && title !== relationship.key)
      at.warn("/name", "not_written", "a foreign key has no title");
    return { ...joined, ...name, relationship, description };
  });
}

function madeName(names: SchemaNames, table: string, columns: readonly SqlColumn[]): MadeName {
  return names.make(table, ...columns.map((one) => one.name), "fkey");
}

type Join = Pick<SqlForeignKey, "from" | "to" | "columns" | "referred">;

/** The two sides of a foreign key; a sentence where PostgreSQL has none such. */
function joinOf(
  { from, to, columns, referred }: ModelReference,
  tables: ReadonlyMap<ModelTable, SqlTable>,
): Join | string | undefined {
  const [here, there] = [tables.get(from), tables.get(to)];
  if (!here || !there) return undefined;
  if (columns.length > KEY_COLUMNS) return `a key of PostgreSQL has at most ${KEY_COLUMNS} columns`;
  if (new Set(columns).size < columns.length) return "a foreign key has each column once";
  const keys = [...(there.primaryKey ? [there.primaryKey] : []), ...there.unique].map((key) => key.columns);
  const isKey = keys.some((key) => key.length === referred.length && key.every((one) => referred.includes(one.key)));
  if (!isKey) return "a foreign key refers to the columns of a primary or unique key";
  const pick = (table: SqlTable, list: readonly string[]): readonly SqlColumn[] =>
    list.map((key) => table.columns.find((one) => one.key === key)).filter((one) => one !== undefined);
  const [own, other] = [pick(here, columns), pick(there, referred)];
  const isLike =
    own.length === columns.length && own.every((one, i) => other[i] !== undefined && isJoined(one.type, other[i].type));
  return isLike
    ? { from: here, to: there, columns: own, referred: other }
    : "a foreign key joins columns of like types";
}
