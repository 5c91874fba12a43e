import { isDeepStrictEqual } from "node:util";
import { IMPACTS, type Impact } from "../../../shared/domain/differences.ts";
import type { Body } from "../../support/world.ts";
import { type Names, namesIn } from "./naive-match.ts";

interface Found {
  readonly status: string;
  readonly objectType: string;
  readonly place: readonly string[];
  readonly members: readonly string[];
  /** Undefined if constraints changed, which `domain/constraints-compared` judges. */
  readonly impact: Impact | undefined;
  /** The object on either side, as an export shows it without its id and the objects in it. */
  readonly left: Body | undefined;
  readonly right: Body | undefined;
}

interface Flat {
  readonly objectType: string;
  readonly identity: string;
  /** The keys on the way to it. */
  readonly place: readonly string[];
  readonly fields: Record<string, unknown>;
  readonly attributes: readonly string[];
  /** The object as the export shows it. */
  readonly object: Body;
  /** True for a role of a relationship with key pairs. */
  readonly isJoined?: boolean;
}

const HIDDEN: ReadonlySet<string> = new Set([
  ...["$schema", "id", "attributes", "roles"],
  ...["types", "entities", "relationships", "businessKeys", "localTags", "tagGroups"],
]);

/** The object of a difference in these members: the order of its attributes is shown where that is another one. */
function sideOf({ object }: Flat, members: readonly string[]): Body {
  const own = Object.fromEntries(Object.entries(object).filter(([name]) => !HIDDEN.has(name)));
  if (!members.includes("attributes")) return own;
  return { ...own, attributes: object.attributes.map(({ key }: Body) => `key:${key}`) };
}

/** Compares all values of two exports. Objects are matched by id, or like the objects of two models. */
export function naiveDifference(left: Body, right: Body, sameModel: boolean): readonly Found[] {
  const names = namesIn(left, right, sameModel);
  const before = flat(left, names, sameModel);
  const after = flat(right, names, sameModel);
  const found: Found[] = [];
  const isNewOwner = ({ objectType: part, place: [key] }: Flat) => {
    if (!/Attribute$|Role$/.test(part)) return false;
    const kind = part === "entityAttribute" ? "entity" : "relationship";
    const owner = after.find(({ objectType, place }) => objectType === kind && place[0] === key);
    return !before.some(({ objectType, identity }) => objectType === kind && identity === owner?.identity);
  };
  const attributesBefore = new Set(
    before.filter(({ objectType }) => objectType === "entityAttribute").map(({ identity }) => identity),
  );
  const hasAttribute = (name: string) => attributesBefore.has(name);
  const kept = new Set(after.map(({ objectType, identity }) => `${objectType} ${identity}`));
  const removed = new Set(
    before
      .filter(({ objectType, identity }) => objectType === "relationship" && !kept.has(`relationship ${identity}`))
      .map(({ place: [key = ""] }) => key),
  );
  const judge = (members: readonly string[], was?: Flat, is?: Flat): Impact | undefined => {
    const one = was ?? is;
    if (one?.objectType === "tag" && !(was && is)) return "cosmetic";
    if (was && !is) return judgeRemoval(was, removed);
    if (is && !was) return isNewOwner(is) ? "additive" : judgeAddition(is, hasAttribute);
    if (members.includes("constraints")) return undefined;
    const isText = (side: Flat | undefined) => side?.object.type === "key:text";
    const each = members.map((name) =>
      // The other types of random documents are not known.
      name === "type" && isText(was) && isText(is)
        ? "cosmetic"
        : judgeMember(one?.objectType ?? "", name, was?.fields[name], is?.fields[name], {
            hadAttribute: hasAttribute,
            isJoined: is?.isJoined === true,
          }),
    );
    return IMPACTS.find((impact) => each.includes(impact)) ?? "cosmetic";
  };
  const add = (status: string, members: readonly string[], was: Flat | undefined, is: Flat | undefined) => {
    const { objectType = "", place = [] } = was ?? is ?? {};
    const [left, right] = [was, is].map((side) => side && sideOf(side, members));
    found.push({ status, objectType, place, members, impact: judge(members, was, is), left, right });
  };
  for (const one of before) {
    const other = after.find((o) => o.objectType === one.objectType && o.identity === one.identity);
    if (!other) add("DELETED", [], one, undefined);
    else {
      const names = new Set([...Object.keys(one.fields), ...Object.keys(other.fields)]);
      const members = [...names].filter((name) => !isDeepStrictEqual(one.fields[name], other.fields[name]));
      if (isMoved(one, other)) members.push("attributes");
      members.sort();
      const status = members.includes("key") ? "RENAMED" : "MODIFIED";
      if (members.length > 0) add(status, members, one, other);
    }
  }
  for (const one of after) {
    const known = before.some((o) => o.objectType === one.objectType && o.identity === one.identity);
    if (!known) add("ADDED", [], undefined, one);
  }
  return found.sort(byPlace);
}

