import { escapePointerToken } from "../../domain/text/characters.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import type {
  SourceColumn,
  SourcePart,
  SourceReference,
  SourceTable,
  SourceTables,
} from "../common/tables/source-tables.ts";
import {
  type Catalog,
  type DraftColumn,
  type DraftKey,
  type DraftTable,
  type DraftType,
  findColumn,
  toQualifiedId,
} from "./catalog.ts";
import type { ObjectName } from "./cursor.ts";
import type { DialectFacts } from "./dialects.ts";

/** Converts a catalog to tables, types and references. */
export function createSourceTables(catalog: Catalog, facts: DialectFacts, diagnostics: Diagnostics): SourceTables {
  const drafts = catalog.listTables();
  const schemas = new Set(drafts.map(({ name }) => name.schema));
  const isOne = schemas.size <= 1;
  const nameOf = ({ schema, name }: ObjectName): string => (isOne ? name : toQualifiedId({ schema, name }));
  const types = indexTypes(catalog.listTypes());
  const byName = Map.groupBy(drafts, ({ name }) => name.name.toLowerCase());
  const tables: SourceTable[] = [];
  const ownerNames = new Map<string, string>();
  const held: SourceReference[] = [];
  for (const draft of drafts) tableOf(draft);
  const [schema] = schemas;
  const [database, ...others] = catalog.databases;
  return {
    namespace: "sql",
    header: { name: others.length === 0 ? database : undefined, description: catalog.comment },
    kept: { dialect: facts.dialect, ...(isOne && schema !== undefined && schema !== database && { schema }) },
    tags: [],
    types: [...types].map(([name, type]) => typeOf(name, type)),
    tables,
    references: [...drafts.flatMap(referencesOf), ...held],
  };

  function here(...path: readonly string[]): Diagnostics {
    return diagnostics.at(path.map((name) => `/${escapePointerToken(name)}`).join(""));
  }

  function typeOf(name: string, type: DraftType): SourcePart {
    const kept = { ...(type.values && { values: type.values }), ...type.kept };
    return { name, description: type.comment, path: [name], diagnostics: here(name), kept };
  }

  function tableOf(draft: DraftTable): void {
    const name = nameOf(draft.name);
    for (const find of draft.checked ?? []) {
      const found = find(draft.columns);
      if (found) found.column.constraints = { ...found.keywords, ...found.column.constraints };
    }
    const keys = draft.unique.map(({ columns }) => resolveColumns(draft, columns));
    for (const key of keys) {
      const single = key.length === 1 ? findColumn(draft.columns, key[0] ?? "") : undefined;
      if (single) single.constraints.unique = true;
    }
    const primaryKey = resolveColumns(draft, draft.primaryKey?.columns ?? []);
    const table = {
      ...{ id: toQualifiedId(draft.name), name, path: [name], diagnostics: here(name), primaryKey },
      description: draft.comment,
      unique: keys,
      kept: {
        ...draft.kept,
        keyNames: collectKeyNames(draft),
        indexes: draft.indexes.map(({ expressions: _, ...index }) => omitUndefined(index)),
        checks: draft.checks,
      },
    };
    const place = tables.length;
    ownerNames.set(table.id, table.name);
    tables.push({ ...table, columns: [] });
    const columns = draft.columns.flatMap((column) => columnsOf(column, "", [name], table.id, primaryKey));
    tables[place] = { ...table, columns };
  }

  /** Returns the attributes of a column, or of the fields of a structure. A list of structures becomes a table. */
  function columnsOf(
    column: DraftColumn,
    prefix: string,
    path: readonly string[],
    owner: string,
    keys: readonly string[],
  ): readonly SourceColumn[] {
    const name = prefix + column.name;
    const steps = [...path, ...name.split(".")];
    if (column.parts && column.isList) {
      heldTable(column, name, steps, owner);
      return [];
    }
    if (column.parts) {
      const parts = column.parts.map((part) => (column.optional ? { ...part, optional: true } : part));
      return parts.flatMap((part) => columnsOf(part, `${name}.`, path, owner, keys));
    }
    const type = types.get(column.type) ?? types.get(column.type.slice(column.type.lastIndexOf(".") + 1));
    const base = type?.base;
    const enumValues = type?.values && { enum: type.values };
    return [
      {
        ...{ name, path: [...path, name], diagnostics: here(...path, name) },
        description: column.comment,
        type: type ? (column.type.split(".").at(-1) ?? column.type) : column.type,
        optional: column.optional && !keys.includes(name) && base?.optional !== false,
        constraints: { ...base?.constraints, ...enumValues, ...column.constraints },
        kept: column.kept,
      },
    ];
  }

  function heldTable(column: DraftColumn, name: string, path: readonly string[], owner: string): void {
    const id = `${owner}.${name}`;
    const table = ownerNames.get(owner) ?? owner;
    const called = `${table}_${name.replaceAll(".", "_")}`;
    const nestedDiagnostics = here(...path);
    const place = tables.length;
    const made = { ...{ id, name: called, path, diagnostics: nestedDiagnostics }, primaryKey: [], unique: [] };
    ownerNames.set(id, called);
    tables.push({ ...made, columns: [] });
    const columns = (column.parts ?? []).flatMap((part) => columnsOf(part, "", path, id, []));
    tables[place] = { ...made, description: column.comment, kept: column.kept, columns };
    const cardinalities = ["one", "many"] as const;
    held.push({
      from: owner,
      to: id,
      columns: [],
      referred: [],
      cardinalities,
      name: called,
      path,
      diagnostics: nestedDiagnostics,
    });
  }

  function referencesOf(draft: DraftTable): readonly SourceReference[] {
    const name = nameOf(draft.name);
    return draft.references.map(({ name: constraint, columns, to, referred, kept }) => {
      const target = found(to, draft);
      const from = resolveColumns(draft, columns);
      return {
        ...{
          from: toQualifiedId(draft.name),
          to: target ? toQualifiedId(target.name) : toQualifiedId(to),
          columns: from,
        },
        referred: target ? resolveColumns(target, referred) : referred,
        ...{ path: [name, "references", ...from], diagnostics: here(name, "references") },
        kept: { ...(constraint !== undefined && { constraint }), ...kept },
      };
    });
  }

  /** Finds a table: in its schema, in the schema of the referring table, or the only one of that name. */
  function found(to: ObjectName, from: DraftTable): DraftTable | undefined {
    const schema = to.schema ?? from.name.schema;
    const named = byName.get(to.name.toLowerCase());
    const all = named?.some(({ name }) => name.name === to.name)
      ? named.filter(({ name }) => name.name === to.name)
      : named;
    return (
      all?.find(({ name }) => name.schema === schema) ??
      (to.schema === undefined && all?.length === 1 ? all[0] : undefined)
    );
  }
}

function indexTypes(types: readonly DraftType[]): ReadonlyMap<string, DraftType> {
  return new Map(types.map((type) => [type.name.name, type]));
}

function resolveColumns({ columns }: DraftTable, names: readonly string[]): readonly string[] {
  return names.map((name) => findColumn(columns, name)?.name ?? name);
}

function collectKeyNames({ primaryKey, unique }: DraftTable): Readonly<Record<string, readonly string[]>> | undefined {
  const named = [...(primaryKey ? [primaryKey] : []), ...unique].filter((key: DraftKey) => key.name !== undefined);
  return named.length > 0 ? Object.fromEntries(named.map(({ name, columns }) => [name, columns])) : undefined;
}

function omitUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}
