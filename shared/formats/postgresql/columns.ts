import type { AttributeDocument, ModelDocument } from "../../domain/document/document.ts";
import { findAttributeType } from "../../domain/types/find-logical-type.ts";
import type { ModelColumn } from "../common/writing/model-tables.ts";
import { createChecks, type SqlCheck, type SqlFamily, toLiteral } from "./checks.ts";
import type { SqlEnum } from "./names.ts";
import { findSqlType } from "./type-names.ts";

/** A column of a table in PostgreSQL. */
export interface SqlColumn {
  readonly key: string;
  readonly attribute: AttributeDocument;
  readonly name: string;
  readonly type: SqlType;
  readonly isRequired: boolean;
  readonly default: string | undefined;
  readonly checks: readonly SqlCheck[];
}

export interface SqlType {
  readonly text: string;
  readonly name: string;
  readonly arguments: readonly number[];
  readonly family: SqlFamily;
  readonly enum: SqlEnum | undefined;
}

const MAX_VARCHAR_LENGTH = 10_485_760;
const TYPE_ARGUMENTS = ["precision", "scale", "arguments"] as const;

/** Returns true when a foreign key can join columns of two types. */
export function canJoin(one: SqlType, other: SqlType): boolean {
  if (one.enum || other.enum) return one.enum === other.enum;
  return one.family === other.family && (one.family !== "other" || one.name === other.name);
}

/** Converts a column to its enum or to the type with its values. */
export function toSqlColumn(
  column: ModelColumn,
  name: string,
  enumOf: SqlEnum | undefined,
  document: ModelDocument,
): SqlColumn {
  const { attribute, key, inKey, at } = column;
  const type = enumOf
    ? { ...createNamedType(enumOf.text), family: "text" as const, enum: enumOf }
    : toSqlType(column, document);
  const { constraints = {} } = attribute;
  const isEnum = enumOf !== undefined;
  const isUnbounded = type.arguments.length === 0 || (!isEnum && type.family !== "text" && type.family !== "char");
  const checks = createChecks(constraints, { family: type.family, isEnum, isUnbounded }, (keyword) =>
    at.warn(`/constraints/${keyword}`, "not_written", `the type has no check for ${keyword}`),
  );
  const isDefault = "default" in constraints;
  const value = isDefault ? toDefault(constraints.default, type, checks) : undefined;
  if (isDefault && value === undefined) {
    at.warn("/constraints/default", "not_written", "the type cannot have this default");
  }
  const isRequired = !attribute.optional || inKey || isSerial(type.name);
  return { ...{ key, attribute, name, type, isRequired, checks }, default: value };
}

function createNamedType(text: string): Omit<SqlType, "family"> {
  return { text, name: text, arguments: [], enum: undefined };
}

function toDefault(value: unknown, type: SqlType, checks: readonly SqlCheck[]): string | undefined {
  if (isSerial(type.name)) return undefined;
  if (value === null) return "NULL";
  const literal = toLiteral(value, type.family);
  if (literal === undefined) return undefined;
  const isListed = !type.enum || type.enum.values.includes(String(value));
  return isListed && isInRange(value, type) && checks.every(({ allows }) => allows(value)) ? literal : undefined;
}

function isInRange(value: unknown, { name, family, arguments: [size = Number.POSITIVE_INFINITY, scale = 0] }: SqlType) {
  if (family === "text" || family === "char") return [...String(value)].length <= size;
  if (name === "smallint" || name === "int2") return Math.abs(Number(value)) < 2 ** 15;
  // Rounding may need one digit more.
  return family === "numeric" ? Math.abs(Number(value)) < 10 ** (size - scale) - 1 : true;
}

function toSqlType({ type, attribute, at }: ModelColumn, document: ModelDocument): SqlType {
  const typeName = findSqlType(type, findAttributeType(attribute, document));
  const { name, family, isOwn } = typeName;
  const { maxLength } = attribute.constraints ?? {};
  if (!isOwn) at.warn("/type", "written_otherwise", `the type ${JSON.stringify(type)} is written as ${name}`);
  const createSizedType = (...sizes: readonly number[]): SqlType => ({
    ...{ text: `${name}(${sizes.join(",")})`, name, arguments: sizes, family, enum: undefined },
  });
  const isSized = (name === "varchar" || name === "char" || name === "character varying") && maxLength !== undefined;
  if (isSized && maxLength >= 1 && maxLength <= MAX_VARCHAR_LENGTH) return createSizedType(maxLength);
  const { arguments: sizes = [] } = typeName;
  if (isLegalSize(name, sizes)) return createSizedType(...sizes);
  // `char` without length has one character.
  return { ...createNamedType(family === "char" ? "text" : name), family };
}

const MAX_BITS = 83_886_080;

function isLegalSize(name: string, [size, scale = 0]: readonly number[]) {
  if (size === undefined || size < 1) return false;
  if (name === "numeric" || name === "decimal") return size <= 1_000 && scale >= 0 && scale <= size;
  return name === "bit" || name === "varbit" ? size <= MAX_BITS : name === "char" && size <= MAX_VARCHAR_LENGTH;
}

/** Returns true for a property that is an argument of a type. */
export function isTypeArgument(name: string): boolean {
  const [namespace, member, ...rest] = name.split(":");
  return namespace !== "" && rest.length === 0 && TYPE_ARGUMENTS.some((one) => one === member);
}

const SERIALS: Readonly<Record<string, string>> = { smallserial: "smallint", serial: "integer", bigserial: "bigint" };

/** Returns true for a serial type. Existing columns cannot become serial. */
export function isSerial(name: string): boolean {
  return Object.hasOwn(SERIALS, name);
}

/** Returns the type of the stored values: the integer type of a serial one. */
export function toStoredType(name: string): string {
  return SERIALS[name] ?? name;
}