/** Members whose change concerns whoever works with the data. All others are cosmetic. */
const STRUCTURAL: Readonly<Record<string, readonly string[]>> = {
  model: ["key"],
  type: ["key"],
  entity: ["key", "primaryKey"],
  entityAttribute: ["key", "type", "optional"],
  relationship: ["key", "keyPairs"],
  relationshipAttribute: ["key", "type", "optional"],
  relationshipRole: ["key", "entity", "cardinality"],
  businessKey: ["key", "entity", "participants"],
};

/** The pairs of attributes that a relationship is joined by, as names. */
function attributesOf(pairs: unknown): readonly string[] {
  const texts = (pairs ?? []) as readonly string[];
  return texts.flatMap((pair) => pair.split(" = ").map((side) => side.slice(side.indexOf(" ") + 1)));
}

/** The impact of an object that is gone; `removed` has the keys of relationships that are gone. */
function judgeRemoval({ objectType, place, fields }: Flat, removed: ReadonlySet<string>): Impact {
  if (objectType === "type") return "cosmetic";
  if (objectType === "businessKey" || (objectType === "relationship" && fields.keyPairs)) return "behavioural";
  return objectType === "relationshipRole" && removed.has(place[0] ?? "") ? "cosmetic" : "breaking";
}

/** The impact of a new object whose owner was there before. Keys and references refuse values that are there already. */
function judgeAddition({ objectType, fields }: Flat, had: (attribute: string) => boolean): Impact {
  const named =
    objectType === "businessKey"
      ? (fields.participants as readonly string[])
      : objectType === "relationship"
        ? attributesOf(fields.keyPairs)
        : [];
  if (objectType === "relationshipRole") return "breaking";
  if (named.length > 0) return named.every(had) ? "breaking" : "additive";
  const given = (fields.constraints as Body | undefined)?.default ?? undefined;
  return fields.optional === false && given === undefined ? "breaking" : "additive";
}

interface Around {
  readonly hadAttribute: (name: string) => boolean;
  /** True for a role of a relationship with key pairs. */
  readonly isJoined: boolean;
}

/** The impact of a change of one member. A value that was unknown or missing is only more precise now. */
function judgeMember(objectType: string, member: string, was: unknown, is: unknown, around: Around): Impact {
  if (!STRUCTURAL[objectType]?.includes(member)) return "cosmetic";
  if (member === "cardinality") return judgeCardinality(String(was), String(is), around.isJoined);
  const [before, after] = [was, is].map((list) => new Set(Array.isArray(list) ? list : []));
  if (!["primaryKey", "participants", "keyPairs"].includes(member) || !before || !after) return "breaking";
  if (member === "keyPairs") return before.size === 0 ? "additive" : "breaking";
  if (before.symmetricDifference(after).size === 0) return "operational";
  if (member === "primaryKey")
    return before.size > 0 || [...after].every(around.hadAttribute) ? "breaking" : "additive";
  if (before.size > 0 && after.size === 0) return "behavioural";
  return before.size > 0 && before.isSubsetOf(after) ? "behavioural" : "breaking";
}

/** More than one may be found where one was, if values say which: otherwise the form changes. */
function judgeCardinality(was: string, is: string, isJoined: boolean): Impact {
  if (was === "unknown") return "additive";
  return isJoined && was === "zeroOrOne" && is === "many" ? "behavioural" : "breaking";
}

function isMoved({ attributes: was }: Flat, { attributes: is }: Flat) {
  const both = (list: readonly string[], other: readonly string[]) => list.filter((one) => other.includes(one)).join();
  return both(was, is) !== both(is, was);
}

