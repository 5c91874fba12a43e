import type { Column, Database, Enum, RefEndpoint, Table } from "@dbml/parse";
import { pointerToken } from "../../domain/well-formed.ts";
import type { Findings } from "../findings.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import type { SourceColumn, SourcePart, SourceReference, SourceTable, SourceTables } from "../tables/source-tables.ts";
import { sqlType } from "../tables/sql-type.ts";

const PUBLIC = "public";

/** The tables, references and enums of a DBML text. */
export function dbmlSource(database: Readonly<Database>, findings: Findings): SourceTables {
  const { project, notes, tableGroups } = database;
  for (const { tableName } of database.records) {
    findings.warn(`/records/${pointerToken(tableName)}`, "not_carried_over", "the data itself is not carried over");
  }
  for (const { name } of database.diagramViews) {
    findings.warn(`/views/${pointerToken(name)}`, "not_carried_over", "a view of a diagram is not carried over");
  }
  const schemas = new Set([...database.tables, ...database.enums].map(({ schemaName }) => schemaName ?? PUBLIC));
  const nameOf = ({ schemaName, name }: Named): string => (schemas.size > 1 ? `${schemaName ?? PUBLIC}.${name}` : name);
  const enums = new Map(database.enums.map((one) => [idOf(one), one]));
  const tables = database.tables.map((table) => tableOf(table));
  const byId = new Map(tables.map((table) => [table.id, table]));
  const { name, note, ...others } = project ?? {};
  const own = Object.entries(others).filter(([, value]) => typeof value === "string");
  const groups = tableGroups
    .filter((one) => one.note ?? one.color)
    .map((one) => ({ name: one.name, note: one.note?.value, color: one.color }));
  return {
    namespace: "dbml",
    header: { name: name ?? undefined, description: isObject(note) ? note.value : undefined },
    kept: {
      ...Object.fromEntries(own),
      notes: notes.map((one) => ({ name: one.name, content: one.content })),
      tableGroups: groups,
    },
    tags: [],
    types: database.enums.map(typeOf),
    tables,
    references: database.refs.map(({ name: called, endpoints, onDelete, onUpdate, inactive, color }) =>
      referenceOf(endpoints, called, { onDelete, onUpdate, inactive, color }, byId, findings),
    ),
  };

  function typeOf(one: Enum): SourcePart {
    const values = one.values.map((value) => ({ name: value.name, ...(value.note && { note: value.note.value }) }));
    const here = findings.at(`/enums/${pointerToken(one.name)}`);
    return { name: nameOf(one), path: [nameOf(one)], findings: here, kept: { values } };
  }

  function tableOf(table: Readonly<Table>): SourceTable {
    const called = nameOf(table);
    const here = findings.at(`/${pointerToken(called)}`);
    const partials = table.partials.flatMap(({ name: partial }) =>
      database.tablePartials.filter((one) => one.name === partial),
    );
    const own = new Set(table.fields.map((field) => field.name));
    const inherited = partials.flatMap(({ fields }) => fields.filter((field) => !own.has(field.name)));
    const fields = [...table.fields, ...inherited];
    const indexes = [...table.indexes, ...partials.flatMap((one) => one.indexes)];
    const keys = indexes.filter(({ columns }) => columns.every(({ type }) => type === "column"));
    const sets = (is: "pk" | "unique") =>
      keys.filter((one) => one[is] === true).map(({ columns }) => columns.map(({ value }) => value));
    const single = fields.filter(({ pk }) => pk === true).map((field) => field.name);
    const primaryKey = single.length > 0 ? single : (sets("pk")[0] ?? []);
    return {
      ...{ id: idOf(table), name: called, path: [called], findings: here, primaryKey },
      description: table.note?.value,
      tags: tableGroups
        .filter((group) => group.tables.some((one) => idOf(one) === idOf(table)))
        .flatMap((group) => group.name ?? []),
      columns: fields.map((field) => columnOf(field, called, primaryKey.includes(field.name), here)),
      unique: [...fields.filter(({ unique }) => unique === true).map((field) => [field.name]), ...sets("unique")],
      kept: {
        alias: table.alias,
        headerColor: table.headerColor,
        checks: table.checks.map(({ expression, name: check }) => ({ expression, ...(check && { name: check }) })),
        indexes: indexes
          .filter((one) => !keys.includes(one) || (!one.pk && !one.unique))
          .map(({ columns, token: _, note: said, ...rest }) => ({
            columns: columns.map(({ value, type }) => (type === "column" ? value : { [type]: value })),
            ...rest,
            ...(said && { note: said.value }),
          })),
        partials: partials.map((one) => one.name),
        ...textsOf(table.metadata),
      },
    };
  }

  function columnOf(field: Readonly<Column>, table: string, isKey: boolean, above: Findings): SourceColumn {
    const { type, dbdefault } = field;
    const values = enums.get(idOf({ schemaName: type.schemaName, name: type.type_name }));
    const sql = values
      ? { type: nameOf(values), constraints: {}, kept: {} }
      : sqlType(qualified(type.schemaName, type.type_name));
    const isExpression = dbdefault?.type === "expression";
    const written = dbdefault?.type === "boolean" ? flagOf(String(dbdefault.value)) : dbdefault?.value;
    return {
      ...{ name: field.name, path: [table, field.name], findings: above.at(`/${pointerToken(field.name)}`) },
      description: field.note?.value,
      type: sql.type,
      optional: field.not_null !== true && !isKey,
      constraints: {
        ...sql.constraints,
        enum: values?.values.map((one) => one.name),
        default: isExpression ? undefined : written,
        ...(field.unique === true && { unique: true }),
      },
      kept: {
        ...sql.kept,
        ...(field.increment === true && { increment: true }),
        ...(isExpression && { default: dbdefault?.value }),
        checks: field.checks.map(({ expression }) => expression),
        ...textsOf(field.metadata),
      },
    };
  }
}

