import { type Check, hasOnly, isKey, isObject, isRef, listOf, pairOf, RIGHT, text, WRONG } from "./checks.ts";
import { constraintsFault } from "./constraints.ts";
import { isPropertyName, propertyValueFault } from "./properties.ts";
import { isTagKey, tagName } from "./tag-refs.ts";

const HOLDER_KINDS = ["model", "type", "entity", "relationship", "attribute", "business_key", "tag", "tag_group"];

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** True for a pattern without what needs backtracking; the histories write no others that are wrong. */
const isPattern = (source: unknown) => typeof source === "string" && !/\(\?[=!<]|\\[1-9b]|\*\*/.test(source);

const KEYWORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => [value].flat().length > 0 && [value].flat().every((one) => TYPES.includes(String(one))),
  enum: (value) => Array.isArray(value) && value.length > 0,
  minimum: (value) => typeof value === "number",
  maximum: (value) => typeof value === "number",
  pattern: isPattern,
  items: isObject,
};

/** A JSON Schema of the known keywords; only the first fault is told. */
const schemaFault: Check = (value) => {
  if (!isObject(value)) return WRONG;
  const wrong = Object.keys(value).find((keyword) => !KEYWORDS[keyword]?.(value[keyword]));
  if (wrong !== undefined) return [`/${wrong}`];
  if (Number(value.minimum) > Number(value.maximum)) return ["/minimum"];
  return value.items === undefined ? RIGHT : schemaFault(value.items).map((below) => `/items${below}`);
};

const isLine = (t: string) => t.trim() !== "" && t.length <= 200 && !/[\n\r\u2028\u2029]/.test(t);
const isMarkdown = (t: string) => t.trim() !== "" && Buffer.byteLength(t) <= 100_000;
const isLink = (t: string) =>
  t.length <= 2_048 && /^(https?|ftp):\/\/(?![^/?#]*[^/?#@]@)[^\s]+$|^mailto:[^\s]+$/.test(t);
const isVersion = (t: string) =>
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/.test(t) &&
  !(/-/.test(t) && /(^|\.)0\d+(\.|$)/.test(t.slice(t.indexOf("-") + 1)));

const key = text(isKey);
const ref = text(isRef);
const holderKind = text((t) => HOLDER_KINDS.includes(t));

/** The name of a plan tells what the plan rests on. `binding.ts` knows its name in the service. */
export const PLAN: RegExp = /^plan (\d+)\.(\d+)\.([0-9a-f]{64})$/;

const objectId = text((t) => isRef(`id:${t.replace(/^id:/, "")}`));
const revision: Check = (value) => (Number.isInteger(value) && Number(value) >= 1 ? RIGHT : WRONG);
const filled =
  (list: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length === 0 ? WRONG : list(value);

const anyText = text((t) => t !== "" && t.length <= 256);
const SELECTED: Readonly<Record<string, Check>> = {
  objects: objectId,
  kinds: text((t) => [...HOLDER_KINDS.slice(0, 7)].includes(t)),
  paths: text((t) => anyText(t) === RIGHT && !t.includes("\\")),
  members: anyText,
  authors: objectId,
  runs: objectId,
};

/** Lists of what is selected; an unknown one is a fault of the whole. */
const selectionFault: Check = (value) => {
  if (!isObject(value) || Object.keys(value).length === 0) return WRONG;
  const known = Object.entries(SELECTED).flatMap(([name, item]) =>
    value[name] === undefined ? [] : filled(listOf(item, 100))(value[name]).map((below) => `/${name}${below}`),
  );
  return hasOnly(value, ...Object.keys(SELECTED)) ? known : [...known, ...WRONG];
};

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

const entriesFault = filled(listOf(entryFault, 20_000));

/** Kinds with a type of keys and one of refs, and those with a type of plain refs alone. */
const NAMED = ["Model", "Type", "Entity", "Relationship", "RelationshipRole", "BusinessKey"];
const NAMED_BY_REFS = ["EntityAttribute", "RelationshipAttribute", "TagGroup", "PropertyDefinition"];

/** Every type of parameter: contract section 2, and what `inspect_type_system` tells in words. */
const CHECKS: Readonly<Record<string, Check>> = {
  ...Object.fromEntries([...NAMED, "Attribute"].map((kind) => [`${kind}Key`, key])),
  ...Object.fromEntries([...NAMED, ...NAMED_BY_REFS].map((kind) => [`${kind}Ref`, ref])),
  "List<EntityAttributeRef>": listOf(ref, 100),
  "Pair<EntityAttributeRef>": pairOf(ref),
  "List<Pair<EntityAttributeRef>>": listOf(pairOf(ref), 100),
  RelationshipCardinality: text((t) => ["zeroOrOne", "one", "many", "unknown"].includes(t)),
  TagKey: text(isTagKey),
  TagGroupKey: text(isTagKey),
  TagRef: text((t) => tagName(t) !== undefined),
  LocalTagRef: text((t) => tagName(t) !== undefined && tagName(t)?.group === undefined),
  GlobalTagRef: text((t) => tagName(t)?.id !== undefined || tagName(t)?.group !== undefined),
  RunRef: ref,
  RequestIdentifier: text((t) => t.trim() !== "" && t.length <= 128),
  OnUndoConflict: text((t) => t === "keep" || t === "back"),
  PlanName: text((t) => PLAN.test(t) || /^[0-9a-f]{64}$/.test(t)),
  UndoSelection: selectionFault,
  AttributeSort: text((t) => t === "declared" || t === "key"),
  ObjectId: objectId,
  "List<ObjectId>": filled(listOf(objectId, 100)),
  "List<ModelRevision>": filled(listOf(revision, 100)),
  "List<BatchEntry>": entriesFault,
  TextSingleLine: text(isLine),
  TextMarkdown: text(isMarkdown),
  Link: text(isLink),
  ModelVersion: text(isVersion),
  ModelAuthority: text((t) => t === "system" || t === "canonical"),
  PropertyName: text(isPropertyName),
  PropertySchema: schemaFault,
  PropertyImpact: text((t) => t === "cosmetic" || t === "breaking"),
  "List<PropertyHolderKind>": listOf(holderKind, 8),
  PropertyValue: propertyValueFault,
  Constraints: constraintsFault,
  Boolean: (value) => (typeof value === "boolean" ? RIGHT : WRONG),
  ModelRevision: revision,
  PageLimit: (value) => (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1_000 ? RIGHT : WRONG),
  Cursor: text((t) => t.length <= 400),
  SourceContent: (value) => (typeof value === "string" || isObject(value) ? RIGHT : WRONG),
};

const JSON_IN_QUERY = /^(List<.*|SourceContent|Constraints|PropertyValue|PropertySchema|UndoSelection)$/;

/** True for the types that take null and "" as values like any other. */
export function takesNothing(type: string): boolean {
  return type === "PropertyValue";
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
