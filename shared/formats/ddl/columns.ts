import type { AttributeDocument, ModelDocument } from "../../domain/document/document.ts";
import { findAttributeType } from "../../domain/types/find-logical-type.ts";
import { holdsEveryValueOf } from "../../domain/types/logical/holding.ts";
import type { LogicalType } from "../../domain/types/logical/logical-type.ts";
import type { ModelColumn } from "../common/writing/model-tables.ts";
import { createChecks, type SqlCheck } from "./checks.ts";
import { isSameType, removeUnit, resolveText, type SqlType } from "./choose-type.ts";
import { toDefault } from "./defaults.ts";
import type { DdlDialect } from "./dialect.ts";
import { findUnknownPart, removeOuterBrackets } from "./expressions.ts";
import { quoteName, type SqlEnum } from "./names.ts";
import type { Translate } from "./translate.ts";

/** A column of a table. */
export interface SqlColumn {
  readonly key: string;
  readonly attribute: AttributeDocument;
  readonly name: string;
  /** Steps of the name of a field of a structure. */
  readonly path: readonly string[] | undefined;
  /** Quoted name. */
  readonly text: string;
  readonly type: SqlType;
  readonly isRequired: boolean;
  readonly default: string | undefined;
  readonly checks: readonly SqlCheck[];
  /** Clause of a column that numbers the rows. */
  readonly identity: string | undefined;
  /** Clause of a column that is computed. */
  readonly generated: string | undefined;
  /** Expression that replaces the value at each update of the row. */
  readonly onUpdate: string | undefined;
}

const TYPE_ARGUMENTS = ["precision", "scale", "arguments"] as const;

/** Properties of attributes that the writer uses. */
const COLUMN_PROPERTIES = new Set(
  ["identity", "default", "generated", "stored", "onUpdate", "values", "items", "written", "physical"].map(
    (one) => `sql:${one}`,
  ),
);

/** Returns true for a property that is a part of the definition of a column. */
export function isColumnProperty(name: string): boolean {
  const [namespace, member, ...rest] = name.split(":");
  const isArgument = namespace !== "" && rest.length === 0 && TYPE_ARGUMENTS.some((one) => one === member);
  return isArgument || COLUMN_PROPERTIES.has(name);
}

/** Terms of the columns of a model. */
export interface ColumnTerms {
  readonly dialect: DdlDialect;
  readonly document: ModelDocument;
  /** Enums of the database by type key. */
  readonly enums: ReadonlyMap<string, SqlEnum>;
  /** Values of the enums that are a part of a column or a check, by type key. */
  readonly enumValues: ReadonlyMap<string, readonly string[]>;
}

/** Returns true when a foreign key can join columns of two types. */
export function canJoin(one: SqlType, other: SqlType, { references }: DdlDialect): boolean {
  if (one.enum || other.enum) return one.enum === other.enum;
  if (references.joins === "type") return one.text.toLowerCase() === other.text.toLowerCase();
  const areTexts = [one, other].every(({ family, values }) => (family === "text" || family === "char") && !values);
  if (references.joins === "storage") return areTexts || one.text.toLowerCase() === other.text.toLowerCase();
  return one.family === other.family && (one.family !== "other" || one.name === other.name);
}

/** Chooses the type of a column. Warns about a type with other values. */
export function chooseColumnType(column: ModelColumn, isKeyed: boolean, terms: ColumnTerms): SqlType {
  const { dialect, document, enums, enumValues } = terms;
  const enumType = enums.get(column.type);
  if (enumType) {
    const { text } = enumType;
    return { text, name: text, arguments: [], family: "text", enum: enumType };
  }
  const type = findAttributeType(column.attribute, document);
  const { logicalType } = type;
  const own = logicalType?.type === "enum" ? logicalType.values : undefined;
  const values = own ?? enumValues.get(column.type);
  const isListed = dialect.enums === "columns" && values !== undefined && areDistinct(values);
  const chosen = dialect.chooseType({ column, type, values: isListed ? values : undefined, isKeyed });
  // A dialect without a name of its types in the model warns where the values differ.
  const written: LogicalType | undefined = chosen.values
    ? { type: "enum", values: chosen.values }
    : resolveText(chosen.text, dialect.dialect);
  const wanted = values ? ({ type: "enum", values } as const) : logicalType && removeUnit(logicalType);
  const isSameName = chosen.name === column.type.toLowerCase() && wanted !== undefined;
  const holdsAll = isSameName && written && holdsEveryValueOf(written, wanted).answer === "yes";
  const isWritten = chosen.isOwn ?? (holdsAll || (written && wanted && isSameType(written, wanted)));
  const isComputed = dialect.computesTypes && column.attribute.properties?.["sql:generated"] !== undefined;
  if (!isWritten && !isComputed) {
    const text = JSON.stringify(column.type);
    const name = chosen.isOwn === undefined ? chosen.text : chosen.name;
    column.at.warn("/type", "written_otherwise", `the type ${text} is written as ${name}`);
  }
  return { ...chosen, enum: undefined };
}

