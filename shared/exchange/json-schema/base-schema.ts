import type { JsonObject } from "../json-object.ts";

const JSON_TYPES = new Set(["string", "number", "integer", "boolean", "array", "object", "null"]);

/** True for the name of a type that JSON has, of several of them joined by a bar, and for `any`. */
export function isJsonType(name: string): boolean {
  return name === "any" || name.split("|").every((one) => JSON_TYPES.has(one));
}

/** Names of types elsewhere, as what they are in JSON. */
const ELSEWHERE: readonly (readonly [names: RegExp, schema: JsonObject])[] = [
  [/^(date)$/i, { type: "string", format: "date" }],
  [/^(date-?time|timestamp.*|datetime2?|timestamptz)$/i, { type: "string", format: "date-time" }],
  [/^time( .*)?$/i, { type: "string", format: "time" }],
  [/^(uuid|guid|uniqueidentifier)$/i, { type: "string", format: "uuid" }],
  [/^(email)$/i, { type: "string", format: "email" }],
  [/^(ur[il]|link)$/i, { type: "string", format: "uri" }],
  [/^(n?(var)?char.*|n?text|.*text|string|character.*|clob|varchar2|enum|markdown)$/i, { type: "string" }],
  [/^(u?(big|small|tiny|medium)?int(eger|\d*)?|long|serial|bigserial|year)$/i, { type: "integer" }],
  [/^(num(ber|eric)?|decimal|float\d*|double.*|real|money)$/i, { type: "number" }],
  [/^(bool(ean)?|bit|flag)$/i, { type: "boolean" }],
  [/^(bytea?s?|binary|varbinary|blob)$/i, { type: "string", contentEncoding: "base64" }],
];

/** The schema of a type by its name alone: what JSON has, what is well known elsewhere, or one that allows anything. */
export function baseSchema(name: string): JsonObject {
  if (name === "any") return {};
  if (isJsonType(name)) return { type: name.includes("|") ? name.split("|") : name };
  return ELSEWHERE.find(([names]) => names.test(name))?.[1] ?? {};
}
