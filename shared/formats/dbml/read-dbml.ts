import {
  type Column,
  Compiler,
  type Database,
  DEFAULT_ENTRY,
  type Enum,
  MemoryProjectLayout,
  type RefEndpoint,
  type Table,
} from "@dbml/parse";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { escapePointerToken } from "../../domain/text/characters.ts";
import { clip, type Diagnostics } from "../common/diagnostics.ts";
import type { ReadContext, ReadFormat } from "../common/format.ts";
import { isObject, type JsonObject } from "../common/json-object.ts";
import { parseSqlType } from "../common/sql-type.ts";
import type {
  SourceColumn,
  SourcePart,
  SourceReference,
  SourceTable,
  SourceTables,
} from "../common/tables/source-tables.ts";
import { createDocument } from "../common/tables/tables-document.ts";
import { checkPartialSize } from "./partial-size.ts";

/** Reads a DBML text: tables, references, enums, and groups as tags. Rejects syntax errors with their lines. */
export const readDbml: ReadFormat = (source, context) => {
  const text = String(source);
  if (Buffer.byteLength(text) > LIMITS.dbmlBytes) {
    context.diagnostics.reject("", `has more than ${LIMITS.dbmlBytes} bytes, the maximum for DBML`);
    return createDocument(EMPTY_TABLES, context);
  }
  const database = parseDbml(text, context);
  const tables = database ? new DatabaseConverter(database, context.diagnostics).convert() : EMPTY_TABLES;
  return createDocument(tables, context);
};

const EMPTY_TABLES = { namespace: "dbml", header: {}, rest: {}, tags: [], types: [], tables: [], references: [] };

function parseDbml(text: string, { diagnostics }: ReadContext) {
  try {
    const files = new MemoryProjectLayout();
    files.setSource(DEFAULT_ENTRY, text);
    const compiler = new Compiler(files);
    checkPartialSize(compiler.parseFile(DEFAULT_ENTRY).getValue().ast);
    const report = compiler.interpretFile(DEFAULT_ENTRY);
    for (const { start, diagnostic } of report.getErrors()) {
      const line = text.slice(0, start).split("\n").length;
      diagnostics.reject("", `line ${line}: ${clip(diagnostic, 200)}`);
    }
    return report.getErrors().length > 0 ? undefined : report.getValue();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    diagnostics.reject("", "is nested too deep");
    return undefined;
  }
}

const DEFAULT_SCHEMA = "public";

class DatabaseConverter {
  readonly #database: Readonly<Database>;
  readonly #diagnostics: Diagnostics;
  readonly #schemas: ReadonlySet<string>;
  readonly #enums: ReadonlyMap<string, Enum>;
  /** The values of each enum, which its columns share. */
  readonly #enumValues: ReadonlyMap<Enum, readonly string[]>;
  #enumCharacters = 0;

  constructor(database: Readonly<Database>, diagnostics: Diagnostics) {
    const { tables, enums } = database;
    this.#database = database;
    this.#diagnostics = diagnostics;
    this.#schemas = new Set([...tables, ...enums].map(({ schemaName }) => schemaName ?? DEFAULT_SCHEMA));
    this.#enums = new Map(enums.map((one) => [toTableId(one), one]));
    this.#enumValues = new Map(enums.map((one) => [one, one.values.map(({ name }) => name)]));
  }

