import { LIMITS } from "../limits.ts";
import type { AnyObject, TagIds } from "../model/objects.ts";
import { findExcess } from "../values/properties.ts";

/** Reference of an object: the ids that it names, and the kinds that they have to be of. */
interface Reference {
  readonly member: string;
  readonly ids: readonly string[];
}

/** Lists the references of an object without which it cannot be. Tag links and key pairs may name deleted objects. */
function listReferences(object: AnyObject): readonly Reference[] {
  switch (object.kind) {
    case "attribute":
      return [
        { member: "owner", ids: [object.owner] },
        { member: "type", ids: [object.type] },
      ];
    case "entity":
      return [{ member: "primaryKey", ids: object.primaryKey }];
    case "relationship":
      return [{ member: "roles", ids: object.roles.map(({ entity }) => entity) }];
    case "business_key":
      return [
        { member: "entity", ids: [object.entity] },
        { member: "participants", ids: object.participants },
      ];
    default:
      return [];
  }
}

/** Indexes, by the id of each object that others cannot be without, one of these others. */
export function indexUsers(objects: Iterable<AnyObject>): ReadonlyMap<string, AnyObject> {
  const users = new Map<string, AnyObject>();
  for (const object of objects) {
    for (const { ids } of listReferences(object)) for (const id of ids) users.set(id, object);
  }
  return users;
}

/** Returns the reason why an object cannot be among others; undefined if it can. */
export function findObstacle(object: AnyObject, all: ReadonlyMap<string, AnyObject>): string | undefined {
  for (const { member, ids } of listReferences(object)) {
    if (ids.some((id) => !all.has(id))) return `its ${member} names an object that is gone`;
  }
  const excess = findLimitObstacle(object);
  if (excess !== undefined) return excess;
  if (object.kind === "relationship") return findRoleObstacle(object, all);
  const owners =
    object.kind === "business_key" ? object.participants : object.kind === "entity" ? object.primaryKey : [];
  const owner = object.kind === "business_key" ? object.entity : object.id;
  const isForeign = (id: string) => (all.get(id) as { readonly owner?: string } | undefined)?.owner !== owner;
  return owners.some(isForeign) ? "it names attributes of another entity" : undefined;
}

/** Returns the limit that an object would exceed, if it has what commits took from it and what others added since. */
function findLimitObstacle(object: AnyObject & TagIds & { readonly properties?: string }): string | undefined {
  const { tags = [], globalTags = [], properties } = object;
  if (tags.length + globalTags.length > LIMITS.tagsPerObject)
    return `it would have more than ${LIMITS.tagsPerObject} tags`;
  const excess = properties === undefined ? undefined : findExcess(properties);
  return excess === undefined ? undefined : `it ${excess}`;
}

function findRoleObstacle(
  { roles, keyPairs = [] }: Extract<AnyObject, { readonly kind: "relationship" }>,
  all: ReadonlyMap<string, AnyObject>,
): string | undefined {
  if (roles.length < 2) return "too few of its roles would remain";
  if (roles.length > LIMITS.relationshipRoles) return `it would have more than ${LIMITS.relationshipRoles} roles`;
  if (new Set(roles.map(({ key }) => key)).size < roles.length) return "two of its roles would have one key";
  if (keyPairs.length > 0 && roles.length !== 2) return "only two roles can be joined by key pairs";
  const isForeign = (id: string, side: number) => {
    const attribute = all.get(id);
    return attribute !== undefined && (attribute as { readonly owner?: string }).owner !== roles[side]?.entity;
  };
  return keyPairs.some((pair) => pair.some(isForeign)) ? "its key pairs name attributes of other entities" : undefined;
}
