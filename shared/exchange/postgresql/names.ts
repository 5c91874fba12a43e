import type { SqlPlace } from "./enums.ts";
import { createSqlNames, type SqlNames, sqlName } from "./sql-text.ts";

/** A name as PostgreSQL makes it itself unless it is told another one. */
export interface MadeName {
  readonly name: string;
  /** True where PostgreSQL would make another name: the statement has to say it. */
  readonly isSaid: boolean;
}

/** The names of one schema: of tables and enums, and of constraints, which have indexes among the tables. */
export interface SchemaNames {
  /** The place of a table. */
  table(name: string): SqlPlace;
  /** The place of an enum. */
  enum(name: string): SqlPlace;
  /** A name for a constraint, different from all names of the schema. */
  take(name: string): string;
  /** The name of a constraint without one of its own. */
  make(...parts: readonly string[]): MadeName;
}

/** Names that PostgreSQL looks up in its own schema first, where a statement says no other. */
const TABLES = /^pg_/;
const TYPES =
  /^(pg_.*|char|any|bit|bool|box|bpchar|bytea|cid|cidr|circle|date|float[48]|inet|int[248]|interval|json|jsonb|jsonpath|line|lseg|macaddr8?|money|name|numeric|oid|path|point|polygon|record|text|tid|time|timestamp|timestamptz|timetz|tsquery|tsvector|unknown|uuid|varbit|varchar|void|x?id|xml)$/;

/** The names of all schemas, each a scope of its own; names are placed in `schemas` where there are some. */
export function createNames(schemas: ReadonlySet<string> | undefined): (name: string) => SchemaNames {
  const scopes = new Map<string | undefined, SchemaNames>();
  return (name) => {
    const schema = schemas ? name.slice(0, name.indexOf(".")) : undefined;
    const scope = scopes.get(schema) ?? namesOf(schema);
    scopes.set(schema, scope);
    return scope;
  };
}

function namesOf(schema: string | undefined): SchemaNames {
  const names: SqlNames = createSqlNames();
  const placed = (full: string, builtIn: RegExp): SqlPlace => {
    const wanted = schema === undefined ? full : full.slice(schema.length + 1);
    const isBuiltIn = schema === undefined && builtIn.test(wanted);
    const name = names.take(isBuiltIn ? `${wanted}_` : wanted);
    return { schema, name, text: schema === undefined ? sqlName(name) : `${sqlName(schema)}.${sqlName(name)}` };
  };
  return {
    table: (name) => placed(name, TABLES),
    enum: (name) => placed(name, TYPES),
    take: (name) => names.take(name),
    make: (...parts) => {
      const wanted = parts.join("_");
      const name = names.take(wanted);
      return { name, isSaid: name !== wanted };
    },
  };
}
