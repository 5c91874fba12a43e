import type { ObjectName } from "./cursor.ts";
import type { DialectFacts } from "./dialects.ts";
import type { DraftTable, DraftType } from "./drafts.ts";

/** What the statements of a text made so far. */
export interface Catalog {
  /** The tables and views in the order in which they were made. */
  tables(): readonly DraftTable[];
  types(): readonly DraftType[];
  table(name: ObjectName): DraftTable | undefined;
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
  add(table: DraftTable): void;
  remove(table: DraftTable): void;
  rename(table: DraftTable, name: ObjectName): void;
  addType(type: DraftType): void;
  type(name: ObjectName): DraftType | undefined;
  /** A name with the schema that it has at this place of the text. */
  full(name: ObjectName): ObjectName;
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
    tables: () => [...exact.values()],
    types: () => [...types.values()],
    full: ({ schema, name }) => ({ schema: schema ?? catalog.schema, name }),
    table: (name) => {
      const id = idOf(catalog.full(name));
      return exact.get(id) ?? folded.get(id.toLowerCase());
    },
    add: (table) => {
      const id = idOf(table.name);
      exact.set(id, table);
      folded.set(id.toLowerCase(), table);
    },
    remove: (table) => {
      const id = idOf(table.name);
      exact.delete(id);
      folded.delete(id.toLowerCase());
    },
    rename: (table, name) => {
      catalog.remove(table);
      table.name = name;
      catalog.add(table);
    },
    addType: (type) => void types.set(idOf(type.name).toLowerCase(), type),
    type: (name) => types.get(idOf(catalog.full(name)).toLowerCase()),
  };
  return catalog;
}

/** A name as one text. */
export function idOf({ schema, name }: ObjectName): string {
  return schema === undefined ? name : `${schema}.${name}`;
}
