import { ifDefined } from "../../domain/content.ts";
import type { ModelDocument } from "../../domain/document.ts";
import type { Findings } from "../findings.ts";
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
import { type KnownMembers, LIST, OBJECT, PART, RELATIONSHIP } from "./known-members.ts";
import { neededId, type ReferenceStep, referenceTo } from "./stable-ids.ts";
import { propertyOf } from "./write-property.ts";

/** The schema objects of a model; lists of objects that one table holds are written inside of it. */
export interface OdcsObjects {
  written(): readonly JsonObject[];
  /** The relationships that have no place. */
  readonly others: readonly OtherRelationship[];
}

const TABLE_MEMBERS = new Set(["name", "businessName", "description", "tags", "properties", "relationships", "parts"]);

const ENDS = new Set(["from", "to"]);

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

  /** The steps from the schema object to a table: that of a list of objects lies below its holder. */
  function stepsTo(table: ModelTable): readonly ReferenceStep[] {
    const place = held.get(table);
    const own = table.entity.properties?.["odcs:id"];
    if (place) return [...stepsTo(place.holder), { name: place.property, own }];
    return [{ name: notBlank(table.key), own }];
  }

  function topOf(table: ModelTable): ModelTable {
    const place = held.get(table);
    return place ? topOf(place.holder) : table;
  }

  function objectOf(table: ModelTable): JsonObject {
    const relationships = references.filter(({ from }) => topOf(from) === table).map(relationshipOf);
    const name = notBlank(table.key);
    const texts = textsOf(table, OBJECT);
    return {
      name,
      ...ifDefined("id", neededId(name, texts.id)),
      logicalType: "object",
      ...texts,
      properties: propertiesOf(table),
      ...(relationships.length > 0 && { relationships }),
    };
  }

  /** What a table says of itself, wherever it stands. */
  function textsOf({ entity, at }: ModelTable, known: KnownMembers): JsonObject {
    const { name, description, tags, properties } = entity;
    const texts = tagTexts(document, tags);
    const { parts: _, ...rest } = properties ?? {};
    const own = Object.fromEntries(Object.entries(rest).filter(([one]) => one !== "odcs:parts"));
    return {
      ...ifDefined("businessName", name),
      ...ifDefined("description", description),
      ...(texts.length > 0 && { tags: texts }),
      ...withCustom(ownMembers(own, "odcs", TABLE_MEMBERS, at), known, at),
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
      const { items, ...texts } = textsOf(inner, LIST);
      const rest = withCustom({ members: isObject(items) ? items : {}, others: [] }, PART, inner.at);
      const item = { ...rest, logicalType: "object", properties: propertiesOf(inner) };
      return { path: property, written: { logicalType: "array", ...texts, items: item }, isRequired: false };
    });
    const parts = table.entity.properties?.["odcs:parts"];
    return membersOf(pathGroups([...columns, ...lists]), isObject(parts) ? parts : {}, "", table.at);
  }

  function relationshipOf({ relationship, at, from, to, columns, referred }: ModelReference): JsonObject {
    const named = (table: ModelTable, keys: readonly string[]): string | readonly string[] => {
      const list = keys.map((key) => referenceTo([...stepsTo(table), ...stepsWithin(table, key)]));
      return list.length === 1 ? (list[0] ?? "") : list;
    };
    const members = withCustom(ownMembers(relationship.properties, "odcs", ENDS, at), RELATIONSHIP, at);
    return { type: "foreignKey", from: named(from, columns), to: named(to, referred), ...members };
  }
}

/** The steps from a table to a column, as its properties are written: nested along the path where it is one. */
function stepsWithin({ columns, entity }: ModelTable, key: string): readonly ReferenceStep[] {
  const own = columns.find((column) => column.key === key)?.attribute.properties?.["odcs:id"];
  const parts = entity.properties?.["odcs:parts"];
  let groups = pathGroups(columns.map((column) => ({ path: notBlank(column.key), key: column.key })));
  const steps: ReferenceStep[] = [];
  for (let path = ""; ; ) {
    const group = groups.find((one) => (one.own ? [one.own] : one.inner).some((inner) => inner.key === key));
    if (!group) return [{ name: notBlank(key), own }];
    if (group.own) return [...steps, { name: group.name, own }];
    path += group.name;
    const rest = isObject(parts) && Object.hasOwn(parts, path) ? parts[path] : undefined;
    steps.push({ name: group.name, own: isObject(rest) ? rest.id : undefined });
    path += ".";
    groups = pathGroups(group.inner);
  }
}

function membersOf(
  groups: readonly PathGroup<PathProperty>[],
  parts: JsonObject,
  prefix: string,
  at: Findings,
): readonly JsonObject[] {
  return groups.map((group) => {
    const { name, own } = group;
    if (own) return { name, ...ifDefined("id", neededId(name, own.written.id)), ...own.written };
    const path = prefix + name;
    const rest = Object.hasOwn(parts, path) ? parts[path] : undefined;
    const members = withCustom({ members: isObject(rest) ? rest : {}, others: [] }, PART, at);
    return {
      name,
      ...ifDefined("id", neededId(name, members.id)),
      logicalType: "object",
      ...(group.inner.some(({ isRequired }) => isRequired) && { required: true }),
      ...members,
      properties: membersOf(pathGroups(group.inner), parts, `${path}.`, at),
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
