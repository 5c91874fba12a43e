import type { LengthUnit, LogicalType } from "./logical-type.ts";

const UNIT_NOUNS: Readonly<Record<LengthUnit, string>> = {
  byte: " bytes",
  utf16: " UTF-16 units",
  codepage: " bytes of a code page",
};

/** Formats a logical type for people: `decimal(12, 2)`, `timestamp(3) with time zone`, `array of string(20)`. */
export function formatLogicalType(type: LogicalType): string {
  const before = "signed" in type && type.signed === false ? "unsigned " : "";
  const list = listArguments(type).join(", ");
  return before + type.type + (list === "" ? "" : `(${list})`) + formatEnd(type);
}

function listArguments(type: LogicalType): readonly (string | number)[] {
  switch (type.type) {
    case "string":
    case "binary": {
      const unit = type.type === "string" && type.unit ? UNIT_NOUNS[type.unit] : "";
      const length = type.maxLength === undefined ? [] : [`${type.maxLength}${unit}`];
      const caseless = type.type === "string" && type.caseless ? ["ignoring case"] : [];
      return [...length, ...(type.fixed ? ["fixed"] : []), ...caseless];
    }
    case "integer":
    case "float":
      return type.bits === undefined ? [] : [type.bits];
    case "decimal":
      return [type.precision, type.scale].filter((one) => one !== undefined);
    case "time":
    case "timestamp":
      return type.precision === undefined ? [] : [type.precision];
    case "bits":
      return [...(type.length === undefined ? [] : [type.length]), ...(type.varying ? ["varying"] : [])];
    case "interval":
      return type.unit === undefined ? [] : [type.unit];
    case "json":
      return type.verbatim ? ["verbatim"] : [];
    case "enum":
      return type.values.map((value) => `'${value}'`);
    case "record":
      return (type.fields ?? []).map((one) => `${one.name}${one.type ? ` ${formatLogicalType(one.type)}` : ""}`);
    case "geometry":
    case "network":
      return type.form === undefined ? [] : [type.form];
    default:
      return [];
  }
}

function formatEnd(type: LogicalType): string {
  if (type.type === "array") return type.of ? ` of ${formatLogicalType(type.of)}` : "";
  if (type.type === "map") {
    const [keys, values] = [type.keys, type.values].map((one) => (one ? formatLogicalType(one) : "any"));
    return (type.keys ?? type.values) ? ` of ${keys} to ${values}` : "";
  }
  if ((type.type === "time" || type.type === "timestamp") && type.zone !== undefined) {
    return type.zone ? " with time zone" : " without time zone";
  }
  return "";
}
