/** The sorts of things a comparison tells apart. */
export type ObjectType =
  | "model"
  | "type"
  | "entity"
  | "entityAttribute"
  | "relationship"
  | "relationshipAttribute"
  | "relationshipRole"
  | "businessKey"
  | "tag";

/** The impacts of a difference, the gravest first. */
export const IMPACTS = ["breaking", "additive", "cosmetic"] as const;

/** The effect of a difference on somebody who reads or writes data by the left side and meets the right one. */
export type Impact = (typeof IMPACTS)[number];

/** `structural` leaves out changes of texts, links, tags, version and authority, and the tags themselves. */
export type Scope = "structural" | "complete";

/** Where an object is: the keys on its way, those of the left side where it has one. */
export interface Location {
  readonly typeKey?: string;
  readonly entityKey?: string;
  readonly relationshipKey?: string;
  readonly attributeKey?: string;
  readonly roleKey?: string;
  readonly businessKeyKey?: string;
  readonly tagKey?: string;
}

/** An object as one side shows it; its members depend on its sort. */
export type Snapshot = Readonly<Record<string, unknown>> & { readonly key: string };

/** One object that only one side has, or that the two sides show differently. */
export interface Difference extends Location {
  /** `RENAMED`: both sides have it, under two keys; other members may differ as well. */
  readonly status: "ADDED" | "DELETED" | "MODIFIED" | "RENAMED";
  readonly objectType: ObjectType;
  readonly impact: Impact;
  /** Why it has that impact, in a sentence for each reason. */
  readonly reasons: readonly string[];
  /** Names of the members that differ, of an object both sides have. */
  readonly members?: readonly string[];
  readonly left?: Snapshot;
  readonly right?: Snapshot;
}

/** One effect of a change of a field, with the sentence that says why. */
export interface Effect {
  readonly impact: Impact;
  readonly reason: string;
}

/** The meaning of a change of one field: its effects, one at least, from the two values. */
export type ChangeRule = (before: unknown, after: unknown) => readonly Effect[];

/** The effect of every change that readers alone see. */
export const DOCUMENTATION_ONLY: Effect = {
  impact: "cosmetic",
  reason: "it changes what people read, not what the data is",
};

/** The rule of every field that has none of its own. */
export const COSMETIC_RULE: ChangeRule = () => [DOCUMENTATION_ONLY];

/** The rule of the order of attributes. */
export const MOVE_RULE: ChangeRule = () => [{ impact: "cosmetic", reason: "they stand in another order" }];

/** The rule of the key of every kind but tags. */
export const RENAME_RULE: ChangeRule = createBreakingRule("whoever names it by its key no longer finds it");

/** A rule whose every change is breaking. */
export function createBreakingRule(reason: string): ChangeRule {
  return () => [{ impact: "breaking", reason }];
}

/** A rule by which a value that was as good as absent before is additive, and any other change breaking. */
export function createAdditiveRule(
  wasAbsent: (before: unknown) => boolean,
  additive: string,
  otherwise: string,
): ChangeRule {
  return (before) =>
    wasAbsent(before) ? [{ impact: "additive", reason: additive }] : [{ impact: "breaking", reason: otherwise }];
}
