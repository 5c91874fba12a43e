import { pointerToken } from "../../domain/well-formed.ts";
import type { Findings } from "../findings.ts";
import type { JsonObject } from "../json-object.ts";
import type { OwnMembers } from "../writing/own-members.ts";
import { type KnownMembers, sortedOut } from "./known-members.ts";

/**
 * The members that ODCS has at a place; all others, and the properties of no member, are among the custom ones, each of the former
 * with a warning.
 */
export function withCustom({ members, others }: OwnMembers, known: KnownMembers, at: Findings): JsonObject {
  const { known: own, odd } = sortedOut(members, known);
  for (const [member] of odd) {
    const detail = "ODCS has no such member there, or other values of it; it is one of the custom properties";
    at.warn(`/properties/${pointerToken(`odcs:${member}`)}`, "written_otherwise", detail);
  }
  return withMore(own, [...odd, ...others]);
}

/** Members with more custom properties. */
export function withMore(members: JsonObject, more: readonly (readonly [string, unknown])[]): JsonObject {
  if (more.length === 0) return members;
  const { customProperties } = members;
  const own: readonly unknown[] = Array.isArray(customProperties) ? customProperties : [];
  return { ...members, customProperties: [...own, ...more.map(([property, value]) => ({ property, value }))] };
}
