import { toEffect } from "../change-kinds.ts";
import { assessConstraints } from "../constraints/assess.ts";
import { type Constraints, isKeyword } from "../constraints/keywords.ts";
import type { Effect } from "../differences.ts";
import { escapePointerToken } from "../text/characters.ts";
import { isSameValue } from "../text/json-values.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Judges one keyword from both values, at a place in the schema. */
type JudgeKeyword = (
  before: unknown,
  after: unknown,
  at: string,
  schemas: readonly [Schema, Schema],
) => readonly Effect[];

/** Most effects that one schema has. A change of everything says no more with all of them. */
const MOST_EFFECTS = 20;

/**
 * Assesses a change of a schema of JSON Schema or OpenAPI, with the pointer of each changed part: objects like entities, and
 * values like those of attributes. The effect of an unknown keyword is unclear.
 */
export function assessSchemas(before: unknown, after: unknown): readonly Effect[] {
  const effects = assessPair(before, after, "").slice(0, MOST_EFFECTS);
  return effects.length > 0 ? effects : [toEffect("documentationChanged")];
}

function assessPair(before: unknown, after: unknown, at: string): readonly Effect[] {
  if (isSameValue(before, after)) return [];
  if (!isSchema(before) || !isSchema(after)) return [assessWhole(before, after, at)];
  const [old, fresh] = [readConstraints(before), readConstraints(after)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [
    ...(isSameValue(old, fresh) ? [] : assessConstraints(old, fresh).map((effect) => addPlace(effect, at))),
    ...[...names].sort().flatMap((name) => {
      if (isKeyword(name) && name !== "default") return [];
      const [was, is] = [before[name], after[name]];
      const judge = Object.hasOwn(JUDGES, name) ? JUDGES[name] : judgeUnknown;
      return isSameValue(was, is) || name.startsWith("x-")
        ? []
        : (judge?.(was, is, `${at}/${escapePointerToken(name)}`, [before, after]) ?? []);
    }),
  ];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `true` and no schema allow every value, `false` none. */
function assessWhole(before: unknown, after: unknown, at: string): Effect {
  const allowsAll = (value: unknown) => value === undefined || value === true || isSameValue(value, {});
  if (allowsAll(after) || before === false) return toEffect("valuesWidened", at);
  return toEffect(allowsAll(before) || after === false ? "valuesNarrowed" : "valuesUnclear", at);
}

function readConstraints(schema: Schema): Constraints {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => isKeyword(name) && name !== "default"));
}

function addPlace(effect: Effect, at: string): Effect {
  return at === "" ? effect : { ...effect, reason: `${at}: ${effect.reason}` };
}

const judgeUnknown: JudgeKeyword = (_, __, at) => [toEffect("valuesUnclear", at)];
const judgeDocumentation: JudgeKeyword = () => [];
const judgeNested: JudgeKeyword = (before, after, at) => assessPair(before, after, at);

/** A schema that is absent allows every value. */
const judgeList: JudgeKeyword = (before, after, at) => {
  if (!Array.isArray(before) || !Array.isArray(after)) return judgeUnknown(before, after, at, [{}, {}]);
  return before.flatMap((one, i) => (i < after.length ? assessPair(one, after[i], `${at}/${i}`) : []));
};

/** One more alternative allows more values, one less fewer. */
const judgeAlternatives: JudgeKeyword = (before, after, at, schemas) => {
  if (!Array.isArray(before) || !Array.isArray(after)) return [assessWhole(before, after, at)];
  return [
    ...judgeList(before, after, at, schemas),
    ...(after.length > before.length ? [toEffect("valuesWidened", `${at}/${before.length}`)] : []),
    ...(after.length < before.length ? [toEffect("valuesNarrowed", `${at}/${after.length}`)] : []),
  ];
};

/** One more condition allows fewer values, one less more. */
const judgeConditions: JudgeKeyword = (before = [], after = [], at, schemas) => {
  const [old, fresh] = [before, after] as readonly (readonly unknown[])[];
  if (!Array.isArray(old) || !Array.isArray(fresh)) return judgeUnknown(before, after, at, schemas);
  return [
    ...judgeList(old, fresh, at, schemas),
    ...(fresh.length > old.length ? [toEffect("valuesNarrowed", `${at}/${old.length}`)] : []),
    ...(fresh.length < old.length ? [toEffect("valuesWidened", `${at}/${fresh.length}`)] : []),
  ];
};

