import type { ModelContent } from "../content.ts";
import type { Role, Tagged } from "../objects.ts";
import { folded, SEPARATOR } from "./folded.ts";

/** What can be found, as a location names it. */
export const FOUND_KINDS = [
  "model",
  "type",
  "entity",
  "entityAttribute",
  "relationship",
  "relationshipRole",
  "relationshipAttribute",
  "businessKey",
  "tag",
] as const;

export type FoundKind = (typeof FOUND_KINDS)[number];

/** Something that can be found, with what it is found by. */
export interface SearchRow {
  readonly kind: FoundKind;
  readonly id: string;
  readonly key: string;
  readonly name: string | undefined;
  /** What it lies in; undefined for the model. */
  readonly above: SearchRow | undefined;
  /** Sorts the rows of one model as they are listed: no two have the same, and no key in it runs into what follows. */
  readonly place: string;
  /** Key, name and description, folded. */
  readonly text: string;
  /** Ids of the model's own tags that mark it. */
  readonly tags: readonly string[];
  /** Ids of global tags that mark it; those that are gone may be among them. */
  readonly globalTags: readonly string[];
}

/** Where something is: ids, keys and labels (the name, else the key) of it and of what it lies in, outermost first. */
export function locationOf(row: SearchRow): Readonly<Record<string, string>> {
  const path = (one: SearchRow | undefined): Record<string, string> =>
    one ? { ...path(one.above), ...named(one) } : {};
  return { objectType: row.kind, ...path(row) };
}

function named({ kind, id, key, name }: SearchRow): Record<string, string> {
  return { [`${kind}Id`]: id, [`${kind}Key`]: key, [`${kind}Label`]: name ?? key };
}

/** Ends each part of a place; it sorts below every character of a key. */
const END = "\n";
/** Digits of the largest whole number there is. */
const ORDER_DIGITS = 16;
const NONE: readonly string[] = [];

interface Found extends Tagged {
  readonly id: string;
  readonly key: string;
  readonly name?: string;
  readonly description?: string;
}

/**
 * Everything in a model that can be found, sorted by place: the model, then types, entities, relationships, business keys
 * and tags by their keys; behind each what belongs to it, in the order in which it was made.
 */
export function rowsOf(content: ModelContent): readonly SearchRow[] {
  const { types, entities, relationships, businessKeys, attributes } = content;
  const isThere = new Set(content.tags.map(({ id }) => id));
  const row = (kind: FoundKind, found: Found, above: SearchRow | undefined, place: string): SearchRow => ({
    kind,
    id: found.id,
    key: found.key,
    name: found.name,
    above,
    place,
    text: textOf(found),
    tags: (found.tags ?? NONE).filter((tag) => isThere.has(tag)),
    globalTags: found.globalTags ?? NONE,
  });
  const model = row("model", content.model, undefined, "0");
  const listed = (kind: FoundKind, rank: number, found: Found, above = model): SearchRow =>
    row(kind, found, above, `${rank}${END}${found.key}`);
  const attributesOf = (kind: FoundKind, owner: SearchRow): readonly SearchRow[] =>
    (attributes.get(owner.id) ?? []).map((one) =>
      row(kind, one, owner, `${owner.place}${END}b${String(one.order).padStart(ORDER_DIGITS, "0")}`),
    );
  // An id tells when it was made, and unlike a number in a list stays what it is when another role goes.
  const rolesOf = (roles: readonly Role[], owner: SearchRow): readonly SearchRow[] =>
    roles.map((one) => row("relationshipRole", one, owner, `${owner.place}${END}a${one.id}`)).sort(byPlace);
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

function byPlace(a: SearchRow, b: SearchRow): number {
  return a.place < b.place ? -1 : 1;
}

function textOf({ key, name = "", description = "" }: Found): string {
  return [key, name, description].map(folded).join(SEPARATOR);
}
