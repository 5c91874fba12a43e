import type { Constraints } from "../../domain/constraints/keywords.ts";
import type { JsonObject } from "../json-object.ts";
import type { ModelColumn } from "../writing/model-tables.ts";
import { literalOf, numberText } from "./literals.ts";
import { sqlName } from "./sql-text.ts";
import { type SqlFamily, sqlTypeOf } from "./sql-types.ts";

/** A column as its definition in `CREATE TABLE`, with what keys have to know of it. */
export interface SqlColumn {
  readonly key: string;
  readonly name: string;
  readonly line: string;
  readonly type: string;
  /** Columns join where these are equal. */
  readonly joins: string;
  readonly isIndexed: boolean;
}

/** The longest `varchar` of PostgreSQL. */
const LONGEST = 10_485_760;
const ARGUMENTS = ["precision", "scale", "arguments"] as const;

/** A column of an enum, given as statements name it, or of the type that its own name means. */
export function columnOf(column: ModelColumn, name: string, enumType: string | undefined): SqlColumn {
  const { attribute, key, inKey, at } = column;
  const { family, text, isLong } =
    enumType === undefined ? typeOf(column) : { family: "text" as const, text: enumType, isLong: true };
  const { constraints = {} } = attribute;
  const values = constraints.enum ?? [];
  const checks = checksOf(constraints, sqlName(name), family, enumType !== undefined, isLong, column);
  const value = "default" in constraints ? literalOf(constraints.default, family) : undefined;
  const isAllowed =
    value !== undefined &&
    (values.length === 0 || constraints.default === null || values.includes(constraints.default));
  if ("default" in constraints && !isAllowed) {
    at.warn("/constraints/default", "not_written", "a column of the type cannot hold the default");
  }
  const line = [
    sqlName(name),
    text,
    ...(attribute.optional && !inKey ? [] : ["NOT NULL"]),
    ...(isAllowed ? [`DEFAULT ${value}`] : []),
    ...checks.map((check) => `CHECK (${check})`),
  ].join(" ");
  return { key, name, line, type: text, joins: enumType === undefined ? family : text, isIndexed: family !== "other" };
}

interface Typed {
  readonly family: SqlFamily;
  readonly text: string;
  /** True where the type itself bounds no length. */
  readonly isLong: boolean;
}

function typeOf({ type, attribute, at }: ModelColumn): Typed {
  const { name, family, isOwn } = sqlTypeOf(type);
  const { maxLength } = attribute.constraints ?? {};
  if (!isOwn) at.warn("/type", "written_otherwise", `the type ${JSON.stringify(type)} is written as ${name}`);
  const kept = argumentsOf(attribute.properties);
  const isSized = (name === "varchar" || name === "char" || name === "character varying") && maxLength !== undefined;
  if (isSized && maxLength >= 1 && maxLength <= LONGEST)
    return { family, text: `${name}(${maxLength})`, isLong: false };
  if ((name === "numeric" || name === "decimal") && kept.precision !== undefined) {
    const { precision, scale } = kept;
    const isLegal = precision >= 1 && precision <= 1_000 && (scale ?? 0) >= 0 && (scale ?? 0) <= precision;
    if (isLegal)
      return { family, text: `${name}(${precision}${scale === undefined ? "" : `,${scale}`})`, isLong: true };
  }
  // Without a length a char is of one character.
  return { family, text: family === "char" ? "text" : name, isLong: true };
}

/** Precision and scale, in whatever namespace a reader kept them. */
function argumentsOf(properties: JsonObject = {}): { readonly precision?: number; readonly scale?: number } {
  const found: Record<string, number> = {};
  for (const [name, value] of Object.entries(properties)) {
    const member = name.slice(name.indexOf(":") + 1);
    if (isArgument(name) && member !== "arguments" && Number.isSafeInteger(value)) found[member] = Number(value);
  }
  return found;
}

/** True for a property that is an argument of a type. */
export function isArgument(name: string): boolean {
  const [namespace, member, ...more] = name.split(":");
  return namespace !== "" && more.length === 0 && ARGUMENTS.some((one) => one === member);
}

const BOUNDS = { minimum: ">=", maximum: "<=", exclusiveMinimum: ">", exclusiveMaximum: "<" } as const;
const NUMBERS: ReadonlySet<SqlFamily> = new Set(["integer", "numeric", "float"]);

/** The checks of a column; a keyword that its type has no check for is a warning. */
function checksOf(
  constraints: Constraints,
  name: string,
  family: SqlFamily,
  isEnum: boolean,
  isLong: boolean,
  { at }: ModelColumn,
): readonly string[] {
  const isText = (family === "text" || family === "char") && !isEnum;
  const none = (keyword: string): readonly string[] => {
    at.warn(`/constraints/${keyword}`, "not_written", `a column of the type has no check for ${keyword}`);
    return [];
  };
  const { enum: values, const: only, multipleOf, minLength, maxLength } = constraints;
  const listed = values?.filter((one) => one !== null).map((one) => literalOf(one, family));
  const isListed = listed && listed.length > 0 && listed.every((one) => one !== undefined);
  const always = only === undefined || only === null ? undefined : literalOf(only, family);
  return [
    ...(Object.keys(BOUNDS) as (keyof typeof BOUNDS)[]).flatMap((keyword) => {
      const bound = constraints[keyword];
      if (bound === undefined) return [];
      return NUMBERS.has(family) ? [`${name} ${BOUNDS[keyword]} ${numberText(bound)}`] : none(keyword);
    }),
    ...(values === undefined || isEnum ? [] : isListed ? [`${name} IN (${listed.join(", ")})`] : none("enum")),
    ...(only === undefined ? [] : always && !isEnum ? [`${name} = ${always}`] : none("const")),
    ...(multipleOf === undefined
      ? []
      : family === "integer" || family === "numeric"
        ? [`${name} % ${numberText(multipleOf)} = 0`]
        : none("multipleOf")),
    ...(minLength === undefined ? [] : isText ? [`char_length(${name}) >= ${minLength}`] : none("minLength")),
    ...(maxLength === undefined || !isLong
      ? []
      : isText
        ? [`char_length(${name}) <= ${maxLength}`]
        : none("maxLength")),
  ];
}
