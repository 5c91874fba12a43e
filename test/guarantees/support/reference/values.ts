import { type Check, hasOnly, isKey, isObject, isRef, listOf, pairOf, RIGHT, text, WRONG } from "./checks.ts";
import { constraintsFault } from "./constraints.ts";
import { HOLDER_KINDS, schemaFault } from "./definition-values.ts";
import { filtersFault, searchFault } from "./filters.ts";
import { isPropertyName, propertyValueFault } from "./properties.ts";
import { isTagKey, tagName } from "./tag-refs.ts";

const isLine = (t: string): boolean => t.trim() !== "" && t.length <= 200 && !/[\n\r\u2028\u2029]/.test(t);
const isMarkdown = (t: string): boolean => t.trim() !== "" && Buffer.byteLength(t) <= 100_000;
const isLink = (t: string): boolean =>
  t.length <= 2_048 && /^(https?|ftp):\/\/(?![^/?#]*[^/?#@]@)[^\s]+$|^mailto:[^\s]+$/.test(t);
const isVersion = (t: string): boolean =>
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/.test(t) &&
  !(/-/.test(t) && /(^|\.)0\d+(\.|$)/.test(t.slice(t.indexOf("-") + 1)));

const key = text(isKey);
const ref = text(isRef);
const secret = text((t) => Buffer.byteLength(t) <= 512);

const entryFault: Check = (value) => {
  if (!isObject(value) || !hasOnly(value, "group", "action", "payload")) return WRONG;
  const { group, action, payload } = value;
  const isPayload = payload === undefined || payload === null || isObject(payload);
  return [
    ...(typeof group === "string" ? [] : ["/group"]),
    ...(typeof action === "string" ? [] : ["/action"]),
    ...(isPayload ? [] : ["/payload"]),
  ];
};

const entriesFault: Check = (value) =>
  Array.isArray(value) && value.length === 0 ? WRONG : listOf(entryFault, 20_000)(value);

/** Every type of parameter: contract section 2, and what `inspect_type_system` tells in words. */
const CHECKS: Readonly<Record<string, Check>> = {
  ModelKey: key,
  TypeKey: key,
  EntityKey: key,
  AttributeKey: key,
  ModelRef: ref,
  TypeRef: ref,
  EntityRef: ref,
  EntityAttributeRef: ref,
  JobRef: ref,
  "List<EntityAttributeRef>": listOf(ref, 100),
  "Pair<EntityAttributeRef>": pairOf(ref),
  "List<Pair<EntityAttributeRef>>": listOf(pairOf(ref), 100),
  RelationshipKey: key,
  RelationshipRef: ref,
  RelationshipRoleKey: key,
  RelationshipRoleRef: ref,
  RelationshipAttributeRef: ref,
  DifferenceFormat: text((t) => t === "postgresql" || t === "markdown"),
  ExportFormat: text((t) => t === "frictionless"),
  SourceFormat: text((t) =>
    [
      ...["metaction", "frictionless", "medatarun", "dbt", "odcs", "dbml", "avro", "jsonschema", "openapi"],
      ...["postgresql", "mysql", "sqlite", "tsql", "oracle", "snowflake", "bigquery", "redshift", "sql"],
    ].includes(t),
  ),
  SourceLabel: text((t) => /^[^\s#]{1,2048}$/.test(t) && !/^\w+:\/\/[^/]*@/.test(t)),
  OnConflict: text((t) => ["refuse", "ours", "theirs"].includes(t)),
  PlanName: text((t) => /^[0-9a-f]{64}$/.test(t)),
  RelationshipCardinality: text((t) => ["zeroOrOne", "one", "many", "unknown"].includes(t)),
  BusinessKeyKey: key,
  BusinessKeyRef: ref,
  TagKey: text(isTagKey),
  TagGroupKey: text(isTagKey),
  TagGroupRef: ref,
  TagRef: text((t) => tagName(t) !== undefined),
  LocalTagRef: text((t) => tagName(t) !== undefined && tagName(t)?.group === undefined),
  GlobalTagRef: text((t) => tagName(t)?.id !== undefined || tagName(t)?.group !== undefined),
  TagSearchFilters: filtersFault,
  SearchFilters: searchFault,
  SearchFields: listOf(
    text((t) => t === "location"),
    1_000,
  ),
  AttributeSort: text((t) => t === "declared" || t === "key"),
  CompareScope: text((t) => t === "structural" || t === "complete"),
  ObjectId: text((t) => isRef(`id:${t.replace(/^id:/, "")}`)),
  "List<ModelRef>": listOf(ref, 100),
  "List<ActionPath>": listOf(
    text((t) => /^[a-z]{1,40}\/[a-z_]{1,60}$/.test(t)),
    200,
  ),
  "List<BatchEntry>": entriesFault,
  TextSingleLine: text(isLine),
  TextMarkdown: text(isMarkdown),
  Link: text(isLink),
  ModelVersion: text(isVersion),
  ModelAuthority: text((t) => t === "system" || t === "canonical"),
  Expansion: text((t) => t === "keys"),
  PropertyName: text(isPropertyName),
  PropertyDefinitionRef: ref,
  PropertySchema: schemaFault,
  PropertyImpact: text((t) => t === "cosmetic" || t === "breaking"),
  "List<PropertyHolderKind>": listOf(
    text((t) => HOLDER_KINDS.includes(t)),
    8,
  ),
  PropertyValue: propertyValueFault,
  Constraints: constraintsFault,
  Boolean: (value) => (typeof value === "boolean" ? RIGHT : WRONG),
  ModelRevision: (value) => (Number.isInteger(value) && Number(value) >= 1 ? RIGHT : WRONG),
  PageLimit: (value) => (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1_000 ? RIGHT : WRONG),
  Cursor: text((t) => t.length <= 400),
  Location: text((t) => /^https?:\/\/\S+$/.test(t) && t.length <= 2_048),
  SourceContent: (value) =>
    typeof value === "string" || (typeof value === "object" && value !== null && !Array.isArray(value)) ? RIGHT : WRONG,
  Username: text((t) => /^[a-z]([._-]?[a-z0-9])*$/.test(t) && t.length >= 3 && t.length <= 32),
  LoginName: text((t) => /^[^\s\p{C}]{1,128}$/u.test(t) && t.length <= 128),
  Fullname: text((t) => /^[\p{L}\p{M} \-'.,]+$/u.test(t) && t.trim() !== "" && t.length <= 200),
  PasswordClear: secret,
  NewPassword: secret,
  BootstrapSecret: secret,
};

const SECRETS: ReadonlySet<string> = new Set(["PasswordClear", "NewPassword", "BootstrapSecret"]);
const JSON_IN_QUERY =
  /^(List<.*|SourceContent|Constraints|TagSearchFilters|SearchFilters|SearchFields|PropertyValue|PropertySchema)$/;

/** True for the types that take null and "" as values like any other. */
export function takesNothing(type: string): boolean {
  return type === "PropertyValue";
}

/** Passwords and secrets must not come in the query string. */
export function isSecret(type: string): boolean {
  return SECRETS.has(type);
}

/** The faults of a value of a type, as JSON pointers; empty when it fits. */
export function faultsOf(type: string, value: unknown): readonly string[] {
  const check = CHECKS[type];
  if (!check) throw new Error(`the reference knows no values of type ${type}: add it to reference/values.ts`);
  return check(value);
}

/** A value of the query string as its type's JSON form; left as text where it is none. */
export function fromQuery(type: string, value: string): unknown {
  if (type === "Boolean" && (value === "true" || value === "false")) return value === "true";
  if ((type === "PageLimit" || type === "ModelRevision") && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (!JSON_IN_QUERY.test(type)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
