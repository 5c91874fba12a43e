import type { SqlType } from "../../ddl/choose-type.ts";
import { isSerial, type SqlColumn, toStoredType } from "../../ddl/columns.ts";
import type { SqlTable } from "../../ddl/tables.ts";
import { type Drafting, holdWith, type Step, toColumnScope, toNameMark } from "./draft.ts";
import { changesFamily, type KeptTable, type Pair } from "./matched-schema.ts";
import { formatColumn, quoteName } from "./statements.ts";

/** Adds new columns to existing tables. */
export function addColumns(drafting: Drafting): void {
  for (const { left, right, columns } of drafting.match.keptTables) {
    for (const column of columns.additions) {
      const isComputed = column.identity !== undefined || column.generated !== undefined;
      const hasDefault = column.default !== undefined && column.default !== "NULL";
      const isFilled = isSerial(column.type.name) || isComputed || hasDefault;
      const isRequired = column.isRequired && isFilled;
      const line = formatColumn(column, right.checks.get(column) ?? [], isRequired);
      const step = drafting.add(`ALTER TABLE ${right.text} ADD COLUMN ${line};`, {
        needs: drafting.findSteps(right, column.type.enum),
        takes: [toNameMark(toColumnScope(left), column.name)],
        things: [column],
      });
      if (column.isRequired && !isRequired)
        drafting.add(formatSetNotNull(right, column), { reason: NO_VALUES, needs: [step], things: [column] });
    }
  }
}

const NO_VALUES = "Existing rows have no value. Fill them first.";
const MAYBE_NO_VALUES = "Existing rows may have no value. Fill them first.";

function formatSetNotNull({ text }: SqlTable, { name }: SqlColumn) {
  return `ALTER TABLE ${text} ALTER COLUMN ${quoteName(name)} SET NOT NULL;`;
}

/** Changes types, defaults and nullability. Calls `typeStep` for each type. */
export function changeColumns(drafting: Drafting, typeStep: (column: SqlColumn, step: Step) => void): void {
  for (const table of drafting.match.keptTables) {
    for (const pair of table.columns.pairs) changeColumn(drafting, table, pair, typeStep);
  }
}

function changeColumn(
  drafting: Drafting,
  table: KeptTable,
  pair: Pair<SqlColumn>,
  typeStep: (column: SqlColumn, step: Step) => void,
) {
  const { left, right } = pair;
  // The expression stays, with the type that fits it.
  if (left.generated !== undefined || right.generated !== undefined) return;
  const alter = (...actions: readonly string[]) => {
    const lines = actions.map((action) => `ALTER COLUMN ${quoteName(right.name)} ${action}`);
    return `ALTER TABLE ${table.right.text} ${lines.join(", ")};`;
  };
  if (left.identity !== undefined && right.identity === undefined) {
    drafting.add(alter("DROP IDENTITY"), { needs: drafting.findSteps(table.right, right), things: [right] });
  }
  const sortChanges = changesFamily(pair, drafting.match);
  const text = toStoredType(right.type.text);
  const typeChanges = sortChanges || (!right.type.enum && toStoredType(left.type.text) !== text);
  const [leftDefault, rightDefault] = [left.default, right.default].map((one) => (one === "NULL" ? undefined : one));
  const isNumbered = isSerial(left.type.name);
  const setDefault = rightDefault === undefined ? "DROP DEFAULT" : `SET DEFAULT ${rightDefault}`;
  const defaultChanges = leftDefault !== rightDefault || (isNumbered && !isSerial(right.type.name));
  if (typeChanges) {
    const { using, isSafe } = findConversion(left.type, right.type);
    const type = `TYPE ${text}${using ? ` USING ${using(quoteName(right.name))}` : ""}`;
    const hasDefault = leftDefault !== undefined || isNumbered;
    const sql = alter(
      ...(hasDefault ? ["DROP DEFAULT"] : []),
      type,
      ...(rightDefault !== undefined || (defaultChanges && !hasDefault) ? [setDefault] : []),
    );
    // Indexes and foreign keys stay valid within a type family.
    const earlierSteps = sortChanges ? drafting.findSteps(left) : [];
    const step = drafting.add(sql, {
      reason: isSafe ? findUse(table, left) : "Existing values may not fit the new type, or may change.",
      needs: [...drafting.findSteps(table.right, right, right.type.enum), ...earlierSteps],
      things: [left, right],
    });
    holdWith(step, earlierSteps);
    typeStep(right, step);
  } else if (defaultChanges) {
    drafting.add(alter(setDefault), { needs: drafting.findSteps(table.right, right) });
  }
  if (left.isRequired === right.isRequired) return;
  if (right.isRequired) {
    const needs = drafting.findSteps(table.right, right);
    drafting.add(formatSetNotNull(table.right, right), { reason: MAYBE_NO_VALUES, needs, things: [right] });
    return;
  }
  const primaryKey = table.keys.removals.find(({ kind, columns }) => kind === "PRIMARY KEY" && columns.includes(left));
  drafting.add(alter("DROP NOT NULL"), { needs: drafting.findSteps(table.right, right, primaryKey) });
}

