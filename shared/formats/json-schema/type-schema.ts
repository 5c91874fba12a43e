import type { LogicalType } from "../../domain/types/logical/logical-type.ts";
import type { JsonObject } from "../common/json-object.ts";

const STRING: JsonObject = { type: "string" };
const NUMBER: JsonObject = { type: "number" };

/** Formats of texts that logical types do not tell apart, by the name of the type. */
const FORMATS_BY_NAME: Readonly<Record<string, string>> = { email: "email", url: "uri", uri: "uri", link: "uri" };
const ADDRESS_FORMATS = new Set(["ipv4", "ipv6"]);

/** Returns the schema of the values of a logical type, without its length; empty for values of all types. */
export function toLogicalSchema(type: LogicalType, name = ""): JsonObject {
  switch (type.type) {
    case "string": {
      const format = Object.hasOwn(FORMATS_BY_NAME, name) ? FORMATS_BY_NAME[name] : undefined;
      return format === undefined ? STRING : { ...STRING, format };
    }
    case "integer":
      return { type: "integer" };
    case "decimal":
    case "float":
      return NUMBER;
    case "boolean":
      return { type: "boolean" };
    case "date":
    case "time":
    case "uuid":
      return { ...STRING, format: type.type };
    case "timestamp":
      return { ...STRING, format: "date-time" };
    case "binary":
      return { ...STRING, contentEncoding: "base64" };
    case "network":
      return type.form !== undefined && ADDRESS_FORMATS.has(type.form) ? { ...STRING, format: type.form } : STRING;
    case "enum":
      return type.values.length > 0 ? { ...STRING, enum: type.values } : STRING;
    case "interval":
    case "bits":
    case "xml":
      return STRING;
    case "array": {
      const items = type.of && toLogicalSchema(type.of);
      return { type: "array", ...(items && Object.keys(items).length > 0 && { items }) };
    }
    case "map":
    case "record":
      return { type: "object" };
    default:
      return {};
  }
}