  convert(): SourceTables {
    const { project, notes, tableGroups, enums, refs } = this.#database;
    this.#warnIgnored();
    const tables = this.#database.tables.map((table) => this.#toTable(table));
    const byId = new Map(tables.map((table) => [table.id, table]));
    const { name, note, ...others } = project ?? {};
    const groups = tableGroups.filter((one) => one.note ?? one.color);
    return {
      namespace: "dbml",
      header: { name: name ?? undefined, description: isObject(note) ? note.value : undefined },
      rest: {
        ...Object.fromEntries(Object.entries(others).filter(([, value]) => typeof value === "string")),
        notes: notes.map((one) => ({ name: one.name, content: one.content })),
        tableGroups: groups.map((one) => ({ name: one.name, note: one.note?.value, color: one.color })),
      },
      tags: [],
      types: enums.map((one) => this.#toType(one)),
      tables,
      references: refs.map(({ name: refName, endpoints, onDelete, onUpdate, inactive, color }) =>
        toReference(endpoints, refName, { onDelete, onUpdate, inactive, color }, byId, this.#diagnostics),
      ),
    };
  }

  #warnIgnored(): void {
    const { records, diagramViews } = this.#database;
    const warn = (path: string, name: string, detail: string) =>
      this.#diagnostics.warn(`/${path}/${escapePointerToken(name)}`, "not_carried_over", detail);
    for (const { tableName } of records) warn("records", tableName, "the data itself is not imported");
    for (const { name } of diagramViews) warn("views", name, "views of diagrams are not imported");
  }

  #toName({ schemaName, name }: QualifiedName): string {
    return this.#schemas.size > 1 ? `${schemaName ?? DEFAULT_SCHEMA}.${name}` : name;
  }

  #toType(one: Enum): SourcePart {
    const values = one.values.map((value) => ({ name: value.name, ...(value.note && { note: value.note.value }) }));
    const enumDiagnostics = this.#diagnostics.at(`/enums/${escapePointerToken(one.name)}`);
    return { name: this.#toName(one), path: [this.#toName(one)], diagnostics: enumDiagnostics, rest: { values } };
  }

  #toTable(table: Readonly<Table>): SourceTable {
    const name = this.#toName(table);
    const tableDiagnostics = this.#diagnostics.at(`/${escapePointerToken(name)}`);
    const partials = table.partials.flatMap(({ name: partial }) =>
      this.#database.tablePartials.filter((one) => one.name === partial),
    );
    const own = new Set(table.fields.map((field) => field.name));
    const inheritedFields = partials.flatMap(({ fields }) => fields.filter((field) => !own.has(field.name)));
    const fields = [...table.fields, ...inheritedFields];
    const indexes = [...table.indexes, ...partials.flatMap((one) => one.indexes)];
    const keys = indexes.filter(({ columns }) => columns.every(({ type }) => type === "column"));
    const sets = (flag: "pk" | "unique") =>
      keys.filter((one) => one[flag] === true).map(({ columns }) => columns.map(({ value }) => value));
    const keyColumns = fields.filter(({ pk }) => pk === true).map((field) => field.name);
    const primaryKey = keyColumns.length > 0 ? keyColumns : (sets("pk")[0] ?? []);
    return {
      ...{ id: toTableId(table), name, path: [name], diagnostics: tableDiagnostics, primaryKey },
      description: table.note?.value,
      tags: this.#database.tableGroups
        .filter((group) => group.tables.some((one) => toTableId(one) === toTableId(table)))
        .flatMap((group) => group.name ?? []),
      columns: fields.map((field) => this.#toColumn(field, name, primaryKey.includes(field.name), tableDiagnostics)),
      unique: [...fields.filter(({ unique }) => unique === true).map((field) => [field.name]), ...sets("unique")],
      rest: {
        alias: table.alias,
        headerColor: table.headerColor,
        checks: table.checks.map(({ expression, name: check }) => ({ expression, ...(check && { name: check }) })),
        indexes: indexes
          .filter((one) => !keys.includes(one) || (!one.pk && !one.unique))
          .map(({ columns, token: _, note, ...rest }) => ({
            columns: columns.map(({ value, type }) => (type === "column" ? value : { [type]: value })),
            ...rest,
            ...(note && { note: note.value }),
          })),
        partials: partials.map((one) => one.name),
        ...pickMetadata(table.metadata),
      },
    };
  }

  /** Returns the values of an enum for a column. Throws `too_large` when all columns together have too many characters. */
  #takeEnumValues(one: Enum): readonly string[] {
    const values = this.#enumValues.get(one) ?? [];
    this.#enumCharacters += values.reduce((sum, { length }) => sum + length, 0);
    if (this.#enumCharacters <= LIMITS.dbmlEnumCharacters) return values;
    const detail =
      `the enums have more than ${LIMITS.dbmlEnumCharacters} characters (limit dbmlEnumCharacters) when copied into the columns that use them; ` +
      `use them in fewer columns, or split the source`;
    throw new Problem("too_large", detail);
  }

