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
import type { Role, Tagged } from "../model/objects.ts";
import { foldText, SEPARATOR } from "../text/characters.ts";
import { parseStoredJson } from "../text/json-values.ts";

/** The fields of everything that can be found, by the name a location has for it. */
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

/** Everything that can be found, as a location names it. */
export const FOUND_KINDS = Object.keys(FIELDS) as [FoundKind, ...FoundKind[]];

/** An object that was found, with what it lies in. */
export interface FoundObject {
  readonly kind: FoundKind;
  readonly id: string;
  readonly key: string;
  readonly name: string | undefined;
  /** Its owner; undefined for the model. */
  readonly above: FoundObject | undefined;
}

/** An object that can be found, with the texts and tags it is found by. */
export interface SearchRow extends FoundObject {
  /** Sorts the rows of one model as they are listed: no two have the same, and no key in it runs into what follows. */
  readonly place: string;
  /** The key and the searched fields, folded. */
  readonly text: string;
  /** Ids of its tags of the model. */
  readonly tags: readonly string[];
  /** Ids of its global tags; those that are gone may be among them. */
  readonly globalTags: readonly string[];
  /** The keywords of its constraints. */
  readonly keywords: readonly string[];
  /** Its properties as they are kept. */
  readonly properties: string | undefined;
  /** The format that its constraints name. */
  readonly format: string | undefined;
}

/** The location of a row: ids, keys and labels (the name, else the key) of it and of its owners, outermost first. */
export function toLocation(row: FoundObject): Readonly<Record<string, string>> {
  const path = (one: FoundObject | undefined): Record<string, string> =>
    one ? { ...path(one.above), ...toLocationMembers(one) } : {};
  return { objectType: row.kind, ...path(row) };
}

function toLocationMembers({ kind, id, key, name }: FoundObject): Record<string, string> {
  return { [`${kind}Id`]: id, [`${kind}Key`]: key, [`${kind}Label`]: name ?? key };
}

/** The place of what was found as people write it: `crm`, `crm/customer`, `crm/customer.email`. */
export function formatLocation(location: Readonly<Record<string, unknown>>): string {
  // An owner stands before what it owns.
  const [model, ...inside] = FOUND_KINDS.flatMap((kind) => location[`${kind}Key`] ?? []);
  return inside.length === 0 ? String(model) : `${model}/${inside.join(".")}`;
}

function readConstraints({ constraints }: IndexedObject): Pick<SearchRow, "keywords" | "format"> {
  if (constraints === undefined) return UNCONSTRAINED;
  const known = parseStoredJson<Constraints>(constraints);
  return { keywords: Object.keys(known), format: known.format };
}

/** Ends each part of a place; it sorts below every character of a key. */
const PLACE_END = "\n";
const NONE: readonly string[] = [];
const UNCONSTRAINED = { keywords: NONE, format: undefined };

interface IndexedObject extends Tagged {
  readonly id: string;
  readonly key: string;
  readonly name?: string;
  readonly constraints?: string;
  readonly properties?: string;
}

/**
 * Everything in a model that can be found, sorted by place: the model, then types, entities, relationships, business keys
 * and tags by their keys; behind each the objects it owns, in declared order.
 */
export function toSearchRows(content: ModelContent): readonly SearchRow[] {
  const { types, entities, relationships, businessKeys, attributes } = content;
  const isThere = new Set(content.tags.map(({ id }) => id));
  const row = (kind: FoundKind, found: IndexedObject, above: SearchRow | undefined, place: string): SearchRow => ({
    kind,
    id: found.id,
    key: found.key,
    name: found.name,
    above,
    place,
    text: toSearchText(kind, found),
    tags: (found.tags ?? NONE).filter((tag) => isThere.has(tag)),
    globalTags: found.globalTags ?? NONE,
    properties: found.properties,
    ...readConstraints(found),
  });
  const model = row("model", content.model, undefined, "0");
  const listed = (kind: FoundKind, rank: number, found: IndexedObject, above = model): SearchRow =>
    row(kind, found, above, `${rank}${PLACE_END}${found.key}`);
  const attributesOf = (kind: FoundKind, owner: SearchRow): readonly SearchRow[] =>
    (attributes.get(owner.id) ?? []).map((one) =>
      row(kind, one, owner, `${owner.place}${PLACE_END}b${toSortableText(one.order)}`),
    );
  // An id tells when it was made, and unlike a number in a list stays what it is when another role goes.
  const rolesOf = (roles: readonly Role[], owner: SearchRow): readonly SearchRow[] =>
    roles.map((one) => row("relationshipRole", one, owner, `${owner.place}${PLACE_END}a${one.id}`)).sort(comparePlaces);
  const entityRows = new Map(entities.map((entity) => [entity.id, listed("entity", 2, entity)]));
  return [
    model,
    ...types.map((type) => listed("type", 1, type)),
    ...[...entityRows.values()].flatMap((entity) => [entity, ...attributesOf("entityAttribute", entity)]),
    ...relationships.flatMap((relationship) => {
      const owner = listed("relationship", 3, relationship);
      return [owner, ...rolesOf(relationship.roles, owner), ...attributesOf("relationshipAttribute", owner)];
    }),
    ...businessKeys.map((one) => listed("businessKey", 4, one, entityRows.get(one.entity))),
    ...content.tags.map((tag) => listed("tag", 5, tag)),
  ];
}

/** A text for a number, such that texts sort as the numbers do. */
function toSortableText(value: number): string {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const whole = bits.getBigUint64(0);
  // Of negative numbers, those with the greater bits are the lesser.
  const rising = value < 0 ? BigInt.asUintN(64, ~whole) : whole | (1n << 63n);
  return rising.toString(16).padStart(16, "0");
}

function comparePlaces(a: SearchRow, b: SearchRow): number {
  return a.place < b.place ? -1 : 1;
}

/** The members of each kind that a search looks into. */
const SEARCHED_MEMBERS = Object.fromEntries(
  Object.entries(FIELDS).map(([kind, fields]) => [kind, listSearchedMembers(fields)]),
) as Readonly<Record<FoundKind, readonly string[]>>;

function listSearchedMembers(fields: Fields): readonly string[] {
  return Object.entries(fields).flatMap(([member, field]) => (field.searched ? [member] : []));
}

function toSearchText(kind: FoundKind, found: IndexedObject): string {
  // An object has the members that the fields of its kind declare.
  const members = found as unknown as Readonly<Record<string, unknown>>;
  const texts = SEARCHED_MEMBERS[kind].map((member) => String(members[member] ?? ""));
  return [found.key, ...texts].map(foldText).join(SEPARATOR);
}