/** The differences that the service answered, in the same form. */
export function foundBy(entries: readonly Body[]): readonly Found[] {
  return entries.map(({ status, objectType, members = [], impact: judged, left, right, ...rest }) => {
    const { typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey } = rest;
    const keys = [typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey];
    const impact = status !== "ADDED" && members.includes("constraints") ? undefined : judged;
    return { status, objectType, place: keys.filter((key) => key !== undefined), members, impact, left, right };
  });
}

function byPlace(a: Found, b: Found): number {
  const text = ({ objectType, place, status }: Found) => [objectType, ...place, status].join("\n");
  return text(a) < text(b) ? -1 : 1;
}

const propertiesIn = ({ properties = {} }: Body): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [`properties.${name}`, value]));

/** The pairs that a relationship is joined by, each as a text that is the same in both exports; undefined for none. */
function joinOf({ entities }: Body, { roles, keyPairs }: Body, names: Names): string[] | undefined {
  const side = (role: Body, ref: string) => {
    const owner = entities.find((e: Body) => `key:${e.key}` === role.entity);
    const attribute = owner.attributes.find((a: Body) => `key:${a.key}` === ref);
    return `${names.get(role)} ${names.get(attribute)}`;
  };
  return keyPairs?.map((pair: string[]) =>
    roles
      .map((role: Body, i: number) => side(role, pair[i] ?? ""))
      .sort()
      .join(" = "),
  );
}

function flat(document: Body, names: Names, sameModel: boolean): readonly Flat[] {
  const name = (object: Body) => String(names.get(object));
  const named = (list: readonly Body[], ref: string) => {
    const object = list.find(({ key }) => `key:${key}` === ref);
    return object ? name(object) : ref;
  };
  const tags = (object: Body): readonly string[] =>
    (object.tags ?? []).map((ref: string) => named(document.localTags, ref)).sort();
  const rows: Flat[] = [];
  const add = (
    ...[objectType, object, above, identity, fields, isJoined = false]: [
      ...[objectType: string, object: Body, above: readonly string[], identity: string, fields: object],
      isJoined?: boolean,
    ]
  ) => {
    const { key, name: title, description } = object;
    const own = { key, name: title, description, ...propertiesIn(object) };
    const attributes = (object.attributes ?? []).map((one: Body) => name(one));
    rows.push({
      objectType,
      identity,
      place: [...above, key],
      fields: { ...own, ...fields },
      attributes,
      object,
      isJoined,
    });
  };
  const { version, authority, documentationHome, key, description } = document;
  const linked = { version, authority, documentationHome, ...propertiesIn(document) };
  const own = { ...linked, name: document.name, description, tags: tags(document) };
  const fields = sameModel ? { ...own, key } : own;
  rows.push({ objectType: "model", identity: "", place: [], fields, attributes: [], object: document });
  for (const one of document.types) add("type", one, [], name(one), {});
  for (const one of document.localTags) add("tag", one, [], name(one), {});
  const attributes = (objectType: string, owner: Body) => {
    for (const one of owner.attributes) {
      const { optional, constraints } = one;
      const fields = { type: named(document.types, one.type), optional, constraints, tags: tags(one) };
      add(objectType, one, [owner.key], name(one), fields);
    }
  };
  for (const one of document.entities) {
    const primaryKey = one.primaryKey.map((ref: string) => named(one.attributes, ref));
    const fields = { primaryKey, documentationHome: one.documentationHome, tags: tags(one) };
    add("entity", one, [], name(one), fields);
    attributes("entityAttribute", one);
  }
  for (const one of document.relationships) {
    add("relationship", one, [], name(one), { tags: tags(one), keyPairs: joinOf(document, one, names) });
    attributes("relationshipAttribute", one);
    for (const role of one.roles) {
      const fields = { entity: named(document.entities, role.entity), cardinality: role.cardinality };
      add("relationshipRole", role, [one.key], name(role), fields, one.keyPairs !== undefined);
    }
  }
  for (const one of document.businessKeys) {
    const entity = document.entities.find((e: Body) => `key:${e.key}` === one.entity);
    const participants = one.participants.map((ref: string) => named(entity.attributes, ref));
    add("businessKey", one, [], name(one), { entity: name(entity), participants });
  }
  return rows;
}