/** A word that the parser takes for a flag: `true`, `false` or `null`. */
function flagOf(word: string): boolean | null {
  return word.toLowerCase() === "null" ? null : word.toLowerCase() === "true";
}

interface Named {
  readonly schemaName: string | null;
  readonly name: string;
}

function idOf({ schemaName, name }: Named): string {
  return `${schemaName ?? PUBLIC}.${name}`;
}

function qualified(schema: string | null, name: string): string {
  return schema === null ? name : `${schema}.${name}`;
}

function textsOf(metadata: JsonObject | undefined): JsonObject {
  return metadata && Object.keys(metadata).length > 0 ? { metadata } : {};
}

/** A reference from the side of many rows, of two equal sides from the one whose columns are not its primary key. */
function referenceOf(
  endpoints: readonly [RefEndpoint, RefEndpoint],
  name: string | null | undefined,
  kept: JsonObject,
  tables: ReadonlyMap<string, SourceTable>,
  findings: Findings,
): SourceReference {
  const [a, b] = endpoints;
  const tableOf = ({ schemaName, tableName }: RefEndpoint) => tables.get(idOf({ schemaName, name: tableName }));
  const isMany = ({ relation }: RefEndpoint): boolean => String(relation).includes("*");
  const isKey = (one: RefEndpoint): boolean => String(tableOf(one)?.primaryKey) === String(one.fieldNames);
  const isFirst = isMany(a) === isMany(b) ? !isKey(a) && isKey(b) : isMany(a);
  const [from, to] = isFirst ? [a, b] : [b, a];
  const columns = from.fieldNames;
  const source = tableOf(from);
  const areThere = columns.every((column) => source?.columns.find((one) => one.name === column)?.optional === false);
  const both = isMany(a) && isMany(b) ? (["many", "many"] as const) : undefined;
  const single = !isMany(a) && !isMany(b) ? (["zeroOrOne", areThere ? "one" : "zeroOrOne"] as const) : undefined;
  return {
    name: name ?? undefined,
    ...{ from: idOf({ schemaName: from.schemaName, name: from.tableName }), columns },
    ...{ to: idOf({ schemaName: to.schemaName, name: to.tableName }), referred: to.fieldNames },
    cardinalities: both ?? single,
    path: [source?.name ?? from.tableName, "references", ...columns],
    findings: findings.at(`/${pointerToken(source?.name ?? from.tableName)}/references`),
    kept,
  };
}
