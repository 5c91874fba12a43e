import type { TypeDocument } from "../../domain/document/document.ts";

/** A name as PostgreSQL makes it itself unless it is told another one. */
export interface MadeName {
  readonly name: string;
  /** True where PostgreSQL would make another name: the statement has to say it. */
  readonly isExplicit: boolean;
}

/** The names of one schema: of tables and enums, and of constraints, which have indexes among the tables. */
export interface SchemaNames {
  /** The place of a table. */
  placeTable(name: string): SqlPlace;
  /** The place of an enum. */
  placeEnum(name: string): SqlPlace;
  /** A name for a constraint, different from all names of the schema. */
  take(name: string): string;
  /** The name of a constraint without one of its own. */
  make(...parts: readonly string[]): MadeName;
}

/** Names that PostgreSQL looks up in its own schema first, where a statement says no other. */
const BUILT_IN_TABLES = /^pg_/;
const BUILT_IN_TYPES =
  /^(pg_.*|char|any|bit|bool|box|bpchar|bytea|cid|cidr|circle|date|float[48]|inet|int[248]|interval|json|jsonb|jsonpath|line|lseg|macaddr8?|money|name|numeric|oid|path|point|polygon|record|text|tid|time|timestamp|timestamptz|timetz|tsquery|tsvector|unknown|uuid|varbit|varchar|void|x?id|xml)$/;

/** The names of all schemas, each a scope of its own; names are placed in `schemas` where there are some. */
export function createNames(schemas: ReadonlySet<string> | undefined): (name: string) => SchemaNames {
  const scopes = new Map<string | undefined, SchemaNames>();
  return (name) => {
    const schema = schemas ? name.slice(0, name.indexOf(".")) : undefined;
    const scope = scopes.get(schema) ?? createSchemaNames(schema);
    scopes.set(schema, scope);
    return scope;
  };
}

function createSchemaNames(schema: string | undefined): SchemaNames {
  const names: SqlNames = createSqlNames();
  const placed = (full: string, builtIn: RegExp): SqlPlace => {
    const wanted = schema === undefined ? full : full.slice(schema.length + 1);
    const isBuiltIn = schema === undefined && builtIn.test(wanted);
    const name = names.take(isBuiltIn ? `${wanted}_` : wanted);
    return { schema, name, text: schema === undefined ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}` };
  };
  return {
    placeTable: (name) => placed(name, BUILT_IN_TABLES),
    placeEnum: (name) => placed(name, BUILT_IN_TYPES),
    take: (name) => names.take(name),
    make: (...parts) => {
      const wanted = parts.join("_");
      const name = names.take(wanted);
      return { name, isExplicit: name !== wanted };
    },
  };
}

/** The most bytes of a name; PostgreSQL cuts longer ones without asking. */
const NAME_BYTES = 63;

/** A name in double quotes. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text in single quotes, in which backslashes are no escapes. */
export function quoteString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Lines of a comment; nothing in them ends it. */
export function formatSqlComment(text: string): string {
  return text.replace(/^/gm, "-- ").replaceAll("\r", " ");
}

/** A scope of names, of which none is longer than PostgreSQL takes and no two are alike. */
interface SqlNames {
  /** The name as it can stand, different from all that were asked for before. */
  take(name: string): string;
}

/** A scope in which some names are taken from the start. */
export function createSqlNames(reserved: Iterable<string> = []): SqlNames {
  const taken = new Set(reserved);
  return {
    take: (name) => {
      let made = clipBytes(name, NAME_BYTES);
      for (let n = 2; taken.has(made); n++) made = `${clipBytes(name, NAME_BYTES - String(n).length - 1)}_${n}`;
      taken.add(made);
      return made;
    },
  };
}

function clipBytes(name: string, bytes: number): string {
  let made = "";
  let size = 0;
  for (const letter of name) {
    size += Buffer.byteLength(letter);
    if (size > bytes) break;
    made += letter;
  }
  return made;
}

/** A name in a schema; without one in the schema that the session has. */
export interface SqlPlace {
  readonly schema: string | undefined;
  readonly name: string;
  /** Both, as statements have them. */
  readonly text: string;
}

/** An enum of the database, made of a type of the model. */
export interface SqlEnum extends SqlPlace {
  readonly type: TypeDocument;
  readonly values: readonly string[];
}
