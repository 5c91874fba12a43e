import type {
  ArrayType,
  BinaryType,
  BitsType,
  DecimalType,
  EnumType,
  FloatType,
  FormedType,
  IntegerType,
  IntervalType,
  JsonType,
  LengthUnit,
  LogicalType,
  MapType,
  RecordType,
  StringType,
  TimeType,
} from "./logical-type.ts";

/** Reason why a type does not hold all values of another. */
export type LackName =
  /** The values are of another kind. */
  | "kind"
  | "length"
  /** Digits before the point, or the range of integers and of exponents. */
  | "range"
  /** Digits after the point of a decimal number. */
  | "scale"
  /** Fractions, where the type has whole numbers only. */
  | "fraction"
  /** Negative numbers. */
  | "sign"
  /** Digits of a fraction of a second. */
  | "precision"
  /** A local time where the other is an instant, or the reverse. */
  | "zone"
  | "charset"
  /** Shorter values are padded with spaces. */
  | "padding"
  /** Other texts are equal. */
  | "equality"
  /** The text of a JSON value. */
  | "text"
  /** Values of another length, where each value has the same length. */
  | "size"
  | "values"
  | "fields"
  | "form"
  /** The types do not say enough. */
  | "unknown";

/** Values of another type that a type does not hold. */
export interface Lack {
  readonly name: LackName;
  readonly reason: string;
}

/** Answer to the question if a type holds every value of another; `lacks` is empty if the answer is yes. */
export interface Holding {
  readonly answer: "yes" | "no" | "unknown";
  readonly lacks: readonly Lack[];
}

/** Answers if `wide` holds every value of `narrow` unchanged. */
export function holdsEveryValueOf(wide: LogicalType, narrow: LogicalType): Holding {
  const lacks = listLacks(wide, narrow);
  if (lacks.length === 0) return { answer: "yes", lacks };
  return { answer: lacks.every(({ name }) => name === "unknown") ? "unknown" : "no", lacks };
}

const NONE: readonly Lack[] = [];
const OTHER_KIND: readonly Lack[] = [{ name: "kind", reason: "values of another kind" }];

function createLack(name: LackName, reason: string): readonly Lack[] {
  return [{ name, reason }];
}

function listLacks(wide: LogicalType, narrow: LogicalType): readonly Lack[] {
  if (wide.type === "any") return NONE;
  if (isNumber(wide) && isNumber(narrow)) return listNumberLacks(wide, narrow);
  if (wide.type === "string") return listStringLacks(wide, narrow);
  // A date is the start of a local day, so that it depends on the zone which instant that is.
  if (wide.type === "timestamp" && narrow.type === "date") {
    if (wide.zone === true) return createLack("zone", "the instant of a date depends on the time zone");
    return wide.zone === undefined ? createLack("unknown", "the time zone is not known") : NONE;
  }
  if (wide.type !== narrow.type) return OTHER_KIND;
  return listSameTypeLacks(wide, narrow);
}

type NumberType = IntegerType | DecimalType | FloatType;

function isNumber(type: LogicalType): type is NumberType {
  return type.type === "integer" || type.type === "decimal" || type.type === "float";
}

function listNumberLacks(wide: NumberType, narrow: NumberType): readonly Lack[] {
  const range = wide.type === "float" ? listFloatLacks(wide, narrow) : listExactLacks(wide, narrow);
  const sign =
    wide.signed === false && narrow.signed !== false ? createLack("sign", "negative numbers are not possible") : NONE;
  return [...range, ...sign];
}

function listExactLacks(wide: IntegerType | DecimalType, narrow: NumberType): readonly Lack[] {
  if (narrow.type === "float") {
    if (wide.type === "integer") return createLack("fraction", "whole numbers only");
    const isBounded = wide.precision !== undefined;
    return isBounded
      ? createLack("range", `at most ${wide.precision} digits`)
      : createLack("unknown", "a decimal number may round a binary one");
  }
  const digits = compareMaximum(wide, narrow);
  const fraction = listFractionLacks(wide, narrow);
  return digits === undefined ? fraction : [...createLack("range", digits), ...fraction];
}

function listFractionLacks(wide: IntegerType | DecimalType, narrow: IntegerType | DecimalType): readonly Lack[] {
  if (narrow.type === "integer") return NONE;
  const scale = narrow.scale ?? (narrow.precision === undefined ? Number.POSITIVE_INFINITY : 0);
  if (wide.type === "integer") {
    return scale > 0 ? createLack("fraction", "whole numbers only") : NONE;
  }
  const wideScale = wide.scale ?? (wide.precision === undefined ? Number.POSITIVE_INFINITY : 0);
  return wideScale >= scale
    ? NONE
    : createLack("scale", `${countOf(wideScale, "digit")} after the point instead of ${toCount(scale)}`);
}

