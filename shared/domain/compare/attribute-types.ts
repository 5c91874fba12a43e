import type { Effect } from "../differences.ts";
import { isSameValue } from "../text/json-values.ts";
import type { AttributeType } from "../types/find-logical-type.ts";
import { formatLogicalType } from "../types/logical/format-logical-type.ts";
import type { LogicalType } from "../types/logical/logical-type.ts";
import { assessTypeChange, describeTypeChange } from "../types/logical/type-change.ts";
import { type ComparedObject, PROPERTY } from "./compared-object.ts";

/** Changed members of an attribute that its type explains, with their effect. */
export interface TypeDifference {
  readonly members: ReadonlySet<string>;
  /** True if both sides name the same type. */
  readonly isSame: boolean;
  readonly effect: Effect;
}

/**
 * Compares the types of an attribute by their values: the changed members that the types explain, with one effect.
 * Returns undefined if no such member changed, or if the type of a side is not known.
 */
export function compareTypes(
  before: ComparedObject,
  after: ComparedObject,
  changedMembers: readonly string[],
): TypeDifference | undefined {
  if (!before.getType || !after.getType || !changedMembers.some(mayConcernType)) return undefined;
  const [left, right] = [before.getType(), after.getType()];
  if (!left.logicalType || !right.logicalType) return undefined;
  const members = new Set(
    changedMembers.filter((name) => isExplained(name, before, left) && isExplained(name, after, right)),
  );
  if (members.size === 0) return undefined;
  const isSame = isSameType(left, right);
  return { members, isSame, effect: isSame ? SAME_TYPE : assessTypes(left.logicalType, right.logicalType) };
}

function mayConcernType(member: string) {
  return member === "type" || member.startsWith(PROPERTY);
}

function isExplained(member: string, { members }: ComparedObject, { readProperties }: AttributeType) {
  if (member === "type") return true;
  return (
    member.startsWith(PROPERTY) && (members[member] === undefined || readProperties.has(member.slice(PROPERTY.length)))
  );
}

const SAFE = { readers: "safe", writers: "safe" } as const;
const SAME_TYPE: Effect = { impact: "cosmetic", ...SAFE, reason: "the same type, written otherwise" };

/** Tests for the same type: of different dialects with the same values, or of one dialect under the same name. */
function isSameType(left: AttributeType, right: AttributeType): boolean {
  // Without a dialect, only people know whether two types are the same.
  if (left.dialect === undefined || right.dialect === undefined) return false;
  const hasSameValues = isSameValue(left.logicalType, right.logicalType);
  if (left.dialect !== right.dialect) return hasSameValues;
  // A width changes how programs show a value, and nothing else.
  const hasSameArguments = hasSameValues || (left.hasWidthOnly && right.hasWidthOnly);
  return hasSameArguments && removeWidth(left) === removeWidth(right);
}

function removeWidth({ name, hasWidthOnly }: AttributeType): string {
  return hasWidthOnly ? name.replace(/\(\d+\)$/, "") : name;
}

function assessTypes(before: LogicalType, after: LogicalType): Effect {
  const change = assessTypeChange(before, after);
  if (change.class === "none") {
    return { impact: "cosmetic", ...SAFE, reason: "another name of a type with the same values" };
  }
  const [from, to] = [formatLogicalType(before), formatLogicalType(after)];
  const [readers, writers] = [change.readers.verdict, change.writers.verdict];
  const reason = `${to} instead of ${from}: ${describeTypeChange(change)}`;
  return { impact: change.class, readers, writers, reason };
}
