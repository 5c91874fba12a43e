import type { Body } from "../../../support/world.ts";

/** The keys on the way to what an entry is about, outermost first. */
function placeOf({ typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey }: Body) {
  const keys = [typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey];
  return keys.filter((key) => key !== undefined).map(String);
}

/** Entries are sorted by the sort of object, then by place. */
export function orderFault(rows: readonly Body[]): string | undefined {
  const paths = rows.map((row) => [String(row.objectType), ...placeOf(row)]);
  const at = paths.findIndex((path, i) => i > 0 && isBefore(path, paths[i - 1] ?? []));
  return at < 0 ? undefined : `${JSON.stringify(paths[at])} comes after ${JSON.stringify(paths[at - 1])}`;
}

function isBefore(a: readonly string[], b: readonly string[]): boolean {
  const at = a.findIndex((key, i) => key !== b[i]);
  return at >= 0 && (b[at] === undefined ? false : String(a[at]) < String(b[at]));
}

/** The list of a document that holds objects of a sort, by that sort. */
const LISTS: Readonly<Record<string, string>> = {
  type: "types",
  entity: "entities",
  relationship: "relationships",
  entityAttribute: "attributes",
  relationshipAttribute: "attributes",
  relationshipRole: "roles",
  businessKey: "businessKeys",
  tag: "localTags",
};

/** Objects of a sort that lie where an entry says, with all that a document shows of them. */
function objectsAt(document: Body, objectType: string, place: readonly string[]): readonly Body[] {
  if (objectType === "model") return [document];
  const list = LISTS[objectType] ?? "";
  const [owner, key] = place.length > 1 ? place : [undefined, place[0]];
  const owners = ["entityAttribute"].includes(objectType) ? document.entities : document.relationships;
  const within: readonly Body[] = owner === undefined ? [document] : owners.filter((one: Body) => one.key === owner);
  return within.flatMap((one) => one[list]).filter((one) => one.key === key);
}

/** An object as an export shows it, without its id and the objects inside it. */
function alone({
  id: _,
  renamedFrom: _f,
  $schema: _s,
  types: _t,
  entities: _e,
  relationships: _r,
  ...object
}: Body): Body {
  const { attributes: _a, roles: _o, businessKeys: _b, localTags: _l, tagGroups: _g, ...own } = object;
  return own.tags ? { ...own, tags: [...own.tags].sort() } : own;
}

/** An object as an entry shows it: with its attributes in order where that is another one. */
const shownIn = ({ members = [] }: Body, object: Body): Body =>
  members.includes("attributes")
    ? { ...alone(object), attributes: object.attributes.map((one: Body) => `key:${one.key}`) }
    : alone(object);

type Differs = (expected: unknown, actual: unknown) => string | undefined;

/**
 * A sentence that tells a fault in the sides of an entry, each of which has to be the object there as an export shows it.
 */
export function sidesFault(entry: Body, before: Body, after: Body, differs: Differs): string | undefined {
  const { status, objectType, left, right } = entry;
  if ((left === undefined) !== (status === "ADDED") || (right === undefined) !== (status === "DELETED")) {
    return "the wrong sides";
  }
  const place = placeOf(entry);
  const [was] = left ? objectsAt(before, objectType, place) : [];
  const wrong = left && differs(was && shownIn(entry, was), left);
  if (wrong !== undefined) return `left${wrong}`;
  // A renamed object lies elsewhere on the right; by its id, where it has one.
  const there = status === "ADDED" ? objectsAt(after, objectType, place) : everyOf(after, objectType);
  const is = there.find((one) => one.key === right?.key && (status === "ADDED" || isSame(was, one)));
  const found = is ?? there.find((one) => one.key === right?.key && differs(shownIn(entry, one), right) === undefined);
  const other = right && differs(found && shownIn(entry, found), right);
  return other === undefined ? undefined : `right${other}`;
}

const isSame = (was: Body, is: Body): boolean => was?.id !== undefined && was.id === is.id;

/** Every object of a sort, wherever it lies. */
function everyOf(document: Body, objectType: string): readonly Body[] {
  if (objectType === "model") return [document];
  const list = LISTS[objectType] ?? "";
  const owners: Readonly<Record<string, readonly Body[]>> = {
    entityAttribute: document.entities,
    relationshipAttribute: document.relationships,
    relationshipRole: document.relationships,
  };
  return (owners[objectType] ?? [document]).flatMap((one) => one[list]);
}
