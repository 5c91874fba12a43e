import { WELL_KNOWN } from "../../../../shared/domain/model/property-definitions.ts";
import { isObject } from "./checks.ts";
import { jsonOf } from "./constraints.ts";
import type { RefDefinition, RefTags } from "./objects.ts";
import { type RefProperties, step } from "./properties.ts";

/** The definitions that come with the service: their texts and schemas are facts, which are said once. */
const OF_SERVICE: readonly RefDefinition[] = WELL_KNOWN.map((one) => ({ ...one, schema: { ...one.schema } }));

export const comesWithService = (key: string): boolean => OF_SERVICE.some((one) => one.key === key);

/** All definitions in force: the stored ones, and those of the service in the place of which none is stored. */
export function definitionsIn({ definitions }: Pick<RefTags, "definitions">): readonly RefDefinition[] {
  return [...definitions, ...OF_SERVICE.filter(({ key }) => !definitions.some((one) => one.key === key))];
}

const TYPE_OF: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  object: isObject,
  array: Array.isArray,
  null: (value) => value === null,
};

type Schema = NonNullable<RefDefinition["schema"]>;

/** The place in a value that is not as a schema says, as a JSON pointer below it; undefined where it fits. */
function placeOfMisfit(value: unknown, schema: Schema): string | undefined {
  const { type, enum: allowed, minimum, maximum, pattern, items } = schema;
  const types = type === undefined ? Object.keys(TYPE_OF) : [type].flat();
  if (!types.some((one) => TYPE_OF[String(one)]?.(value))) return "";
  if (Array.isArray(allowed) && !allowed.map(jsonOf).includes(jsonOf(value))) return "";
  if (typeof value === "number" && (value < Number(minimum) || value > Number(maximum))) return "";
  if (typeof value === "string" && pattern !== undefined && !new RegExp(String(pattern), "u").test(value)) return "";
  if (!Array.isArray(value) || items === undefined) return undefined;
  const inside = value.map((one, i) => [i, placeOfMisfit(one, items as Schema)] as const);
  const [first] = inside.filter(([, place]) => place !== undefined);
  return first && `/${first[0]}${first[1]}`;
}

/** The place of a property's value that is not as it is defined. */
export function misfitOf(tags: () => RefTags, kind: string, name: string, value: unknown): string | undefined {
  const definition = definitionsIn(tags()).find(({ key }) => key === name);
  if (definition?.kinds && !definition.kinds.includes(kind === "global_tag" ? "tag" : kind)) return "";
  return definition?.schema && placeOfMisfit(value, definition.schema);
}

interface Held {
  readonly properties?: RefProperties | undefined;
}

/** The places of the properties of an object that are not as they are defined, below the object. */
export function misfitsIn(tags: () => RefTags, kind: string, { properties = {} }: Held): readonly string[] {
  return Object.entries(properties).flatMap(([name, value]) => {
    const place = misfitOf(tags, kind, name, value);
    return place === undefined ? [] : [`/properties${step(name)}${place}`];
  });
}

const KIND_IN: Readonly<Record<string, string>> = {
  types: "type",
  entities: "entity",
  relationships: "relationship",
  attributes: "attribute",
  businessKeys: "business_key",
  localTags: "tag",
  tagGroups: "tag_group",
  tags: "tag",
};

/** The places of all such properties in a document, or in one object of it. */
export function misfitsInDocument(tags: () => RefTags, holder: object, kind = "model"): readonly string[] {
  const below = Object.entries(holder).flatMap(([member, list]) => {
    const inner = KIND_IN[member];
    if (inner === undefined || !Array.isArray(list)) return [];
    return list.flatMap((one, i) => {
      // Tags of an object are refs.
      const places = isObject(one) ? misfitsInDocument(tags, one, inner) : [];
      return places.map((place) => `/${member}/${i}${place}`);
    });
  });
  return [...misfitsIn(tags, kind, holder as Held), ...below];
}
