import type { Found } from "../../../store/support/naive-difference.ts";
import type { Body } from "../../../support/world.ts";
import { constraintsImpact } from "./constraints.ts";

/** Members whose change concerns whoever works with the data, by the sort of object. All others are cosmetic. */
const STRUCTURAL: Readonly<Record<string, readonly string[]>> = {
  model: ["key"],
  type: ["key"],
  entity: ["key", "primaryKey"],
  entityAttribute: ["key", "type", "optional", "constraints"],
  relationship: ["key", "keyPairs"],
  relationshipAttribute: ["key", "type", "optional", "constraints"],
  relationshipRole: ["key", "entity", "cardinality"],
  businessKey: ["key", "entity", "participants"],
};

/**
 * True for what `structural` compares: everything but texts, links, tags, version and authority, and of properties those
 * whose definitions say that their change breaks.
 */
export function isStructural(objectType: string, member: string, breaking: ReadonlySet<string>): boolean {
  return STRUCTURAL[objectType]?.includes(member) || breaking.has(member);
}

/** True for an entry about an object that both sides have. */
export const isChanged = (status: string): boolean => status === "MODIFIED" || status === "RENAMED";

const GRAVITY = ["cosmetic", "additive", "breaking"];

/** The pairs of one relationship on both sides, none for anything else. */
export type Joins = readonly [before: readonly string[], after: readonly string[]];

/** What an entry alone does not tell: pairs of relationships, and the properties whose change breaks. */
export interface About {
  readonly joins: Joins;
  readonly breaking: ReadonlySet<string>;
}

/** The impact of a change of one member of the object on the left, which is that on the right. */
function ofMember(objectType: string, member: string, was: Body, is: Body, { joins, breaking }: About): string {
  if (member === "constraints") return constraintsImpact(was.constraints, is.constraints);
  if (!isStructural(objectType, member, breaking)) return "cosmetic";
  // A cardinality that was unknown, or a primary key that was missing, is only told better now.
  if (member === "cardinality" && was.cardinality === "unknown") return "additive";
  if (member === "keyPairs") return ofPairs(joins);
  return member === "primaryKey" && was.primaryKey.length === 0 ? "additive" : "breaking";
}

/** Pairs that are all kept join as before, also with more beside them. */
function ofPairs([before, after]: Joins): string {
  if (before.some((pair) => !after.includes(pair))) return "breaking";
  return after.length > before.length ? "additive" : "cosmetic";
}

function impactOf({ status, objectType, members = [], left, right }: Body, isOwnerNew: boolean, about: About): string {
  if (objectType === "tag" && !isChanged(status)) return "cosmetic";
  if (status === "DELETED") return objectType === "type" ? "cosmetic" : "breaking";
  if (status === "ADDED") {
    // Records that were right without it are wrong now.
    const asksForMore = objectType === "relationshipRole" || right.optional === false;
    return asksForMore && !isOwnerNew ? "breaking" : "additive";
  }
  const each = members.map((member: string) => ofMember(objectType, member, left, right, about));
  return GRAVITY.findLast((one) => each.includes(one)) ?? "cosmetic";
}

/**
 * A sentence that tells a fault in the impact of an entry, or in its reasons; `found` are all objects that differ.
 */
export function impactFault(entry: Body, found: readonly Found[], about: About): string | undefined {
  const { status, objectType, members = [], impact, reasons, left, right } = entry;
  const owner = entry.entityKey ?? entry.relationshipKey;
  const isOwnerNew = found.some(
    ([how, sort, place]) => how === "ADDED" && ["entity", "relationship"].includes(sort) && place[0] === owner,
  );
  const wanted = impactOf(entry, isOwnerNew, about);
  if (impact !== wanted) return `expected the impact ${wanted}`;
  if (!Array.isArray(reasons) || reasons.length === 0 || reasons.some((one) => !String(one).trim())) return "no reason";
  if (!isChanged(status)) return undefined;
  // Each member that is as grave is named with its reason.
  const grave = members.filter((member: string) => ofMember(objectType, member, left, right, about) === impact);
  // What constraints say of values may have a reason each.
  const named = [...new Set(reasons.map((reason) => String(reason).split(": ")[0]))];
  return JSON.stringify(named.sort()) === JSON.stringify([...grave].sort())
    ? undefined
    : `expected reasons for ${grave}`;
}
