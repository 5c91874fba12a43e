import { type Check, isObject, RIGHT, WRONG } from "./checks.ts";

/** The kinds that a definition may name. */
export const HOLDER_KINDS = [
  "model",
  "type",
  "entity",
  "relationship",
  "attribute",
  "business_key",
  "tag",
  "tag_group",
];

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** True for a pattern without what needs backtracking; the histories write no others that are wrong. */
const isPattern = (source: unknown): boolean => typeof source === "string" && !/\(\?[=!<]|\\[1-9b]|\*\*/.test(source);

const KEYWORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => [value].flat().length > 0 && [value].flat().every((one) => TYPES.includes(String(one))),
  enum: (value) => Array.isArray(value) && value.length > 0,
  minimum: (value) => typeof value === "number",
  maximum: (value) => typeof value === "number",
  pattern: isPattern,
  items: isObject,
};

/** A JSON Schema of the known keywords; only the first fault is told. */
export const schemaFault: Check = (value) => {
  if (!isObject(value)) return WRONG;
  for (const [keyword, one] of Object.entries(value)) {
    if (!(KEYWORDS[keyword]?.(one) ?? false)) return [`/${keyword}`];
  }
  if (Number(value.minimum) > Number(value.maximum)) return ["/minimum"];
  return value.items === undefined ? RIGHT : schemaFault(value.items).map((below) => `/items${below}`);
};
