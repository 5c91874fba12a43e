import { isObject, type JsonObject } from "../json-object.ts";

/** The members that ODCS 3.1 has at a place beside those that every model has, and which values each may have. */
export type KnownMembers = Readonly<Record<string, (value: unknown) => boolean>>;

const text = (value: unknown): boolean => typeof value === "string";
const flag = (value: unknown): boolean => typeof value === "boolean";
const count = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const texts = (value: unknown): boolean => Array.isArray(value) && value.every(text);
const number = (value: unknown): boolean => typeof value === "number";
const oneOf =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);
const objects =
  (...required: readonly string[]) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every((one) => isObject(one) && required.every((member) => member in one));

const only =
  (...members: readonly string[]) =>
  (value: unknown): boolean =>
    isObject(value) && Object.keys(value).every((member) => members.includes(member));

const DEFINITIONS = objects("url", "type");

const ELEMENT: KnownMembers = {
  id: (value) => typeof value === "string" && /^[\w-]+$/.test(value),
  physicalType: text,
  physicalName: text,
  authoritativeDefinitions: DEFINITIONS,
  quality: objects(),
  customProperties: objects("property", "value"),
};

const TEAM = only("id", "name", "description", "members", "tags", "customProperties", "authoritativeDefinitions");

/** Members of a contract. */
export const CONTRACT: KnownMembers = {
  id: text,
  status: text,
  tenant: text,
  dataProduct: text,
  domain: text,
  servers: objects("server", "type"),
  support: objects("channel"),
  price: only("id", "priceAmount", "priceCurrency", "priceUnit"),
  team: (value) => TEAM(value) || objects("username")(value),
  roles: objects("role"),
  slaDefaultElement: text,
  slaProperties: objects("property", "value"),
  authoritativeDefinitions: DEFINITIONS,
  customProperties: objects("property", "value"),
  contractCreatedTs: text,
  description: isObject,
};

/** Members of a schema object. */
export const OBJECT: KnownMembers = { ...ELEMENT, dataGranularityDescription: text };

/** Members of a property. */
export const PROPERTY: KnownMembers = {
  ...ELEMENT,
  partitioned: flag,
  partitionKeyPosition: Number.isSafeInteger,
  classification: text,
  encryptedName: text,
  transformSourceObjects: texts,
  transformLogic: text,
  transformDescription: text,
  criticalDataElement: flag,
};

/** Members of a list, beside which stands what its items are. */
export const LIST: KnownMembers = { ...PROPERTY, items: isItem };

/** Members of an object that is a part of another one, with those that an attribute would tell. */
export const PART: KnownMembers = {
  ...PROPERTY,
  ...{ businessName: text, description: text, tags: texts, unique: flag, primaryKey: flag },
  primaryKeyPosition: Number.isSafeInteger,
  examples: Array.isArray,
  logicalTypeOptions: (value) =>
    isObject(value) && Object.entries(value).every(([option, one]) => isOption("object", option, one)),
};

/** Members of a relationship. */
export const RELATIONSHIP: KnownMembers = {
  type: oneOf("foreignKey"),
  customProperties: objects("property", "value"),
};

const NUMBERS: KnownMembers = {
  multipleOf: (value) => number(value) && Number(value) > 0,
  ...{ minimum: number, maximum: number, exclusiveMinimum: number, exclusiveMaximum: number },
};
const DATES: KnownMembers = {
  format: text,
  ...{ minimum: text, maximum: text, exclusiveMinimum: text, exclusiveMaximum: text },
};
const TIMES: KnownMembers = { ...DATES, timezone: flag, defaultTimezone: text };
const WIDTHS = ["8", "16", "32", "64", "128"];

/** The options of each logical type; a boolean may have any. */
const OPTIONS: Readonly<Record<string, KnownMembers>> = {
  string: { minLength: count, maxLength: count, pattern: text, format: text },
  date: DATES,
  timestamp: TIMES,
  time: TIMES,
  integer: { ...NUMBERS, format: oneOf(...WIDTHS.flatMap((width) => [`i${width}`, `u${width}`])) },
  number: { ...NUMBERS, format: oneOf("f32", "f64") },
  array: { minItems: count, maxItems: count, uniqueItems: flag },
  object: { minProperties: count, maxProperties: count, required: (value) => texts(value) && isSet(value) },
};

function isSet(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && new Set(value).size === value.length;
}

/** True for an option that a logical type may have with the value; a property without one may have none. */
export function isOption(logicalType: unknown, option: string, value: unknown): boolean {
  if (logicalType === "boolean") return true;
  const options = typeof logicalType === "string" ? OPTIONS[logicalType] : undefined;
  return options !== undefined && Object.hasOwn(options, option) && options[option]?.(value) === true;
}

/** The logical types of ODCS. */
export const LOGICAL_TYPES = new Set<unknown>([
  ...["string", "date", "timestamp", "time", "number", "integer", "object", "array", "boolean"],
]);

/** True for a property as it stands in others, without a check of what its lists hold. */
function isItem(value: unknown): boolean {
  if (!isObject(value)) return false;
  const own: KnownMembers = {
    ...PART,
    ...LIST,
    ...{ name: text, required: flag, logicalType: (type) => LOGICAL_TYPES.has(type) },
    logicalTypeOptions: (options) =>
      isObject(options) && Object.entries(options).every(([option, one]) => isOption(value.logicalType, option, one)),
    properties: (list) => objects("name")(list) && (list as readonly unknown[]).every(isItem),
    relationships: objects("to"),
  };
  return sortedOut(value, own).odd.length === 0;
}

/** Members that are known at a place, and the others. */
export function sortedOut(members: JsonObject, known: KnownMembers) {
  const isKnown = ([member, value]: readonly [string, unknown]): boolean =>
    Object.hasOwn(known, member) && known[member]?.(value) === true;
  const all = Object.entries(members);
  return { known: Object.fromEntries(all.filter(isKnown)), odd: all.filter((one) => !isKnown(one)) };
}
