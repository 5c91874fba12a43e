import type { TypeDocument } from "../../domain/document/document.ts";

/** A name that PostgreSQL generates, or an explicit one. */
export interface MadeName {
  readonly name: string;
  readonly isExplicit: boolean;
}

/** Names of one schema. Constraints share the namespace of tables because of their indexes. */
export interface SchemaNames {
  nameTable(name: string): SqlName;
  nameEnum(name: string): SqlName;
  take(name: string): string;
  make(...parts: readonly string[]): MadeName;
}

/** Names that PostgreSQL resolves in its own schema first. */
const BUILT_IN_TABLES = /^pg_/;
const BUILT_IN_TYPES =
  /^(pg_.*|char|any|bit|bool|box|bpchar|bytea|cid|cidr|circle|date|float[48]|inet|int[248]|interval|json|jsonb|jsonpath|line|lseg|macaddr8?|money|name|numeric|oid|path|point|polygon|record|text|tid|time|timestamp|timestamptz|timetz|tsquery|tsvector|unknown|uuid|varbit|varchar|void|x?id|xml)$/;

/** Creates the names of all schemas. Each schema is a separate scope. */
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
  const take = createNameTaker();
  const nameObject = (fullName: string, pattern: RegExp): SqlName => {
    const baseName = schema === undefined ? fullName : fullName.slice(schema.length + 1);
    const isBuiltIn = schema === undefined && pattern.test(baseName);
    const name = take(isBuiltIn ? `${baseName}_` : baseName);
    return { schema, name, text: qualifyName(schema, name) };
  };
  return {
    nameTable: (name) => nameObject(name, BUILT_IN_TABLES),
    nameEnum: (name) => nameObject(name, BUILT_IN_TYPES),
    take,
    make: (...parts) => {
      const baseName = parts.join("_");
      const name = take(baseName);
      return { name, isExplicit: name !== baseName };
    },
  };
}

/** Maximum bytes of a name. PostgreSQL silently truncates longer names. */
const NAME_BYTES = 63;

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function qualifyName(schema: string | undefined, name: string): string {
  return schema === undefined ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`;
}

export function quoteString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Formats text as comment lines. */
export function formatSqlComment(text: string): string {
  return text.replace(/^/gm, "-- ").replaceAll("\r", " ");
}

/** Creates a function that returns a legal name that it did not return before. */
export function createNameTaker(reservedNames: Iterable<string> = []): (name: string) => string {
  const usedNames = new Set(reservedNames);
  return (name) => {
    let result = clipBytes(name, NAME_BYTES);
    for (let n = 2; usedNames.has(result); n++) result = `${clipBytes(name, NAME_BYTES - String(n).length - 1)}_${n}`;
    usedNames.add(result);
    return result;
  };
}

function clipBytes(name: string, bytes: number) {
  let result = "";
  let size = 0;
  for (const letter of name) {
    size += Buffer.byteLength(letter);
    if (size > bytes) break;
    result += letter;
  }
  return result;
}

/** A name in a schema, or in the default schema. */
export interface SqlName {
  readonly schema: string | undefined;
  readonly name: string;
  readonly text: string;
}

/** An enum of the database for a type of the model. */
export interface SqlEnum extends SqlName {
  readonly type: TypeDocument;
  readonly values: readonly string[];
}