/** Returns the reason to hold back a change of type: PostgreSQL refuses it while a computed column uses the column. */
function findUse({ left }: KeptTable, { name }: SqlColumn): string | undefined {
  const isUsed = left.columns.some(({ generated }) => generated?.includes(name));
  return isUsed ? "A computed column may use the column. Drop it first, and create it again." : undefined;
}

/** Tests for a column that begins to number the rows, or does it in another way. */
export function changesNumbers({ left, right }: Pair<SqlColumn>): boolean {
  return right.identity !== undefined && left.identity !== right.identity;
}

/** Tests for a column that is computed on one side only, or otherwise. */
export function changesFormula({ left, right }: Pair<SqlColumn>): boolean {
  const isComputed = left.generated !== undefined || right.generated !== undefined;
  return isComputed && (left.generated !== right.generated || left.type.text !== right.type.text);
}

interface Conversion {
  /** Formats the USING expression for a column name. Absent if PostgreSQL needs none. */
  readonly using?: (name: string) => string;
  readonly isSafe: boolean;
}

const SAFE_CONVERSION: Conversion = { isSafe: true };

const DIGITS: Readonly<Record<string, number>> = {
  ...{ smallint: 5, int2: 5, integer: 10, int: 10, int4: 10, bigint: 19, int8: 19 },
};
const SMALL_TYPES = new Set(["smallint", "int2"]);
const DOUBLE_TYPES = new Set(["double precision", "float8"]);
const NUMBER_FAMILIES = new Set(["integer", "numeric", "float"]);
/** Digits of the fraction of a second of a type that does not name them. */
const USUAL_DIGITS = 6;
const TIME_FAMILIES = new Set(["date", "timestamp", "timestamptz"]);

function findConversion(from: SqlType, to: SqlType): Conversion {
  const name = toStoredType(to.name);
  const text = to.arguments.length > 0 ? to.text : name;
  const formatCasts = (steps: readonly string[]) => (column: string) => [column, ...steps].join("::");
  if (isWidening(from, to)) return to.enum ? { isSafe: true, using: formatCasts(["text", to.text]) } : SAFE_CONVERSION;
  // Without a cast, PostgreSQL rejects a text that is too long. A cast would cut it.
  if (isTextType(to)) return isTextType(from) ? { isSafe: false } : { isSafe: false, using: formatCasts(["text"]) };
  const isDirect = [NUMBER_FAMILIES, TIME_FAMILIES].some((all) => all.has(from.family) && all.has(to.family));
  return { isSafe: false, using: formatCasts(isDirect ? [text] : ["text", text]) };
}

function isTextType({ family, enum: enumType }: SqlType) {
  return (family === "text" || family === "char") && !enumType;
}

/** Returns the digits of whole numbers that a type holds exactly, whichever they are; for binary numbers see IEEE 754. */
function countExactDigits(family: "float" | "integer", name: string): number {
  if (family === "float") return DOUBLE_TYPES.has(name) ? 15 : 7;
  return (DIGITS[name] ?? 1) - 1;
}

function isWidening(from: SqlType, to: SqlType) {
  const [{ enum: fromEnum }, { enum: toEnum }] = [from, to];
  if (toEnum) return fromEnum?.values.every((one) => toEnum.values.includes(one)) ?? false;
  const [fromName, toName] = [toStoredType(from.name), toStoredType(to.name)];
  const [size = Number.POSITIVE_INFINITY, scale = 0] = to.arguments;
  const [before = Number.POSITIVE_INFINITY, scaleBefore = 0] = from.arguments;
  if (fromName === "citext" || toName === "citext") return false;
  // The text of a timestamp with time zone depends on the session.
  if (toName === "text" && size === Number.POSITIVE_INFINITY) return from.family !== "timestamptz";
  if (isTextType(from) && isTextType(to)) return size >= before;
  if (from.family === "integer") {
    const digits = DIGITS[fromName] ?? 19;
    if (to.family === "integer") return (DIGITS[toName] ?? 0) >= digits;
    if (to.family === "numeric") return size - scale >= digits;
    return to.family === "float" && (SMALL_TYPES.has(fromName) || (digits <= 10 && DOUBLE_TYPES.has(toName)));
  }
  if (from.family === "numeric" && to.family === "numeric") {
    if (size === Number.POSITIVE_INFINITY) return true;
    return scale >= scaleBefore && size - scale >= before - scaleBefore;
  }
  if (from.family === "numeric" && scaleBefore === 0) {
    // NaN, which only `numeric` has too, ends the migration.
    if (to.family === "float" || to.family === "integer") return before <= countExactDigits(to.family, toName);
  }
  if (from.family === "float" && to.family === "float") return DOUBLE_TYPES.has(toName) || fromName === toName;
  if (from.family === to.family && TIME_FAMILIES.has(to.family)) {
    return (to.arguments[0] ?? USUAL_DIGITS) >= (from.arguments[0] ?? USUAL_DIGITS);
  }
  if (from.family === to.family) return from.family !== "other" && from.family !== "text";
  return from.family === "date" && to.family === "timestamp";
}