const judgeProperties: JudgeKeyword = (before = {}, after = {}, at, [, schema]) => {
  if (!isSchema(before) || !isSchema(after)) return judgeUnknown(before, after, at, [{}, {}]);
  const required = listRequired(schema);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const place = `${at}/${escapePointerToken(name)}`;
    if (!Object.hasOwn(after, name)) return [toEffect("removed", place)];
    if (Object.hasOwn(before, name)) return assessPair(before[name], after[name], place);
    return [toEffect(required.has(name) ? "addedRequired" : "added", place)];
  });
};

function listRequired({ required }: Schema): ReadonlySet<unknown> {
  return new Set(Array.isArray(required) ? required : []);
}

/** New and removed properties are judged as such. */
const judgeRequired: JudgeKeyword = (_, __, at, schemas) => {
  const [old, fresh] = schemas.map(listRequired);
  const [had, has] = schemas.map(({ properties }) => (isSchema(properties) ? properties : {}));
  const isKept = (name: unknown) => Object.hasOwn(had ?? {}, String(name)) === Object.hasOwn(has ?? {}, String(name));
  const toPlace = (name: unknown) => `${at}/${String(name)}`;
  return [
    ...[...(fresh?.difference(old ?? new Set()) ?? [])]
      .filter(isKept)
      .map((name) => toEffect("becameRequired", toPlace(name))),
    ...[...(old?.difference(fresh ?? new Set()) ?? [])]
      .filter(isKept)
      .map((name) => toEffect("becameOptional", toPlace(name))),
  ];
};

/** What is excluded allows fewer values. */
const judgeExclusion: JudgeKeyword = (before, after, at) => {
  if (before === undefined) return [toEffect("valuesNarrowed", at)];
  return [toEffect(after === undefined ? "valuesWidened" : "valuesUnclear", at)];
};

const judgeType: JudgeKeyword = (before, after, at) => {
  if (before === undefined || after === undefined)
    return [toEffect(after === undefined ? "valuesWidened" : "valuesNarrowed", at)];
  const [old, fresh] = [before, after].map((types) => new Set([types].flat()));
  if (!old || !fresh) return [];
  // Each integer is a number.
  const holds = (all: ReadonlySet<unknown>, types: ReadonlySet<unknown>) =>
    [...types].every((type) => all.has(type) || (type === "integer" && all.has("number")));
  if (holds(fresh, old)) return [toEffect("valuesWidened", at)];
  return [toEffect(holds(old, fresh) ? "valuesNarrowed" : "typeChanged", at)];
};

const DOCUMENTATION =
  "$comment $id $schema description deprecated example examples externalDocs readOnly title writeOnly xml";

const JUDGES: Readonly<Record<string, JudgeKeyword>> = {
  ...Object.fromEntries(DOCUMENTATION.split(" ").map((name) => [name, judgeDocumentation])),
  default: (before, after, at) => [
    toEffect(
      "defaultChanged",
      `${at}: ${JSON.stringify(after) ?? "none"} instead of ${JSON.stringify(before) ?? "none"}`,
    ),
  ],
  type: judgeType,
  properties: judgeProperties,
  required: judgeRequired,
  items: judgeNested,
  prefixItems: judgeList,
  additionalProperties: judgeNested,
  propertyNames: judgeNested,
  oneOf: judgeAlternatives,
  anyOf: judgeAlternatives,
  allOf: judgeConditions,
  not: judgeExclusion,
  schema: judgeNested,
};

/** Properties of these namespaces that say where a schema comes from, and not which values it allows. */
const NAMESPACE = /^(?:jsonschema|openapi):(.+)$/;
const ABOUT_THE_SOURCE = new Set(
  "$id $schema alternative holds parts property usedIn discriminator components info servers tags paths security".split(
    " ",
  ),
);

/** Returns the keyword of a property that keeps a part of a schema; undefined for other properties. */
export function findSchemaKeyword(property: string): string | undefined {
  const keyword = NAMESPACE.exec(property)?.[1];
  return keyword === undefined || ABOUT_THE_SOURCE.has(keyword) ? undefined : keyword;
}