function toCount(count: number): string {
  return Number.isFinite(count) ? String(count) : "any number";
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns the reason why the largest number of a type is smaller; undefined if it is not. */
function compareMaximum(wide: IntegerType | DecimalType, narrow: IntegerType | DecimalType): string | undefined {
  const [most, least] = [findMaximum(wide), findMaximum(narrow)];
  if (most === undefined || (least !== undefined && most >= least)) return undefined;
  if (wide.type === "decimal" && narrow.type === "decimal" && narrow.precision !== undefined) {
    const [a, b] = [wide, narrow].map(({ precision = 0, scale = 0 }) => precision - scale);
    return `${countOf(a ?? 0, "digit")} before the point instead of ${b}`;
  }
  return least === undefined ? `at most ${most}` : `at most ${most} instead of ${least}`;
}

function findMaximum(type: IntegerType | DecimalType): bigint | undefined {
  if (type.type === "integer") {
    if (type.bits === undefined) return undefined;
    return 2n ** BigInt(type.signed === false ? type.bits : type.bits - 1) - 1n;
  }
  if (type.precision === undefined) return undefined;
  return 10n ** BigInt(Math.max(0, type.precision - (type.scale ?? 0))) - 1n;
}

/** Bits of the whole numbers that a binary floating-point number holds exactly, by its bits. */
const MANTISSA_BITS: Readonly<Record<number, number>> = { 16: 11, 32: 24, 64: 53 };

function listFloatLacks(wide: FloatType, narrow: NumberType): readonly Lack[] {
  if (wide.bits === undefined) return NONE;
  if (narrow.type === "float") {
    if (narrow.bits === undefined) return createLack("unknown", "the size of the other number is not known");
    return wide.bits >= narrow.bits ? NONE : createLack("range", `${wide.bits} bits instead of ${narrow.bits}`);
  }
  const most = 2n ** BigInt(MANTISSA_BITS[wide.bits] ?? wide.bits);
  const least = findMaximum(narrow);
  if (least === undefined || least > most) return createLack("range", `exact up to ${most} only`);
  const hasFraction = narrow.type === "decimal" && (narrow.scale ?? 0) > 0;
  return hasFraction ? createLack("scale", "decimal fractions are rounded to binary ones") : NONE;
}

/** Length of the text of a UUID. */
const UUID_LENGTH = 36;

function listStringLacks(wide: StringType, narrow: LogicalType): readonly Lack[] {
  if (narrow.type === "uuid") return listLengthLacks(wide, { type: "string", maxLength: UUID_LENGTH });
  if (narrow.type === "enum") {
    const maxLength = Math.max(0, ...narrow.values.map((value) => [...value].length));
    return listLengthLacks(wide, { type: "string", maxLength });
  }
  if (narrow.type !== "string") return OTHER_KIND;
  const length = listLengthLacks(wide, narrow);
  const isPadded = wide.fixed === true && narrow.fixed !== true && length.length === 0;
  return [
    ...length,
    ...(isPadded ? createLack("padding", "shorter values are padded with spaces") : NONE),
    ...(wide.caseless === narrow.caseless ? NONE : createLack("equality", describeCase(wide))),
  ];
}

function describeCase({ caseless }: StringType) {
  return caseless ? "comparisons ignore the case of letters" : "comparisons respect the case of letters";
}

type CountedUnit = Exclude<LengthUnit, "codepage"> | "character";

/** Most units of each kind that one unit of a length is. UTF-8 is assumed for bytes. */
const LARGEST_SIZES: Readonly<Record<LengthUnit | "character", Readonly<Record<CountedUnit, number>>>> = {
  character: { character: 1, byte: 4, utf16: 2 },
  byte: { character: 1, byte: 1, utf16: 1 },
  utf16: { character: 1, byte: 3, utf16: 1 },
  codepage: { character: 1, byte: 3, utf16: 1 },
};

function listLengthLacks(wide: StringType, narrow: StringType): readonly Lack[] {
  const unit = wide.unit ?? "character";
  if (unit === "codepage" && narrow.unit !== "codepage") {
    return createLack("charset", "characters outside of the code page are lost");
  }
  if (wide.maxLength === undefined) return NONE;
  if (narrow.maxLength === undefined) return createLack("length", `at most ${wide.maxLength} characters`);
  const factor = unit === "codepage" ? 1 : LARGEST_SIZES[narrow.unit ?? "character"][unit];
  if (wide.maxLength >= narrow.maxLength * factor) return NONE;
  const noun = unit === "character" ? "characters" : unit === "utf16" ? "UTF-16 units" : "bytes";
  return createLack("length", `at most ${wide.maxLength} ${noun} instead of ${narrow.maxLength * factor}`);
}

/** Returns the lacks of two types of the same name. */
function listSameTypeLacks(wide: LogicalType, narrow: LogicalType): readonly Lack[] {
  switch (wide.type) {
    case "time":
    case "timestamp":
      return listTimeLacks(wide, narrow as TimeType);
    case "geometry":
    case "network": {
      const { form = `any ${wide.type}` } = narrow as FormedType;
      return wide.form === undefined || wide.form === form
        ? NONE
        : createLack("form", `${wide.form} instead of ${form}`);
    }
    case "interval": {
      const { unit = "months and seconds" } = narrow as IntervalType;
      return wide.unit === undefined || wide.unit === unit
        ? NONE
        : createLack("form", `${wide.unit} instead of ${unit}`);
    }
    case "binary":
      return listBinaryLacks(wide, narrow as BinaryType);
    case "bits":
      return listBitsLacks(wide, narrow as BitsType);
    case "json": {
      const isSame = wide.verbatim === (narrow as JsonType).verbatim;
      return isSame
        ? NONE
        : createLack("text", `order and repetitions of members are ${wide.verbatim ? "kept" : "not kept"}`);
    }
    case "enum": {
      const lost = (narrow as EnumType).values.filter((value) => !wide.values.includes(value));
      return lost.length === 0 ? NONE : createLack("values", `without ${lost.map((one) => `'${one}'`).join(", ")}`);
    }
    case "array":
      return listPartLacks("items", wide.of, (narrow as ArrayType).of);
    case "map": {
      const { keys, values } = narrow as MapType;
      return [...listPartLacks("keys", wide.keys, keys), ...listPartLacks("values", wide.values, values)];
    }
    case "record":
      return listRecordLacks(wide, narrow as RecordType);
    default:
      return NONE;
  }
}

function listTimeLacks(wide: TimeType, narrow: TimeType): readonly Lack[] {
  const [most, least] = [wide.precision, narrow.precision];
  const isLess = most !== undefined && (least === undefined || most < least);
  const precision = isLess
    ? createLack("precision", `${countOf(most, "digit")} of a second instead of ${least ?? "any number"}`)
    : NONE;
  if (wide.zone === narrow.zone) return precision;
  if (wide.zone === undefined || narrow.zone === undefined) {
    return [...precision, ...createLack("unknown", "the time zone of one of them is not known")];
  }
  const detail = wide.zone ? "an instant instead of a local time" : "a local time instead of an instant";
  return [...precision, ...createLack("zone", detail)];
}

function listBinaryLacks(wide: BinaryType, narrow: BinaryType): readonly Lack[] {
  const isShort = wide.maxLength !== undefined && (narrow.maxLength === undefined || wide.maxLength < narrow.maxLength);
  if (isShort) return createLack("length", `at most ${countOf(wide.maxLength, "byte")}`);
  const isPadded = wide.fixed === true && (narrow.fixed !== true || wide.maxLength !== narrow.maxLength);
  return isPadded ? createLack("padding", "shorter values are padded") : NONE;
}

function listBitsLacks(wide: BitsType, narrow: BitsType): readonly Lack[] {
  const [most, least] = [wide.length, narrow.length];
  if (wide.varying) {
    const isLong = most === undefined || (least !== undefined && most >= least);
    return isLong ? NONE : createLack("length", `at most ${countOf(most, "bit")}`);
  }
  return !narrow.varying && most === least
    ? NONE
    : createLack("size", `exactly ${most} bits instead of ${least ?? "any number"}`);
}

function listPartLacks(part: string, wide: LogicalType | undefined, narrow: LogicalType | undefined): readonly Lack[] {
  if (!wide || wide.type === "any") return NONE;
  if (!narrow) return createLack("unknown", `the type of the ${part} is not known`);
  return listLacks(wide, narrow).map(({ name, reason }) => ({ name, reason: `${part}: ${reason}` }));
}

function listRecordLacks(wide: RecordType, narrow: RecordType): readonly Lack[] {
  if (!wide.fields) return NONE;
  if (!narrow.fields) return createLack("unknown", "the fields are not known");
  const byName = new Map(wide.fields.map((field) => [field.name, field]));
  return narrow.fields.flatMap(({ name, type }) => {
    const field = byName.get(name);
    if (!field) return createLack("fields", `without the field ${name}`);
    return field.type ? listPartLacks(`field ${name}`, field.type, type) : NONE;
  });
}
