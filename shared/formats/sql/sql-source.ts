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
  type DraftTable,
  type DraftType,
  findColumn,
  toQualifiedId,
} from "./catalog.ts";
import type { ObjectName } from "./cursor.ts";
import type { DialectFacts } from "./dialects.ts";

interface Owner {
  readonly id: string;
  readonly name: string;
  readonly primaryKey: readonly string[];
  readonly children: SourceTable[];
}

/** Converts a catalog to tables, types and references. */
export class CatalogConverter {
  readonly #catalog: Catalog;
  readonly #diagnostics: Diagnostics;
  readonly #drafts: readonly DraftTable[];
  readonly #schemas: ReadonlySet<string | undefined>;
  readonly #types: ReadonlyMap<string, DraftType>;
  readonly #byName: ReadonlyMap<string, readonly DraftTable[]>;
  readonly #nestings: SourceReference[] = [];

  constructor(catalog: Catalog, diagnostics: Diagnostics) {
    this.#catalog = catalog;
    this.#diagnostics = diagnostics;
    this.#drafts = catalog.listTables();
    this.#schemas = new Set(this.#drafts.map(({ name }) => name.schema));
    const types = catalog.listTypes();
    const counts = Map.groupBy(types, ({ name }) => name.name);
    // Types of several schemas with the same name keep their schema.
    this.#types = new Map(
      types.map((type) => [counts.get(type.name.name)?.length === 1 ? type.name.name : toQualifiedId(type.name), type]),
    );
    this.#byName = Map.groupBy(this.#drafts, ({ name }) => name.name.toLowerCase());
  }

  convert({ dialect }: DialectFacts): SourceTables {
    const tables = this.#drafts.flatMap((draft) => this.#convertTable(draft));
    const [schema] = this.#schemas.size === 1 ? this.#schemas : [];
    const [database, ...others] = this.#catalog.databases;
    return {
      namespace: "sql",
      header: { name: others.length === 0 ? database : undefined, description: this.#catalog.comment },
      rest: { dialect, ...(schema !== undefined && schema !== database && { schema }) },
      tags: [],
      types: [...this.#types].map(([name, type]) => this.#convertType(name, type)),
      tables,
      references: [...this.#drafts.flatMap((draft) => this.#convertReferences(draft)), ...this.#nestings],
    };
  }

  #diagnosticsAt(...path: readonly string[]): Diagnostics {
    return this.#diagnostics.at(path.map((name) => `/${escapePointerToken(name)}`).join(""));
  }

  #toTableName(name: ObjectName): string {
    return this.#schemas.size <= 1 ? name.name : toQualifiedId(name);
  }

  #convertType(name: string, type: DraftType): SourcePart {
    const rest = { ...(type.values && { values: type.values }), ...type.rest };
    return { name, description: type.comment, path: [name], diagnostics: this.#diagnosticsAt(name), rest };
  }

  #convertTable(draft: DraftTable): readonly SourceTable[] {
    const name = this.#toTableName(draft.name);
    const unique = draft.unique.map(({ columns }) => resolveColumns(draft, columns));
    for (const key of unique) {
      const column = key.length === 1 ? findColumn(draft.columns, key[0] ?? "") : undefined;
      if (column) column.constraints.unique = true;
    }
    const primaryKey = resolveColumns(draft, draft.primaryKey?.columns ?? []);
    const owner: Owner = { id: toQualifiedId(draft.name), name, primaryKey, children: [] };
    const table: SourceTable = {
      ...{ id: owner.id, name, path: [name], diagnostics: this.#diagnosticsAt(name), primaryKey, unique },
      description: draft.comment,
      columns: draft.columns.flatMap((column) => this.#convertColumn(column, "", [name], owner)),
      rest: {
        ...draft.rest,
        keyNames: collectKeyNames(draft),
        indexes: draft.indexes.map(({ expressions: _, ...index }) => omitUndefined(index)),
        checks: draft.checks,
      },
    };
    return [table, ...owner.children];
  }

  #convertColumn(column: DraftColumn, prefix: string, path: readonly string[], owner: Owner): readonly SourceColumn[] {
    const name = prefix + column.name;
    if (column.parts && column.isList) {
      owner.children.push(...this.#convertList(column, name, [...path, ...name.split(".")], owner));
      return [];
    }
    if (column.parts) {
      const parts = column.parts.map((part) => (column.optional ? { ...part, optional: true } : part));
      return parts.flatMap((part) => this.#convertColumn(part, `${name}.`, path, owner));
    }
    const localType = column.type.slice(column.type.lastIndexOf(".") + 1);
    const ownType = this.#types.get(column.type);
    const type = ownType ?? this.#types.get(localType);
    const base = type?.base;
    const enumValues = type?.values && { enum: type.values };
    return [
      {
        ...{ name, path: [...path, name], diagnostics: this.#diagnosticsAt(...path, name) },
        description: column.comment,
        type: type && !ownType ? localType : column.type,
        optional: column.optional && !owner.primaryKey.includes(name) && base?.optional !== false,
        constraints: { ...base?.constraints, ...enumValues, ...column.constraints },
        rest: column.rest,
      },
    ];
  }

  #convertList(column: DraftColumn, field: string, path: readonly string[], parent: Owner): readonly SourceTable[] {
    const diagnostics = this.#diagnosticsAt(...path);
    const id = `${parent.id}.${field}`;
    const name = `${parent.name}_${field.replaceAll(".", "_")}`;
    const owner: Owner = { id, name, primaryKey: [], children: [] };
    const columns = (column.parts ?? []).flatMap((part) => this.#convertColumn(part, "", path, owner));
    const cardinalities = ["one", "many"] as const;
    this.#nestings.push({ from: parent.id, to: id, columns: [], targets: [], cardinalities, name, path, diagnostics });
    const table = { ...{ id, name, path, diagnostics, columns }, primaryKey: [], unique: [] };
    return [{ ...table, description: column.comment, rest: column.rest }, ...owner.children];
  }

  #convertReferences(draft: DraftTable): readonly SourceReference[] {
    const name = this.#toTableName(draft.name);
    return draft.references.map(({ name: constraint, columns, to, targets, rest }) => {
      const target = this.#findTable(to, draft);
      const ownColumns = resolveColumns(draft, columns);
      return {
        ...{ from: toQualifiedId(draft.name), to: toQualifiedId(target?.name ?? to), columns: ownColumns },
        targets: target ? resolveColumns(target, targets) : targets,
        ...{ path: [name, "references", ...ownColumns], diagnostics: this.#diagnosticsAt(name, "references") },
        rest: { ...(constraint !== undefined && { constraint }), ...rest },
      };
    });
  }

  #findTable(to: ObjectName, from: DraftTable): DraftTable | undefined {
    const schema = to.schema ?? from.name.schema;
    const drafts = this.#byName.get(to.name.toLowerCase()) ?? [];
    const exactMatches = drafts.filter(({ name }) => name.name === to.name);
    const candidates = exactMatches.length > 0 ? exactMatches : drafts;
    const own = candidates.find(({ name }) => name.schema === schema);
    return own ?? (to.schema === undefined && candidates.length === 1 ? candidates[0] : undefined);
  }
}

function resolveColumns({ columns }: DraftTable, names: readonly string[]): readonly string[] {
  return names.map((name) => findColumn(columns, name)?.name ?? name);
}

function collectKeyNames({ primaryKey, unique }: DraftTable): Readonly<Record<string, readonly string[]>> | undefined {
  const namedKeys = [...(primaryKey ? [primaryKey] : []), ...unique].filter(({ name }) => name !== undefined);
  return namedKeys.length > 0 ? Object.fromEntries(namedKeys.map(({ name, columns }) => [name, columns])) : undefined;
}

function omitUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}
