import type { Cursor, ObjectName } from "./cursor.ts";
import type { DialectFacts } from "./dialects.ts";

/** What the statements of a text made so far. */
export interface Catalog {
  /** The tables and views in the order in which they were made. */
  listTables(): readonly DraftTable[];
  listTypes(): readonly DraftType[];
  findTable(name: ObjectName): DraftTable | undefined;
  /** The schema of names without one, at this place of the text. */
  schema: string | undefined;
  /** The databases that the text makes or uses. */
  readonly databases: Set<string>;
  /** Columns that tables have from other ones. */
  copies: number;
  /** Columns and keys that changes of tables looked through. */
  walked: number;
  /** The comment on the database. */
  comment?: string | undefined;
  addTable(table: DraftTable): void;
  removeTable(table: DraftTable): void;
  renameTable(table: DraftTable, name: ObjectName): void;
  addType(type: DraftType): void;
  findType(name: ObjectName): DraftType | undefined;
  /** A name with the schema that it has at this place of the text. */
  qualify(name: ObjectName): ObjectName;
}

/** An empty catalog. Names are found as they are written, then in any case of letters. */
export function createCatalog(facts: DialectFacts): Catalog {
  const exact = new Map<string, DraftTable>();
  const folded = new Map<string, DraftTable>();
  const types = new Map<string, DraftType>();
  const catalog: Catalog = {
    schema: facts.schema,
    databases: new Set(),
    copies: 0,
    walked: 0,
    listTables: () => [...exact.values()],
    listTypes: () => [...types.values()],
    qualify: ({ schema, name }) => ({ schema: schema ?? catalog.schema, name }),
    findTable: (name) => {
      const id = toQualifiedId(catalog.qualify(name));
      return exact.get(id) ?? folded.get(id.toLowerCase());
    },
    addTable: (table) => {
      const id = toQualifiedId(table.name);
      exact.set(id, table);
      folded.set(id.toLowerCase(), table);
    },
    removeTable: (table) => {
      const id = toQualifiedId(table.name);
      exact.delete(id);
      folded.delete(id.toLowerCase());
    },
    renameTable: (table, name) => {
      catalog.removeTable(table);
      table.name = name;
      catalog.addTable(table);
    },
    addType: (type) => void types.set(toQualifiedId(type.name).toLowerCase(), type),
    findType: (name) => types.get(toQualifiedId(catalog.qualify(name)).toLowerCase()),
  };
  return catalog;
}

/** A name as one text. */
export function toQualifiedId({ schema, name }: ObjectName): string {
  return schema === undefined ? name : `${schema}.${name}`;
}

/** A column while the statements of a text are applied. */
export interface DraftColumn {
  name: string;
  /** The name of its type, as the database reports it. */
  type: string;
  optional: boolean;
  constraints: Record<string, unknown>;
  kept: Record<string, unknown>;
  comment?: string | undefined;
  /** The parts of a column that is a structure, or a list of them. */
  parts?: readonly DraftColumn[] | undefined;
  isList?: boolean;
}

/** A key of a table. */
export interface DraftKey {
  readonly name?: string | undefined;
  columns: readonly string[];
}

/** A foreign key. */
export interface DraftReference {
  readonly name?: string | undefined;
  columns: readonly string[];
  readonly to: ObjectName;
  referred: readonly string[];
  readonly kept: Record<string, unknown>;
}

/** An index, or an expression that holds for each row. */
export interface DraftIndex {
  readonly name?: string | undefined;
  /** Its columns, or the source of each expression that stands for one. */
  readonly columns: readonly string[];
  readonly unique?: true | undefined;
  readonly where?: string | undefined;
  readonly using?: string | undefined;
  /** True where one of its columns is an expression. */
  readonly expressions?: true;
}

/** A column of which a check says keywords of constraints. */
interface CheckedColumn {
  readonly column: DraftColumn;
  readonly keywords: Readonly<Record<string, unknown>>;
}