/** Tests for values that also a database that ignores case and trailing spaces can tell apart. */
function areDistinct(values: readonly string[]) {
  const folded = values.map((one) => one.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trimEnd());
  return values.length > 0 && new Set(folded).size === values.length && values.every((one) => !/\s$/.test(one));
}

/** Facts about the place of a column in its table. */
interface ColumnPlace {
  readonly name: string;
  readonly type: SqlType;
  /** True if the keys of the table allow that the column numbers the rows. */
  readonly mayNumber: boolean;
  readonly path: readonly string[] | undefined;
  readonly translate: Translate;
}

/** Converts a column of a model. Warns about the parts of its definition that the dialect does not have. */
export function toSqlColumn(column: ModelColumn, place: ColumnPlace, terms: ColumnTerms): SqlColumn {
  const { attribute, key, inKey, at } = column;
  const { name, type } = place;
  const { dialect } = terms;
  const { constraints = {} } = attribute;
  const isText = type.family === "text" || type.family === "char";
  const isEnum = type.enum !== undefined || type.values !== undefined;
  const isSized = isText || type.family === "bytea";
  const isUnbounded = !isSized || type.arguments[0] !== constraints.maxLength;
  const { formatLength, literals } = dialect;
  const checks = createChecks(
    constraints,
    { family: type.family, isEnum, isUnbounded, literals, formatLength },
    (keyword) => at.warn(`/constraints/${keyword}`, "not_written", `the type has no check for ${keyword}`),
  );
  const isOwn = findAttributeType(attribute, terms.document).dialect === dialect.dialect;
  const identity = findIdentity(column, type, place.mayNumber, dialect);
  const generated = identity === undefined ? findGenerated(column, isOwn, place.translate, dialect) : undefined;
  const isRequired = !attribute.optional || inKey || isSerial(type.name) || identity !== undefined;
  const expressions = toDefault(
    column,
    {
      type,
      checks,
      isOwn,
      isNumbered: identity !== undefined || isSerial(type.name),
      isGenerated: generated !== undefined,
      isField: place.path !== undefined,
      isRequired,
    },
    dialect,
  );
  return {
    ...{ key, attribute, name, path: place.path, type, isRequired, checks, identity, generated },
    text: quoteName(name, dialect.names),
    ...expressions,
  };
}

const SEQUENCE = /^nextval\s*\(/i;

/** Returns the clause of a column that numbers the rows. */
function findIdentity(
  { attribute, type: key, at }: ModelColumn,
  type: SqlType,
  mayNumber: boolean,
  dialect: DdlDialect,
) {
  if (isSerial(type.name)) return undefined;
  const { "sql:identity": own, "sql:default": expression } = attribute.properties ?? {};
  const isSequence = typeof expression === "string" && SEQUENCE.test(expression);
  if (own === undefined && !isSequence && !isSerial(key)) return undefined;
  const path = own === undefined ? "/properties/sql:default" : "/properties/sql:identity";
  const { identity } = dialect;
  if (!identity?.types.test(type.text) || !mayNumber) {
    const detail = identity
      ? "only an integer in a key numbers the rows, once in a table"
      : "it has no numbered columns";
    at.warn(own === undefined && !isSequence ? "/type" : path, "not_written", `${dialect.name}: ${detail}`);
    return undefined;
  }
  return typeof own === "string" && /^always/.test(own) ? (identity.always ?? identity.clause) : identity.clause;
}

/** Tests for a column that may number the rows by its properties or its type. */
export function isNumbered({ attribute, type }: ModelColumn): boolean {
  const { "sql:identity": identity, "sql:default": expression } = attribute.properties ?? {};
  return identity !== undefined || isSerial(type) || (typeof expression === "string" && SEQUENCE.test(expression));
}

/** Returns the clause of a computed column. */
function findGenerated(
  { attribute, at }: ModelColumn,
  isOwn: boolean,
  translate: Translate,
  dialect: DdlDialect,
): string | undefined {
  const { "sql:generated": formula, "sql:stored": isStored } = attribute.properties ?? {};
  if (formula === undefined) return undefined;
  const { formatGenerated, name } = dialect;
  const isExpression = typeof formula === "string" && formatGenerated !== undefined && !/^row /.test(formula);
  const expression = !isExpression ? undefined : isOwn ? formula : translate(formula, "value");
  const reason =
    expression === undefined
      ? "it has no such computed columns, or the expression has another meaning in another dialect"
      : isOwn
        ? findUnknownPart(expression, dialect)
        : undefined;
  if (expression !== undefined && reason === undefined)
    return formatGenerated?.(removeOuterBrackets(expression, dialect.dialect), isStored === true);
  at.warn("/properties/sql:generated", "not_written", `${name}: ${reason}`);
  return undefined;
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
