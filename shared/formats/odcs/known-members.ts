import { escapePointerToken } from "../../domain/text/characters.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { isObject, type JsonObject } from "../common/json-object.ts";
import type { OwnMembers } from "../common/writing/own-members.ts";

/** Members of ODCS 3.1 at a position with a test of their values. */
export type KnownMembers = Readonly<Record<string, (value: unknown) => boolean>>;

const isText = (value: unknown) => typeof value === "string";
const isFlag = (value: unknown) => typeof value === "boolean";
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isTextList = (value: unknown) => Array.isArray(value) && value.every(isText);
const isNumber = (value: unknown) => typeof value === "number";
const isOneOf =
  (...values: readonly unknown[]) =>
  (value: unknown) =>
    values.includes(value);
const isListOfObjects =
  (...names: readonly string[]) =>
  (value: unknown) =>
    Array.isArray(value) && value.every((one) => isObject(one) && names.every((member) => member in one));

const hasOnlyMembers =
  (...members: readonly string[]) =>
  (value: unknown) =>
    isObject(value) && Object.keys(value).every((member) => members.includes(member));

const DEFINITIONS = isListOfObjects("url", "type");

const ELEMENT: KnownMembers = {
  id: (value) => typeof value === "string" && /^[\w-]+$/.test(value),
  physicalType: isText,
  physicalName: isText,
  authoritativeDefinitions: DEFINITIONS,
  quality: isListOfObjects(),
  customProperties: isListOfObjects("property", "value"),
};

const TEAM = hasOnlyMembers(
  ...["id", "name", "description", "members", "tags", "customProperties", "authoritativeDefinitions"],
);

export const CONTRACT: KnownMembers = {
  id: isText,
  status: isText,
  tenant: isText,
  dataProduct: isText,
  domain: isText,
  servers: isListOfObjects("server", "type"),
  support: isListOfObjects("channel"),
  price: hasOnlyMembers("id", "priceAmount", "priceCurrency", "priceUnit"),
  team: (value) => TEAM(value) || isListOfObjects("username")(value),
  roles: isListOfObjects("role"),
  slaDefaultElement: isText,
  slaProperties: isListOfObjects("property", "value"),
  authoritativeDefinitions: DEFINITIONS,
  customProperties: isListOfObjects("property", "value"),
  contractCreatedTs: isText,
  description: isObject,
};

export const OBJECT: KnownMembers = { ...ELEMENT, dataGranularityDescription: isText };

export const PROPERTY: KnownMembers = {
  ...ELEMENT,
  partitioned: isFlag,
  partitionKeyPosition: Number.isSafeInteger,
  classification: isText,
  encryptedName: isText,
  transformSourceObjects: isTextList,
  transformLogic: isText,
  transformDescription: isText,
  criticalDataElement: isFlag,
};

export const LIST: KnownMembers = { ...PROPERTY, items: isListItem };

export const PART: KnownMembers = {
  ...PROPERTY,
  ...{ businessName: isText, description: isText, tags: isTextList, unique: isFlag, primaryKey: isFlag },
  primaryKeyPosition: Number.isSafeInteger,
  examples: Array.isArray,
  logicalTypeOptions: (value) =>
    isObject(value) && Object.entries(value).every(([option, one]) => isOption("object", option, one)),
};

export const RELATIONSHIP: KnownMembers = {
  type: isOneOf("foreignKey"),
  customProperties: isListOfObjects("property", "value"),
};

const NUMBERS: KnownMembers = {
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  ...{ minimum: isNumber, maximum: isNumber, exclusiveMinimum: isNumber, exclusiveMaximum: isNumber },
};
const DATES: KnownMembers = {
  format: isText,
  ...{ minimum: isText, maximum: isText, exclusiveMinimum: isText, exclusiveMaximum: isText },
};
const TIMES: KnownMembers = { ...DATES, timezone: isFlag, defaultTimezone: isText };
const WIDTHS = ["8", "16", "32", "64", "128"];

/** Options of each logical type. A boolean may have any option. */
const OPTIONS: Readonly<Record<string, KnownMembers>> = {
  string: { minLength: isCount, maxLength: isCount, pattern: isText, format: isText },
  date: DATES,
  timestamp: TIMES,
  time: TIMES,
  integer: { ...NUMBERS, format: isOneOf(...WIDTHS.flatMap((width) => [`i${width}`, `u${width}`])) },
  number: { ...NUMBERS, format: isOneOf("f32", "f64") },
  array: { minItems: isCount, maxItems: isCount, uniqueItems: isFlag },
  object: { minProperties: isCount, maxProperties: isCount, required: (value) => isTextList(value) && isSet(value) },
};

function isSet(value: unknown) {
  return Array.isArray(value) && value.length > 0 && new Set(value).size === value.length;
}

export const CONSTRAINT_OPTIONS: readonly string[] = [
  ...["minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ...["multipleOf", "minItems", "maxItems", "uniqueItems"],
];

/** Returns true for a valid option of a logical type. */
export function isOption(logicalType: unknown, option: string, value: unknown): boolean {
  if (logicalType === "boolean") return true;
  const options = typeof logicalType === "string" ? OPTIONS[logicalType] : undefined;
  return options !== undefined && Object.hasOwn(options, option) && options[option]?.(value) === true;
}

export const LOGICAL_TYPES = new Set<unknown>([
  ...["string", "date", "timestamp", "time", "number", "integer", "object", "array", "boolean"],
]);

function isListItem(value: unknown) {
  if (!isObject(value)) return false;
  const own: KnownMembers = {
    ...PART,
    ...LIST,
    ...{ name: isText, required: isFlag, logicalType: (type) => LOGICAL_TYPES.has(type) },
    logicalTypeOptions: (options) =>
      isObject(options) && Object.entries(options).every(([option, one]) => isOption(value.logicalType, option, one)),
    properties: (list) => isListOfObjects("name")(list) && (list as readonly unknown[]).every(isListItem),
    relationships: isListOfObjects("to"),
  };
  return splitKnownMembers(value, own).odd.length === 0;
}

function splitKnownMembers(members: JsonObject, tests: KnownMembers) {
  const isKnown = ([member, value]: readonly [string, unknown]) =>
    Object.hasOwn(tests, member) && tests[member]?.(value) === true;
  const all = Object.entries(members);
  return { own: Object.fromEntries(all.filter(isKnown)), odd: all.filter((one) => !isKnown(one)) };
}

/** Moves unknown members to the custom properties, with a warning. */
export function moveUnknownToCustom({ members, others }: OwnMembers, tests: KnownMembers, at: Diagnostics): JsonObject {
  const { own, odd } = splitKnownMembers(members, tests);
  for (const [member] of odd) {
    const detail = "not a valid ODCS member; it is written as a custom property";
    at.warn(`/properties/${escapePointerToken(`odcs:${member}`)}`, "written_otherwise", detail);
  }
  return addCustomProperties(own, [...odd, ...others]);
}

export function addCustomProperties(members: JsonObject, pairs: readonly (readonly [string, unknown])[]): JsonObject {
  if (pairs.length === 0) return members;
  const { customProperties } = members;
  const own: readonly unknown[] = Array.isArray(customProperties) ? customProperties : [];
  return { ...members, customProperties: [...own, ...pairs.map(([property, value]) => ({ property, value }))] };
}