/** A table or view while the statements of a text are applied. */
export interface DraftTable {
  name: ObjectName;
  readonly line: number;
  columns: DraftColumn[];
  primaryKey?: DraftKey | undefined;
  unique: DraftKey[];
  references: DraftReference[];
  indexes: DraftIndex[];
  checks: unknown[];
  /** Finds what checks say of single columns, once all columns are known. */
  checked?: ((columns: readonly DraftColumn[]) => CheckedColumn | undefined)[];
  comment?: string | undefined;
  kept: Record<string, unknown>;
  /** True for what is there only while somebody is connected, or as a part of another table. */
  isLeftOut?: true;
}

/** A type that a text makes: an enum, a domain or a composite one. */
export interface DraftType {
  readonly name: ObjectName;
  readonly line: number;
  values?: string[];
  /** The column whose facts all columns of a domain have. */
  base?: DraftColumn | undefined;
  comment?: string | undefined;
  readonly kept: Record<string, unknown>;
}

/** A table without columns. */
export function createDraftTable(name: ObjectName, line: number): DraftTable {
  return { name, line, columns: [], unique: [], references: [], indexes: [], checks: [], kept: {} };
}

interface ColumnIndex {
  count: number;
  readonly exact: Map<string, DraftColumn>;
  readonly folded: Map<string, DraftColumn>;
}

/** The names of lists of columns, so that a text that names each of many columns is read in one go. */
const INDEXES = new WeakMap<readonly DraftColumn[], ColumnIndex>();

/** The column of a name, in any case of letters where none has it as it is. Columns may be added to the list at its end. */
export function findColumn(columns: readonly DraftColumn[], name: string): DraftColumn | undefined {
  const names = indexColumns(columns);
  return names.exact.get(name) ?? names.folded.get(name.toLowerCase());
}

/** Forgets the names of columns of which one has another name now. */
export function forgetNames(columns: readonly DraftColumn[]): void {
  INDEXES.delete(columns);
}

function indexColumns(columns: readonly DraftColumn[]): ColumnIndex {
  const names = INDEXES.get(columns) ?? { count: 0, exact: new Map(), folded: new Map() };
  for (; names.count < columns.length; names.count++) {
    const column = columns[names.count] as DraftColumn;
    const lower = column.name.toLowerCase();
    // The first of two columns of one name counts.
    if (!names.exact.has(column.name)) names.exact.set(column.name, column);
    if (!names.folded.has(lower)) names.folded.set(lower, column);
  }
  INDEXES.set(columns, names);
  return names;
}

/** The place that MySQL is told for a column: behind another, or before all. */
interface ColumnPosition {
  readonly after: string | undefined;
}

/** The tokens that say a column, and its place where `FIRST` or `AFTER` name one behind them. */
export function splitPlace(part: Cursor): { readonly column: Cursor; readonly place: ColumnPosition | undefined } {
  const tokens = part.readRest();
  // A column may be named `first` or `after` as well.
  if (tokens.length > 3 && tokens.at(-2)?.key === "AFTER") {
    return {
      column: part.createInner(tokens.slice(0, -2)),
      place: { after: part.createInner(tokens.slice(-1)).readName() ?? "" },
    };
  }
  if (tokens.length > 2 && tokens.at(-1)?.key === "FIRST") {
    return { column: part.createInner(tokens.slice(0, -1)), place: { after: undefined } };
  }
  return { column: part.createInner(tokens), place: undefined };
}

/** Puts a column at a place; at the end where there is none, or none of that name. */
export function insertColumn(columns: DraftColumn[], column: DraftColumn, place: ColumnPosition | undefined): void {
  const before = place?.after === undefined ? undefined : findColumn(columns, place.after);
  if (!place || (place.after !== undefined && !before)) {
    columns.push(column);
    return;
  }
  columns.splice(before ? columns.indexOf(before) + 1 : 0, 0, column);
  forgetNames(columns);
}
