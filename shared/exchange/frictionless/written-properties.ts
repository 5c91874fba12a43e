import type { Properties } from "../../domain/properties.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import { LAYOUT } from "./entity-properties.ts";
import { MEMBER_NAMES } from "./kept-properties.ts";
import { NAMESPACE, type PartMembers, placeOf } from "./profile-members.ts";

/** The properties of an object as members of a part of a descriptor. */
export interface WrittenProperties {
  /** Members beside those that fixed fields are written as. */
  readonly members: JsonObject;
  /** What the source wrote for members of fixed fields, to be given back where it still means the same. */
  readonly kept: JsonObject;
  /** The names of properties that would take the place of a fixed field. */
  readonly clashes: readonly string[];
}

/** The property names that tell how a descriptor was written, and no member of it. */
const ABOUT_LAYOUT: ReadonlySet<string> = new Set([...Object.values(LAYOUT), MEMBER_NAMES]);

/** The members that properties are written as; a well-known property is written rather than what a source called the same. */
export function writtenProperties(properties: Properties = {}, part: PartMembers): WrittenProperties {
  const names = isObject(properties[MEMBER_NAMES]) ? properties[MEMBER_NAMES] : {};
  const members: Record<string, unknown> = {};
  const kept: Record<string, unknown> = {};
  const clashes: string[] = [];
  for (const [property, value] of Object.entries(properties).toSorted(([a], [b]) => rank(a) - rank(b))) {
    if (ABOUT_LAYOUT.has(property)) continue;
    const original = Object.hasOwn(names, property) ? String(names[property]) : property;
    const isOwn = original.startsWith(NAMESPACE);
    const member = isOwn ? original.slice(NAMESPACE.length) : original;
    const place = placeOf(part, member);
    const isFixed = place === "constraint" || typeof place === "object";
    if (isFixed && isOwn) kept[member] = value;
    else if (isFixed || place === "none") clashes.push(property);
    else members[member] = value;
  }
  return { members, kept, clashes };
}

function rank(property: string): number {
  return property.startsWith(NAMESPACE) ? 0 : 1;
}
