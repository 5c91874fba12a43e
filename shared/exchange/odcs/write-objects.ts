import { ifDefined } from "../../domain/content.ts";
import type { ModelDocument } from "../../domain/document.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import {
  keyIn,
  type ModelReference,
  type ModelTable,
  type ModelTables,
  type OtherRelationship,
} from "../writing/model-tables.ts";
import { ownMembers } from "../writing/own-members.ts";
import { type PathGroup, pathGroups } from "../writing/path-groups.ts";
import { tagTexts } from "../writing/tag-texts.ts";
import { notBlank } from "../writing/written-name.ts";
import { withCustom } from "./custom-properties.ts";
import { propertyOf } from "./write-property.ts";

/** The schema objects of a model; lists of objects that one table holds are written inside of it. */
export interface OdcsObjects {
  written(): readonly JsonObject[];
  /** The relationships that have no place. */
  readonly others: readonly OtherRelationship[];
}

const TABLE_MEMBERS = new Set(["name", "businessName", "description", "tags", "properties", "relationships", "parts"]);

/** A property of a table by its path. */
interface PathProperty {
  readonly path: string;
  readonly written: JsonObject;
  readonly isRequired: boolean;
}

/** Prepares the schema objects of a model. */
export function createOdcsObjects(document: ModelDocument, { tables, references, others }: ModelTables): OdcsObjects {
  const held = new Map<ModelTable, { readonly holder: ModelTable; readonly property: string }>();
  const left = others.filter((other) => {
    const found = holding(other, tables);
    const isTaken = found && held.has(found.table);
    if (found && !isTaken) held.set(found.table, found);
    return !found || isTaken;
  });
  const byHolder = Map.groupBy([...held], ([, { holder }]) => holder);
  return {
    others: left,
    written: () => tables.filter((table) => !held.has(table)).map((table) => objectOf(table)),
  };

  /** The name by which relationships find a table: that of a list of objects follows its holder's. */
  function idOf(table: ModelTable): string {
    const place = held.get(table);
    return place ? `${idOf(place.holder)}.${place.property}` : notBlank(table.key);
  }

  function topOf(table: ModelTable): ModelTable {
    const place = held.get(table);
    return place ? topOf(place.holder) : table;
  }

  function objectOf(table: ModelTable): JsonObject {
    const relationships = references.filter(({ from }) => topOf(from) === table).map(relationshipOf);
    return {
      name: notBlank(table.key),
      logicalType: "object",
      ...textsOf(table),
      properties: propertiesOf(table),
      ...(relationships.length > 0 && { relationships }),
    };
  }

  /** What a table says of itself, wherever it stands. */
  function textsOf({ entity, at }: ModelTable): JsonObject {
    const { name, description, tags, properties } = entity;
    const texts = tagTexts(document, tags);
    const { parts: _, ...rest } = properties ?? {};
    const own = Object.fromEntries(Object.entries(rest).filter(([one]) => one !== "odcs:parts"));
    return {
      ...ifDefined("businessName", name),
      ...ifDefined("description", description),
      ...(texts.length > 0 && { tags: texts }),
      ...withCustom(ownMembers(own, "odcs", TABLE_MEMBERS, at)),
    };
  }

  function propertiesOf(table: ModelTable): readonly JsonObject[] {
    const columns = table.columns.map(
      (column): PathProperty => ({
        path: notBlank(column.key),
        written: propertyOf(column, table, document),
        isRequired: !column.attribute.optional,
      }),
    );
    const lists = (byHolder.get(table) ?? []).map(([inner, { property }]): PathProperty => {
      const { items, ...texts } = textsOf(inner);
      const item = { logicalType: "object", ...(isObject(items) && items), properties: propertiesOf(inner) };
      return { path: property, written: { logicalType: "array", ...texts, items: item }, isRequired: false };
    });
    const parts = table.entity.properties?.["odcs:parts"];
    return membersOf(pathGroups([...columns, ...lists]), isObject(parts) ? parts : {}, "");
  }

  function relationshipOf({ relationship, at, from, to, columns, referred }: ModelReference): JsonObject {
    const named = (table: ModelTable, keys: readonly string[]): string | readonly string[] => {
      const list = keys.map((key) => `${idOf(table)}.${notBlank(key)}`);
      return list.length === 1 ? (list[0] ?? "") : list;
    };
    const members = withCustom(ownMembers(relationship.properties, "odcs", new Set(["from", "to"]), at));
    return { type: "foreignKey", from: named(from, columns), to: named(to, referred), ...members };
  }
}

function membersOf(
  groups: readonly PathGroup<PathProperty>[],
  parts: JsonObject,
  prefix: string,
): readonly JsonObject[] {
  return groups.map((group) => {
    const { name, own } = group;
    if (own) return { name, ...own.written };
    const path = prefix + name;
    const rest = Object.hasOwn(parts, path) ? parts[path] : undefined;
    return {
      name,
      logicalType: "object",
      ...(group.inner.some(({ isRequired }) => isRequired) && { required: true }),
      ...(isObject(rest) && rest),
      properties: membersOf(pathGroups(group.inner), parts, `${path}.`),
    };
  });
}

/** The list of objects that a relationship of one holder with many tells of, where the name of the table says the same. */
function holding({ relationship }: OtherRelationship, tables: readonly ModelTable[]) {
  const { key, roles, keyPairs = [] } = relationship;
  if (roles.length !== 2 || keyPairs.length > 0) return undefined;
  const one = roles.find(({ cardinality }) => cardinality === "one");
  const many = roles.find(({ cardinality }) => cardinality === "many");
  const tableAt = (ref: string | undefined) => tables.find((table) => `key:${table.key}` === ref);
  const [holder, table] = [tableAt(one?.entity), tableAt(many?.entity)];
  if (!holder || !table || table.key !== key || !key.startsWith(`${holder.key}_`)) return undefined;
  if (one?.key !== keyIn(one?.entity ?? "") || many?.key !== keyIn(many?.entity ?? "")) return undefined;
  const property = key.slice(holder.key.length + 1);
  const isFree = property !== "" && holder.columns.every((column) => column.key.split(".", 1)[0] !== property);
  return isFree && table.columns.length > 0 && !property.includes(".") ? { holder, table, property } : undefined;
}
