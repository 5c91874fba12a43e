import { type ParsedSqlType, parseSqlType } from "../common/sql-type.ts";
import { WORDS } from "./clause-words.ts";
import { type Cursor, splitList } from "./cursor.ts";
import { type DialectFacts, toCase } from "./dialects.ts";
import type { Token } from "./scanner.ts";

/** Type of a column with the facts it implies. */
export interface ColumnType extends ParsedSqlType {
  readonly values?: readonly string[];
  readonly fields?: readonly Token[];
  readonly isList?: true;
}

const POSTGRES_SYNONYMS: Readonly<Record<string, string>> = {
  int: "integer",
  int4: "integer",
  int2: "smallint",
  int8: "bigint",
  bool: "boolean",
  decimal: "numeric",
  dec: "numeric",
  float4: "real",
  float8: "double precision",
  float: "double precision",
  "character varying": "varchar",
  character: "char",
  "bit varying": "varbit",
  "timestamp without time zone": "timestamp",
  "timestamp with time zone": "timestamptz",
  "time without time zone": "time",
  "time with time zone": "timetz",
};

const SYNONYMS: Readonly<Partial<Record<DialectFacts["dialect"], Readonly<Record<string, string>>>>> = {
  postgresql: POSTGRES_SYNONYMS,
  redshift: POSTGRES_SYNONYMS,
  mysql: {
    integer: "int",
    dec: "decimal",
    fixed: "decimal",
    numeric: "decimal",
    bool: "tinyint",
    boolean: "tinyint",
    real: "double",
    "double precision": "double",
    nvarchar: "varchar",
    "national varchar": "varchar",
    "character varying": "varchar",
    character: "char",
    nchar: "char",
    "national char": "char",
    int4: "int",
    int8: "bigint",
  },
  tsql: {
    integer: "int",
    dec: "decimal",
    "character varying": "varchar",
    character: "char",
    "national character varying": "nvarchar",
    "national character": "nchar",
    "double precision": "float",
    rowversion: "timestamp",
  },
};

export const SERIALS: Readonly<Record<string, string>> = {
  serial: "integer",
  serial4: "integer",
  bigserial: "bigint",
  serial8: "bigint",
  smallserial: "smallint",
  serial2: "smallint",
};

/** Reads the type of a column, up to an `isOption`. In SQLite a type is any sequence of words, or absent. */
export function readType(cursor: Cursor, isOption: (cursor: Cursor) => boolean): ColumnType {
  const { facts } = cursor;
  const words: string[] = [];
  let group: readonly Token[] | undefined;
  let fields: readonly Token[] | undefined;
  let seconds: readonly Token[] | undefined;
  let suffix = "";
  let isAlone = true;
  while (!cursor.isAtEnd() && (words.length === 0 || !isOption(cursor))) {
    const token = cursor.peek();
    const key = cursor.peekKey();
    if (words.length === 0) {
      if (facts.dialect === "sqlite" && isOption(cursor)) break;
      const name = token?.kind === "word" || token?.kind === "name" ? cursor.readObjectName() : undefined;
      if (name === undefined) break;
      const isOwn = name.schema === undefined || name.schema === "pg_catalog" || name.schema === "sys";
      const isQuoted = token?.kind === "name" && facts.dialect !== "tsql" && facts.dialect !== "sqlite";
      // PostgreSQL has a quoted type of this name besides the unquoted one.
      const isByte = isQuoted && isOwn && facts.schema === "public" && name.name === "char";
      words.push(isByte ? '"char"' : isOwn ? name.name : `${name.schema}.${name.name}`);
      isAlone = isOwn && !isQuoted;
    } else if (key === "(" && group === undefined) group = cursor.readGroup() ?? [];
    else if (key === "(" && /^second$/i.test(words.at(-1) ?? "")) seconds = cursor.readGroup();
    else if (key === "<") fields = readAngleGroup(cursor);
    else if (key === "[" || key === "{") {
      cursor.readGroup();
      suffix += "[]";
    } else if (key === "%") {
      // The type of another column, in Oracle and PostgreSQL.
      cursor.next();
      words.push(`%${cursor.next()?.value ?? ""}`);
    } else if (!continuesType(cursor, words.at(-1) ?? "")) break;
    else words.push(cursor.next()?.value ?? "");
  }
  if (words.length === 0) return { type: "any", constraints: {}, rest: {} };
  const type = toColumnType({ words: words.join(" "), suffix, isAlone }, group, fields, cursor);
  return seconds ? { ...type, rest: { ...type.rest, seconds: cursor.getSource(seconds) } } : type;
}

