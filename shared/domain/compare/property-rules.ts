import { type ChangeName, toEffect } from "../change-kinds.ts";
import type { Effect, ObjectType } from "../differences.ts";
import { PHYSICAL } from "../normal-form/dialect-rules.ts";
import { isSameValue } from "../text/json-values.ts";
import type { ChangeRule, ComparedObject } from "./compared-object.ts";
import { assessDefault, COMPUTED_PROPERTY, DEFAULT_PROPERTIES, IDENTITY_PROPERTIES } from "./defaults.ts";
import { assessSchemas, findSchemaKeyword } from "./nested-schemas.ts";
import { createRule } from "./rules.ts";
import { isSaidByConstraints } from "./said-checks.ts";

/** Kinds of changes of properties that say how a database stores, finds or numbers something. */
const KINDS: Readonly<Partial<Record<ChangeName, readonly string[]>>> = {
  otherStorage: [
    ...["sql:options", "sql:partitionBy", "sql:stored", "sql:tablespace", "sql:encoding", "sql:encode"],
    ...["sql:distkey", "sql:sortkey", PHYSICAL],
  ],
  otherEquality: ["sql:collation"],
  otherCharacters: ["sql:charset"],
  otherEffect: ["sql:onDelete", "sql:onUpdate", "sql:deferrable", "sql:match", "dbml:onDelete", "dbml:onUpdate"],
  otherQuery: ["sql:query"],
  otherKind: ["sql:kind"],
};

const BY_NAME: ReadonlyMap<string, ChangeRule> = new Map<string, ChangeRule>([
  ...Object.entries(KINDS).flatMap(([name, properties]) =>
    // The keys of the table are names of changes.
    properties.map((property) => [property, createRule(name as ChangeName)] as const),
  ),
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

const DOCUMENTED = toEffect("documented");

type Entries = readonly Readonly<Record<string, unknown>>[];

/** Returns the entries of a list without its equal ones in another list. */
function subtract(list: Entries, others: Entries): Entries {
  return list.filter((one) => !others.some((other) => isSameValue(one, other)));
}

function toEntries(value: unknown): Entries {
  return Array.isArray(value) ? value : [];
}

function assessIndexes(before: unknown, after: unknown): readonly Effect[] {
  const [old, fresh] = [toEntries(before), toEntries(after)].map((list) =>
    list.filter(({ unique }) => unique === true),
  );
  return [
    ...subtract(fresh ?? [], old ?? []).map(() => toEffect("addedUnique", "a unique index")),
    ...subtract(old ?? [], fresh ?? []).map(() => toEffect("removedUnique", "a unique index")),
    toEffect("otherStorage"),
  ];
}

function assessChecks(before: unknown, after: unknown, sides: Parameters<ChangeRule>[2]): readonly Effect[] {
  const list = (value: unknown, of: ComparedObject) =>
    new Set(toEntries(value).flatMap((one) => (isSaidByConstraints(one.check ?? one, of) ? [] : [String(one.check)])));
  const [old, fresh] = [list(before, sides.before), list(after, sides.after)];
  const [gone, added] = [[...old.difference(fresh)], [...fresh.difference(old)]];
  if (gone.length > 0 && added.length > 0) return [toEffect("otherCheck", `check ${added.join(", ")}`)];
  return [
    ...added.map((check) => toEffect("newCheck", `check ${check}`)),
    ...gone.map((check) => toEffect("noCheck", `check ${check}`)),
    // Constraints of the attributes say the others.
    ...(gone.length + added.length === 0 ? [DOCUMENTED] : []),
  ];
}

function assessDefaultProperty(_: unknown, __: unknown, sides: Parameters<ChangeRule>[2]): readonly Effect[] {
  const effects = assessDefault(sides);
  return effects.length > 0 ? effects : [toEffect("sameValues")];
}

/** Only the database numbers the rows of an identity that is `always` its own. */
function assessIdentity(before: unknown, after: unknown, sides: Parameters<ChangeRule>[2]): readonly Effect[] {
  if ((before === undefined) !== (after === undefined)) return assessDefaultProperty(before, after, sides);
  const isAlways = (value: unknown) => typeof value === "string" && value.startsWith("always");
  if (isAlways(before) === isAlways(after)) return [toEffect("otherStorage")];
  return [toEffect(isAlways(after) ? "becameComputed" : "moreValues")];
}

function assessComputed(
  before: unknown,
  after: unknown,
  { after: attribute }: Parameters<ChangeRule>[2],
): readonly Effect[] {
  if (before === undefined) return [toEffect("becameComputed")];
  if (after !== undefined) return [toEffect("computedOtherwise")];
  return [toEffect(attribute.members.optional === false ? "defaultNeeded" : "noLongerComputed")];
}
