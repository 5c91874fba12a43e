import type { Constraints } from "../constraints/keywords.ts";
import type { Fields } from "../fields/field.ts";
import {
  attributeFields,
  businessKeyFields,
  entityFields,
  modelFields,
  relationshipFields,
  roleFields,
  sourcedFields,
} from "../fields/model-fields.ts";
import type { ModelContent } from "../model/content.ts";
import type { Role, TagIds } from "../model/objects.ts";
import { foldText, SEPARATOR } from "../text/characters.ts";
import { parseStoredJson } from "../text/json-values.ts";
import type { LogicalTypeName } from "../types/logical/logical-type.ts";
import { createTypeResolver } from "../types/stored-types.ts";

const FIELDS = {
  model: modelFields,
  type: sourcedFields,
  entity: entityFields,
  entityAttribute: attributeFields,
  relationship: relationshipFields,
  relationshipRole: roleFields,
  relationshipAttribute: attributeFields,
  businessKey: businessKeyFields,
  tag: sourcedFields,
} as const satisfies Readonly<Record<string, Fields>>;

export type FoundKind = keyof typeof FIELDS;

export const FOUND_KINDS = Object.keys(FIELDS) as [FoundKind, ...FoundKind[]];

/** Found object with its owners. */
export interface FoundObject {
  readonly kind: FoundKind;
  readonly id: string;
  readonly key: string;
  readonly name: string | undefined;
  readonly above: FoundObject | undefined;
}

/** Searchable object with its texts and tags. */
export interface SearchRow extends FoundObject {
  /** Sort key of the rows of one model. Unique, and unambiguous where one key is a prefix of another. */
  readonly place: string;
  /** Folded text of the key and the searched fields. */
  readonly text: string;
  readonly tags: readonly string[];
  /** Ids of its global tags, possibly including deleted ones. */
  readonly globalTags: readonly string[];
  readonly keywords: readonly string[];
  readonly properties: string | undefined;
  readonly format: string | undefined;
  /** Name of the logical type of an attribute; undefined if it is not known. */
  readonly logicalType: LogicalTypeName | undefined;
}

/** Returns ids, keys and labels of the row and its owners, outermost first. */
export function toLocation(row: FoundObject): Readonly<Record<string, string>> {
  const toPath = (one: FoundObject | undefined): Record<string, string> =>
    one ? { ...toPath(one.above), ...toLocationMembers(one) } : {};
  return { objectType: row.kind, ...toPath(row) };
}

function toLocationMembers({ kind, id, key, name }: FoundObject): Record<string, string> {
  return { [`${kind}Id`]: id, [`${kind}Key`]: key, [`${kind}Label`]: name ?? key };
}

/** Formats a location for people: `crm`, `crm/customer`, `crm/customer.email`. */
export function formatLocation(location: Readonly<Record<string, unknown>>): string {
  // Owners come before the objects that they own.
  const [model, ...keys] = FOUND_KINDS.flatMap((kind) => location[`${kind}Key`] ?? []);
  return keys.length === 0 ? String(model) : `${model}/${keys.join(".")}`;
}

function readConstraints({ constraints }: IndexedObject): Pick<SearchRow, "keywords" | "format"> {
  if (constraints === undefined) return UNCONSTRAINED;
  const value = parseStoredJson<Constraints>(constraints);
  return { keywords: Object.keys(value), format: value.format };
}

/** End of each part of a sort key. It sorts before every character of a key. */
const PLACE_END = "\n";
const NONE: readonly string[] = [];
const UNCONSTRAINED = { keywords: NONE, format: undefined };

interface IndexedObject extends TagIds {
  readonly id: string;
  readonly key: string;
  readonly name?: string;
  readonly constraints?: string;
  readonly properties?: string;
}

/** Returns the sorted search rows of a model. Owned objects follow their owner in declared order. */
export function toSearchRows(content: ModelContent): readonly SearchRow[] {
  const { types, entities, relationships, businessKeys, attributes } = content;
  const isThere = new Set(content.tags.map(({ id }) => id));
  const createRow = (
    kind: FoundKind,
    object: IndexedObject,
    parent: SearchRow | undefined,
    place: string,
  ): SearchRow => ({
    kind,
    id: object.id,
    key: object.key,
    name: object.name,
    above: parent,
    place,
    text: toSearchText(kind, object),
    tags: (object.tags ?? NONE).filter((tag) => isThere.has(tag)),
    globalTags: object.globalTags ?? NONE,
    properties: object.properties,
    ...readConstraints(object),
    logicalType: undefined,
  });
  const model = createRow("model", content.model, undefined, "0");
  const toTopLevelRow = (kind: FoundKind, rank: number, object: IndexedObject, parent = model) =>
    createRow(kind, object, parent, `${rank}${PLACE_END}${object.key}`);
  const findLogicalType = createTypeResolver(types, content.model.properties);
  const toAttributeRows = (kind: FoundKind, owner: SearchRow): readonly SearchRow[] =>
    (attributes.get(owner.id) ?? []).map((one) => ({
      ...createRow(kind, one, owner, `${owner.place}${PLACE_END}b${toSortableText(one.order)}`),
      logicalType: findLogicalType(one)?.type,
    }));
  // Ids sort by creation time, and do not change when another role is deleted.
  const toRoleRows = (roles: readonly Role[], owner: SearchRow) =>
    roles
      .map((one) => createRow("relationshipRole", one, owner, `${owner.place}${PLACE_END}a${one.id}`))
      .sort(comparePlaces);
  const entityRows = new Map(entities.map((entity) => [entity.id, toTopLevelRow("entity", 2, entity)]));
  return [
    model,
    ...types.map((type) => toTopLevelRow("type", 1, type)),
    ...[...entityRows.values()].flatMap((entity) => [entity, ...toAttributeRows("entityAttribute", entity)]),
    ...relationships.flatMap((relationship) => {
      const owner = toTopLevelRow("relationship", 3, relationship);
      return [owner, ...toRoleRows(relationship.roles, owner), ...toAttributeRows("relationshipAttribute", owner)];
    }),
    ...businessKeys.map((one) => toTopLevelRow("businessKey", 4, one, entityRows.get(one.entity))),
    ...content.tags.map((tag) => toTopLevelRow("tag", 5, tag)),
  ];
}

function toSortableText(value: number) {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const pattern = bits.getBigUint64(0);
  // Among negative numbers, larger bit patterns are smaller numbers.
  const rising = value < 0 ? BigInt.asUintN(64, ~pattern) : pattern | (1n << 63n);
  return rising.toString(16).padStart(16, "0");
}

function comparePlaces(a: SearchRow, b: SearchRow) {
  return a.place < b.place ? -1 : 1;
}

const SEARCHED_MEMBERS = Object.fromEntries(
  Object.entries(FIELDS).map(([kind, fields]) => [kind, listSearchedMembers(fields)]),
) as Readonly<Record<FoundKind, readonly string[]>>;

function listSearchedMembers(fields: Fields): readonly string[] {
  return Object.entries(fields).flatMap(([member, field]) => (field.searched ? [member] : []));
}

function toSearchText(kind: FoundKind, object: IndexedObject) {
  // An object has the members that the fields of its kind declare.
  const members = object as unknown as Readonly<Record<string, unknown>>;
  const texts = SEARCHED_MEMBERS[kind].map((member) => String(members[member] ?? ""));
  return [object.key, ...texts].map(foldText).join(SEPARATOR);
}
