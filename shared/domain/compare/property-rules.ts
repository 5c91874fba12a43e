import { type ChangeName, toEffect } from "../change-kinds.ts";
import type { Effect, ObjectType } from "../differences.ts";
import { PHYSICAL } from "../normal-form/dialect-rules.ts";
import { toCanonicalJson } from "../text/json-values.ts";
import type { ChangeRule, ComparedObject, ComparedSides } from "./compared-object.ts";
import { assessDefault, COMPUTED_PROPERTY, DEFAULT_PROPERTIES, IDENTITY_PROPERTIES } from "./defaults.ts";
import { assessSchemas, findSchemaKeyword } from "./nested-schemas.ts";
import { createRule } from "./rules.ts";

/** Kinds of changes, each with the properties that describe how a database stores, compares or connects values. */
const KINDS: readonly (readonly [ChangeName, ...properties: readonly string[]])[] = [
  [
    "storageChanged",
    ...["sql:options", "sql:partitionBy", "sql:stored", "sql:tablespace", "sql:encoding", "sql:encode"],
    ...["sql:distkey", "sql:sortkey", PHYSICAL],
  ],
  ["collationChanged", "sql:collation"],
  ["charsetChanged", "sql:charset"],
  ["actionChanged", "sql:onDelete", "sql:onUpdate", "sql:deferrable", "sql:match", "dbml:onDelete", "dbml:onUpdate"],
  ["queryChanged", "sql:query"],
  ["kindChanged", "sql:kind"],
];

const BY_NAME: ReadonlyMap<string, ChangeRule> = new Map<string, ChangeRule>([
  ...KINDS.flatMap(([name, ...properties]) => properties.map((property) => [property, createRule(name)] as const)),
  ...["sql:indexes", "dbml:indexes"].map((name) => [name, assessIndexes] as const),
  ...["sql:checks", "dbml:checks"].map((name) => [name, assessChecks] as const),
  ...DEFAULT_PROPERTIES.map((name) => [name, assessDefaultProperty] as const),
  ...IDENTITY_PROPERTIES.map((name) => [name, assessIdentity] as const),
  [COMPUTED_PROPERTY, assessComputed],
]);

/** Returns the rule for changes of a property that readers set; undefined for documentation. */
export function findPropertyRule(objectType: ObjectType, name: string): ChangeRule | undefined {
  const rule = BY_NAME.get(name);
  if (rule) return rule;
  const keyword = objectType === "model" ? undefined : findSchemaKeyword(name);
  return keyword === undefined
    ? undefined
    : (before, after) => assessSchemas(toSchema(keyword, before), toSchema(keyword, after));
}

function toSchema(keyword: string, value: unknown): object {
  return value === undefined ? {} : { [keyword]: value };
}

type Entries = readonly Readonly<Record<string, unknown>>[];

function toEntries(value: unknown): Entries {
  return Array.isArray(value) ? value : [];
}

function assessIndexes(before: unknown, after: unknown): readonly Effect[] {
  const listUnique = (value: unknown) =>
    new Set(toEntries(value).flatMap((index) => (index.unique === true ? [toCanonicalJson(index)] : [])));
  const [old, fresh] = [listUnique(before), listUnique(after)];
  return [
    ...[...fresh.difference(old)].map(() => toEffect("addedUnique", "a unique index")),
    ...[...old.difference(fresh)].map(() => toEffect("removedUnique", "a unique index")),
    toEffect("storageChanged"),
  ];
}

function assessChecks(before: unknown, after: unknown, sides: ComparedSides): readonly Effect[] {
  const list = (value: unknown, { statesCheck }: ComparedObject) => {
    const checks = toEntries(value).map(({ check, exclude }) => String(check ?? exclude));
    return new Set(checks.filter((check) => !statesCheck?.(check)));
  };
  const [old, fresh] = [list(before, sides.before), list(after, sides.after)];
  const [gone, added] = [[...old.difference(fresh)], [...fresh.difference(old)]];
  if (gone.length > 0 && added.length > 0) return [toEffect("checkChanged", `check ${added.join(", ")}`)];
  const effects = [
    ...added.map((check) => toEffect("checkAdded", `check ${check}`)),
    ...gone.map((check) => toEffect("checkRemoved", `check ${check}`)),
  ];
  // The others are assessed as constraints of the attributes, or only their names changed.
  return effects.length > 0 ? effects : [toEffect("documentationChanged")];
}

function assessDefaultProperty(_: unknown, __: unknown, sides: ComparedSides): readonly Effect[] {
  const effects = assessDefault(sides);
  return effects.length > 0 ? effects : [toEffect("valuesUnchanged")];
}

/** Only the database numbers the rows of an identity that is `always` its own. */
function assessIdentity(before: unknown, after: unknown, sides: ComparedSides): readonly Effect[] {
  if ((before === undefined) !== (after === undefined)) return assessDefaultProperty(before, after, sides);
  const isAlways = (value: unknown) => typeof value === "string" && value.startsWith("always");
  if (isAlways(before) === isAlways(after)) return [toEffect("storageChanged")];
  return [toEffect(isAlways(after) ? "becameComputed" : "valuesWidened")];
}

function assessComputed(before: unknown, after: unknown, { after: attribute }: ComparedSides): readonly Effect[] {
  if (before === undefined) return [toEffect("becameComputed")];
  if (after !== undefined) return [toEffect("computationChanged")];
  return [toEffect(attribute.members.optional === false ? "defaultRemovedFromRequired" : "computationRemoved")];
}