  #toColumn(field: Readonly<Column>, table: string, isKey: boolean, parent: Diagnostics): SourceColumn {
    const { type, dbdefault } = field;
    const values = this.#enums.get(toTableId({ schemaName: type.schemaName, name: type.type_name }));
    const typeName = type.schemaName === null ? type.type_name : `${type.schemaName}.${type.type_name}`;
    const sql = values ? { type: this.#toName(values), constraints: {}, rest: {} } : parseSqlType(typeName);
    const isExpression = dbdefault?.type === "expression";
    const defaultValue = dbdefault?.type === "boolean" ? parseFlag(String(dbdefault.value)) : dbdefault?.value;
    return {
      ...{ name: field.name, path: [table, field.name], diagnostics: parent.at(`/${escapePointerToken(field.name)}`) },
      description: field.note?.value,
      type: sql.type,
      optional: field.not_null !== true && !isKey,
      constraints: {
        ...sql.constraints,
        enum: values && this.#takeEnumValues(values),
        default: isExpression ? undefined : defaultValue,
        ...(field.unique === true && { unique: true }),
      },
      rest: {
        ...sql.rest,
        ...(field.increment === true && { increment: true }),
        ...(isExpression && { default: dbdefault?.value }),
        checks: field.checks.map(({ expression }) => expression),
        ...pickMetadata(field.metadata),
      },
    };
  }
}

function parseFlag(word: string): boolean | null {
  return word.toLowerCase() === "null" ? null : word.toLowerCase() === "true";
}

interface QualifiedName {
  readonly schemaName: string | null;
  readonly name: string;
}

function toTableId({ schemaName, name }: QualifiedName) {
  return `${schemaName ?? DEFAULT_SCHEMA}.${name}`;
}

function pickMetadata(metadata: JsonObject | undefined): JsonObject {
  return metadata && Object.keys(metadata).length > 0 ? { metadata } : {};
}

/** Converts a reference, referring side first: many rows, or columns that are not its primary key. */
function toReference(
  endpoints: readonly [RefEndpoint, RefEndpoint],
  name: string | null | undefined,
  rest: JsonObject,
  tables: ReadonlyMap<string, SourceTable>,
  diagnostics: Diagnostics,
): SourceReference {
  const [a, b] = endpoints;
  const toTable = ({ schemaName, tableName }: RefEndpoint) => tables.get(toTableId({ schemaName, name: tableName }));
  const isMany = ({ relation }: RefEndpoint) => String(relation).includes("*");
  const isKey = (one: RefEndpoint) => String(toTable(one)?.primaryKey) === String(one.fieldNames);
  const isFirst = isMany(a) === isMany(b) ? !isKey(a) && isKey(b) : isMany(a);
  const [from, to] = isFirst ? [a, b] : [b, a];
  const columns = from.fieldNames;
  const source = toTable(from);
  const areRequired = columns.every((column) => source?.columns.find((one) => one.name === column)?.optional === false);
  const manyToMany = isMany(a) && isMany(b) ? (["many", "many"] as const) : undefined;
  const oneToOne = !isMany(a) && !isMany(b) ? (["zeroOrOne", areRequired ? "one" : "zeroOrOne"] as const) : undefined;
  return {
    name: name ?? undefined,
    ...{ from: toTableId({ schemaName: from.schemaName, name: from.tableName }), columns },
    ...{ to: toTableId({ schemaName: to.schemaName, name: to.tableName }), targets: to.fieldNames },
    cardinalities: manyToMany ?? oneToOne,
    path: [source?.name ?? from.tableName, "references", ...columns],
    diagnostics: diagnostics.at(`/${escapePointerToken(source?.name ?? from.tableName)}/references`),
    rest,
  };
}
