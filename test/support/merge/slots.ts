import type { Body } from "../world.ts";
import { inList, type MatchedObject, SIDES, type Side } from "./matched-objects.ts";

/** The members of objects, by the list that they lie in; properties and the order of attributes come beside them. */
const TEXTS = ["name", "description", "origin"];
const ATTRIBUTE = [...TEXTS, "type", "optional", "constraints", "tags"];
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  "": [...TEXTS, "documentationHome", "tags"],
  types: TEXTS,
  localTags: TEXTS,
  entities: [...TEXTS, "documentationHome", "tags", "primaryKey"],
  attributes: ATTRIBUTE,
  relationships: [...TEXTS, "tags", "keyPairs"],
  roles: ["name", "entity", "cardinality"],
  businessKeys: [...TEXTS, "entity", "participants"],
};

/** Everything of an object that can be changed, but the objects in it. */
export function listSlots(joined: MatchedObject): readonly string[] {
  const { list } = joined;
  const properties = SIDES.flatMap((side) => Object.keys(joined[side]?.properties ?? {})).sort();
  return [
    ...(list === "" ? [] : ["key"]),
    ...(MEMBERS[list] ?? []),
    ...new Set(list === "roles" ? [] : properties.map((name) => `properties.${name}`)),
    ...(["entities", "relationships"].includes(list) ? ["attributes"] : []),
  ];
}

/** True where the document of a side says something of a slot; the model says all. */
export function says(joined: MatchedObject, side: Side, slot: string): boolean {
  const object = joined[side];
  if (!object || slot === "key") return object !== undefined;
  const [member = "", ...property] = slot.split(".");
  if (property.length > 0 && object.properties) return Object.hasOwn(object.properties, property.join("."));
  // A model always has a name, so that it cannot be cleared.
  if (object[member] === null && joined.list === "" && member === "name") return false;
  return object[member] !== undefined;
}

/** Reads slots so that what means the same is equal: refs are the names of the objects they lead to. */
export type ReadSlot = (joined: MatchedObject, side: Side, slot: string) => unknown;

/** Reads the slots of three documents that were joined. */
export function readerOf(all: readonly MatchedObject[]): ReadSlot {
  const names = new Map(all.flatMap((one) => SIDES.flatMap((side) => (one[side] ? [[one[side], one.name]] : []))));
  const nameIn = (list: readonly Body[], ref: unknown) => {
    const found = list.find(({ key }) => `key:${key}` === ref);
    return (found && names.get(found)) ?? String(ref);
  };
  return (joined, side, slot) => {
    const [object, document] = [joined[side], all[0]?.[side]];
    if (!object || !document) return undefined;
    const attributesOf = (entity: unknown) =>
      inList(
        document.entities.find(({ key }: Body) => `key:${key}` === entity),
        "attributes",
      );
    // A model always has a name: that of a source which gives none is its key.
    const value = object[slot] ?? (slot === "name" && joined.list === "" ? object.key : undefined);
    switch (slot) {
      case "type":
        return nameIn(document.types, value);
      case "entity":
        return nameIn(document.entities, value);
      case "tags":
        return (value ?? []).map((ref: string) => nameIn(inList(document, "localTags"), ref)).sort();
      case "primaryKey":
        return (value ?? []).map((ref: string) => nameIn(inList(object, "attributes"), ref));
      case "participants":
        return (value ?? []).map((ref: string) => nameIn(attributesOf(object.entity), ref));
      case "attributes":
        return inList(object, "attributes").map((one) => names.get(one));
      case "keyPairs": {
        const sides = inList(object, "roles").map((role) => [names.get(role), attributesOf(role.entity)] as const);
        const pairs = (value ?? []).map((pair: readonly string[]) =>
          sides.map(([role, attributes], i) => [role, nameIn(attributes, pair[i])]).sort(),
        );
        return pairs.length > 0 ? pairs : undefined;
      }
      default:
        return slot.startsWith("properties.") ? propertyIn(object, slot.slice("properties.".length)) : value;
    }
  };
}

function propertyIn({ properties }: Body, name: string): unknown {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** True for two values that are the same. */
export const same = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);

const canonical = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, inner: unknown) =>
    Object(inner) === inner && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner as object).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
