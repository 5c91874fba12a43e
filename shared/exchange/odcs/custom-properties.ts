import type { JsonObject } from "../json-object.ts";
import type { OwnMembers } from "../writing/own-members.ts";

/** Members with the properties of no member among the custom ones. */
export function withCustom({ members, others }: OwnMembers): JsonObject {
  if (others.length === 0) return members;
  const { customProperties } = members;
  const own: readonly unknown[] = Array.isArray(customProperties) ? customProperties : [];
  return { ...members, customProperties: [...own, ...others.map(([property, value]) => ({ property, value }))] };
}