function continuesType(cursor: Cursor, last: string) {
  const token = cursor.peek();
  if (token?.kind !== "word") return false;
  if (cursor.facts.dialect === "sqlite") return true;
  const { key } = token;
  if (WORDS.typeSuffixes.has(key)) return true;
  const lastWord = last.toUpperCase();
  if (key === "WITH" || key === "WITHOUT") return /^(LOCAL|TIME)$/.test(cursor.peekKey(1)) && /^TIME/.test(lastWord);
  if (key === "LOCAL" || key === "TIME" || key === "ZONE") return /^(WITH|WITHOUT|LOCAL|TIME)$/.test(lastWord);
  return WORDS.typeContinuations.has(key) && WORDS.typeLeads.has(lastWord);
}

function readAngleGroup(cursor: Cursor): readonly Token[] {
  const innerTokens: Token[] = [];
  let depth = 0;
  while (!cursor.isAtEnd()) {
    const token = cursor.next() as Token;
    if (token.key === "<" && depth++ === 0) continue;
    if (token.key === ">" && --depth === 0) break;
    innerTokens.push(token);
  }
  return innerTokens;
}

interface TypeName {
  readonly words: string;
  readonly suffix: string;
  /** False for a qualified or quoted name, which is kept unchanged. */
  readonly isAlone: boolean;
}

function toColumnType(
  name: TypeName,
  group: readonly Token[] | undefined,
  fields: readonly Token[] | undefined,
  cursor: Cursor,
): ColumnType {
  const { facts } = cursor;
  const typeName = name.isAlone ? toCase(name.words, facts.types) : name.words;
  const synonym = name.isAlone ? SYNONYMS[facts.dialect]?.[typeName.toLowerCase()] : undefined;
  // PostgreSQL's internal name of `char`. Without length it has no limit.
  const baseName = synonym ?? (facts.dollars && group && typeName === "bpchar" ? "char" : typeName);
  const isList = facts.dollars && / array$/i.test(baseName);
  const type = (isList ? baseName.slice(0, -" array".length) : baseName) + (isList ? "[]" : "") + name.suffix;
  if (fields) return toStructureType(type, fields, cursor);
  if (group === undefined) return { type, constraints: {}, rest: keepSynonymFacts(typeName, baseName) };
  if (/^(enum|set)$/i.test(type)) {
    const values = splitList(group).flatMap(([token]) => (token?.kind === "text" ? [token.value] : []));
    return { type, constraints: {}, ...(/^enum$/i.test(type) ? { values, rest: {} } : { rest: { values } }) };
  }
  const argumentText = cursor.getSource(group);
  const unit = /^\s*(\d+)\s+(byte|char|characters|octets)\s*$/i.exec(argumentText);
  if (unit) return { type, constraints: { maxLength: Number(unit[1]) }, rest: { lengthUnit: unit[2]?.toLowerCase() } };
  const parsedType = parseSqlType(`${baseName.replace(/ (unsigned|signed|zerofill)/gi, "")}(${argumentText})`);
  const isRead = Object.keys(parsedType.constraints).length > 0 || Object.keys(parsedType.rest).length > 0;
  const rest = isRead || argumentText === "" ? parsedType.rest : { arguments: argumentText };
  return { constraints: parsedType.constraints, type, rest: { ...rest, ...keepSynonymFacts(typeName, baseName) } };
}

/** Returns what MySQL's other names of a type say: a truth value, or a character set. */
function keepSynonymFacts(typeName: string, baseName: string): ParsedSqlType["rest"] {
  if (/^(nchar|nvarchar|national )/i.test(typeName) && /^(var)?char$/.test(baseName)) return { charset: "utf8mb3" };
  return /^bool/i.test(typeName) && baseName === "tinyint" ? { written: "boolean" } : {};
}

function toStructureType(type: string, fields: readonly Token[], cursor: Cursor): ColumnType {
  const fieldText = cursor.getSource(fields);
  if (/^struct$/i.test(type)) return { type, fields, constraints: {}, rest: {} };
  const innerCursor = cursor.createInner(fields);
  if (/^array$/i.test(type) && /^STRUCT$/.test(innerCursor.peekKey()) && innerCursor.peekKey(1) === "<") {
    innerCursor.next();
    return { type: "STRUCT", fields: readAngleGroup(innerCursor), isList: true, constraints: {}, rest: {} };
  }
  return { type, constraints: {}, rest: { items: fieldText } };
}
