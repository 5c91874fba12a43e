import { ifDefined } from "../../domain/content.ts";
import type { ModelDocument } from "../../domain/document.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import { sqlType } from "../tables/sql-type.ts";
import { columnType } from "../writing/column-type.ts";
import type { ModelColumn, ModelTable } from "../writing/model-tables.ts";
import { ownMembers } from "../writing/own-members.ts";
import { tagTexts } from "../writing/tag-texts.ts";
import { withCustom, withMore } from "./custom-properties.ts";
import { isOption, LIST, LOGICAL_TYPES, PROPERTY } from "./known-members.ts";

const TAKEN = new Set([
  ...["name", "businessName", "description", "logicalType", "required", "unique", "primaryKey", "primaryKeyPosition"],
  ...["examples", "tags", "properties", "relationships"],
]);

/** A column as a property of a schema object, but for its name. */
export function propertyOf(
  column: ModelColumn,
  { primaryKey, unique }: ModelTable,
  document: ModelDocument,
): JsonObject {
  const { attribute, at, key, inKey } = column;
  const { name, description, tags, optional, constraints = {}, properties = {} } = attribute;
  const { unique: isUnique, examples, ...options } = constraints;
  const { type, said, isNew } = typeOf(column);
  const kept = Object.fromEntries(Object.entries(properties).filter(([one]) => !said.properties.has(one)));
  const own = ownMembers(kept, "odcs", TAKEN, at);
  const { logicalTypeOptions, physicalType, items, ...members } = own.members;
  const written = Object.entries(options).filter(([keyword]) => OPTIONS.has(keyword) && !said.keywords.has(keyword));
  const all = { ...(isObject(logicalTypeOptions) && logicalTypeOptions), ...Object.fromEntries(written) };
  const odd = Object.entries(all).filter(([option, value]) => !isOption(type.logicalType, option, value));
  for (const [option] of odd) {
    const place = option in options ? `/constraints/${option}` : "/properties/odcs:logicalTypeOptions";
    at.warn(place, "written_otherwise", "ODCS has no such option of the type; it is one of the custom properties");
  }
  const fitting = Object.entries(all).filter((one) => !odd.some(([option]) => option === one[0]));
  const hasItems = type.logicalType === undefined || type.logicalType === "array";
  const others = withCustom(
    {
      members: {
        ...members,
        ...(physicalType !== undefined && !isNew && { physicalType }),
        ...ifDefined("items", items),
      },
      others: own.others,
    },
    hasItems ? LIST : PROPERTY,
    at,
  );
  const texts = tagTexts(document, tags);
  const isSingle = isUnique === true || unique.some((set) => set.columns.length === 1 && set.columns[0] === key);
  if (isNew) at.warn("/type", "written_otherwise", "a type that ODCS does not know is written as the physical one");
  return {
    ...ifDefined("businessName", name),
    ...type,
    ...ifDefined("physicalType", others.physicalType),
    ...ifDefined("description", description),
    ...(optional ? inKey && { required: false } : { required: true }),
    ...(isSingle && { unique: true }),
    ...(inKey && { primaryKey: true, primaryKeyPosition: primaryKey.indexOf(key) + 1 }),
    ...(fitting.length > 0 && { logicalTypeOptions: Object.fromEntries(fitting) }),
    ...(examples && examples.length > 0 && { examples }),
    ...(texts.length > 0 && { tags: texts }),
    ...withMore(others, odd),
  };
}

const OPTIONS = new Set([
  ...["minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ...["multipleOf", "minItems", "maxItems", "uniqueItems"],
]);

interface Said {
  readonly keywords: ReadonlySet<string>;
  readonly properties: ReadonlySet<string>;
}

const NOTHING: Said = { keywords: new Set(), properties: new Set() };

/** The logical type, or what the physical type alone says. */
function typeOf(column: ModelColumn): { readonly type: JsonObject; readonly said: Said; readonly isNew: boolean } {
  const { type, attribute } = column;
  const physical = attribute.properties?.["odcs:physicalType"];
  if (LOGICAL_TYPES.has(type)) return { type: { logicalType: type }, said: NOTHING, isNew: false };
  if (typeof physical === "string" && sqlType(physical).type === type) {
    const isSaid = sqlType(physical).constraints.maxLength === attribute.constraints?.maxLength;
    return { type: {}, said: { ...NOTHING, ...(isSaid && { keywords: new Set(["maxLength"]) }) }, isNew: false };
  }
  if (type === "any") return { type: {}, said: NOTHING, isNew: false };
  const { text, ...said } = columnType(column, "odcs");
  return { type: { physicalType: text }, said, isNew: true };
}
