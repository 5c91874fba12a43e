import type { Cursor, ObjectName } from "./cursor.ts";
import type { DialectFacts } from "./dialects.ts";

/** Tables and types created by the statements so far. */
export class Catalog {
  schema: string | undefined;
  readonly databases = new Set<string>();
  copies = 0;
  visits = 0;
  comment: string | undefined;
  readonly #tables = new Map<string, DraftTable>();
  readonly #lowerTables = new Map<string, DraftTable>();
  readonly #types = new Map<string, DraftType>();

  constructor(facts: DialectFacts) {
    this.schema = facts.schema;
  }

  listTables(): readonly DraftTable[] {
    return [...this.#tables.values()];
  }

  findTable(name: ObjectName): DraftTable | undefined {
    const id = toQualifiedId(this.qualify(name));
    return this.#tables.get(id) ?? this.#lowerTables.get(id.toLowerCase());
  }

  addTable(table: DraftTable): void {
    const id = toQualifiedId(table.name);
    this.#tables.set(id, table);
    this.#lowerTables.set(id.toLowerCase(), table);
  }

  removeTable(table: DraftTable): void {
    const id = toQualifiedId(table.name);
    this.#tables.delete(id);
    this.#lowerTables.delete(id.toLowerCase());
  }

  renameTable(table: DraftTable, name: ObjectName): void {
    for (const { references } of this.#tables.values()) {
      this.visits += 1 + references.length;
      for (const reference of references) if (this.findTable(reference.to) === table) reference.to = name;
    }
    this.removeTable(table);
    table.name = name;
    this.addTable(table);
  }

  listTypes(): readonly DraftType[] {
    return [...this.#types.values()];
  }

  findType(name: ObjectName): DraftType | undefined {
    return this.#types.get(toQualifiedId(this.qualify(name)).toLowerCase());
  }

  addType(type: DraftType): void {
    this.#types.set(toQualifiedId(type.name).toLowerCase(), type);
  }

  qualify({ schema, name }: ObjectName): ObjectName {
    return { schema: schema ?? this.schema, name };
  }
}

export function toQualifiedId({ schema, name }: ObjectName): string {
  return schema === undefined ? name : `${schema}.${name}`;
}

/** A column while statements are applied. */
export interface DraftColumn {
  name: string;
  type: string;
  optional: boolean;
  constraints: Record<string, unknown>;
  rest: Record<string, unknown>;
  comment?: string | undefined;
  parts?: readonly DraftColumn[] | undefined;
  isList?: boolean;
}

export interface DraftKey {
  readonly name?: string | undefined;
  columns: readonly string[];
}

export interface DraftReference {
  readonly name?: string | undefined;
  columns: readonly string[];
  to: ObjectName;
  targets: readonly string[];
  readonly rest: Record<string, unknown>;
}

export interface DraftIndex {
  readonly name?: string | undefined;
  readonly columns: readonly string[];
  readonly unique?: true | undefined;
  readonly where?: string | undefined;
  readonly using?: string | undefined;
  readonly expressions?: true;
}

/** A table or view while statements are applied. */
export interface DraftTable {
  name: ObjectName;
  readonly line: number;
  columns: DraftColumn[];
  primaryKey?: DraftKey | undefined;
  unique: DraftKey[];
  references: DraftReference[];
  indexes: DraftIndex[];
  checks: unknown[];
  comment?: string | undefined;
  rest: Record<string, unknown>;
}

/** A type: an enum, a domain or a composite type. */
export interface DraftType {
  readonly name: ObjectName;
  readonly line: number;
  values?: string[];
  base?: DraftColumn | undefined;
  comment?: string | undefined;
  readonly rest: Record<string, unknown>;
}

export function createDraftTable(name: ObjectName, line: number): DraftTable {
  return { name, line, columns: [], unique: [], references: [], indexes: [], checks: [], rest: {} };
}

export function createDraftColumn(name: string): DraftColumn {
  return { name, type: "any", optional: true, constraints: {}, rest: {} };
}

interface ColumnIndex {
  count: number;
  readonly exact: Map<string, DraftColumn>;
  readonly lowerNames: Map<string, DraftColumn>;
}

/** Column indexes by list, so that lookups do not search lists of many columns. */
const INDEXES = new WeakMap<readonly DraftColumn[], ColumnIndex>();

/** Finds a column by exact name, else in any case. Columns may be appended to the list. */
export function findColumn(columns: readonly DraftColumn[], name: string): DraftColumn | undefined {
  const names = indexColumns(columns);
  return names.exact.get(name) ?? names.lowerNames.get(name.toLowerCase());
}

/** Discards the index after a column was renamed or moved. */
export function forgetNames(columns: readonly DraftColumn[]): void {
  INDEXES.delete(columns);
}

function indexColumns(columns: readonly DraftColumn[]): ColumnIndex {
  const names = INDEXES.get(columns) ?? { count: 0, exact: new Map(), lowerNames: new Map() };
  for (; names.count < columns.length; names.count++) {
    const column = columns[names.count] as DraftColumn;
    const lowerName = column.name.toLowerCase();
    // The first of two equal names counts.
    if (!names.exact.has(column.name)) names.exact.set(column.name, column);
    if (!names.lowerNames.has(lowerName)) names.lowerNames.set(lowerName, column);
  }
  INDEXES.set(columns, names);
  return names;
}

interface Position {
  readonly after: string | undefined;
}

/** Splits a column definition and its position (`FIRST`, `AFTER`). */
export function splitPosition(part: Cursor): { readonly column: Cursor; readonly position: Position | undefined } {
  const tokens = part.readRest();
  const cut = (end?: number): Cursor => part.createInner(tokens.slice(0, end));
  // A column may also be named `first` or `after`.
  if (tokens.length > 3 && tokens.at(-2)?.key === "AFTER") {
    return { column: cut(-2), position: { after: part.createInner(tokens.slice(-1)).peekName() ?? "" } };
  }
  if (tokens.length > 2 && tokens.at(-1)?.key === "FIRST") return { column: cut(-1), position: { after: undefined } };
  return { column: cut(), position: undefined };
}

/** Inserts a column at a position, or else at the end. */
export function insertColumn(columns: DraftColumn[], column: DraftColumn, position: Position | undefined): void {
  const before = position?.after === undefined ? undefined : findColumn(columns, position.after);
  if (!position || (position.after !== undefined && !before)) {
    columns.push(column);
    return;
  }
  columns.splice(before ? columns.indexOf(before) + 1 : 0, 0, column);
  forgetNames(columns);
}
