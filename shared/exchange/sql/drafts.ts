import type { ObjectName } from "./cursor.ts";

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
export interface CheckedColumn {
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
export function draftTable(name: ObjectName, line: number): DraftTable {
  return { name, line, columns: [], unique: [], references: [], indexes: [], checks: [], kept: {} };
}
