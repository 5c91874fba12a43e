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

/** Impacts of a difference, most severe first. */
export const IMPACTS = ["breaking", "additive", "cosmetic"] as const;

/** Effect of a difference on consumers of the left side that encounter the right side. */
export type Impact = (typeof IMPACTS)[number];

/** `structural` ignores tags, and changes of texts, links, tag links, version and authority. */
export type Scope = "structural" | "complete";

/** Path to an object: keys of the left side, or of the right side if added. */
export interface Location {
  readonly typeKey?: string;
  readonly entityKey?: string;
  readonly relationshipKey?: string;
  readonly attributeKey?: string;
  readonly roleKey?: string;
  readonly businessKeyKey?: string;
  readonly tagKey?: string;
}

/** State of an object on one side; the members depend on its type. */
export type Snapshot = Readonly<Record<string, unknown>> & { readonly key: string };

/** One object that was added, deleted or changed. */
export interface Difference extends Location {
  /** `RENAMED`: the key changed; other members may differ as well. */
  readonly status: "ADDED" | "DELETED" | "MODIFIED" | "RENAMED";
  readonly objectType: ObjectType;
  readonly impact: Impact;
  readonly reasons: readonly string[];
  readonly members?: readonly string[];
  readonly left?: Snapshot;
  readonly right?: Snapshot;
}

/** Consumers that read values by a definition, or that write them. */
export type Consumers = "readers" | "writers";

/** One effect of a change of a field, with the reason. */
export interface Effect {
  readonly impact: Impact;
  readonly reason: string;
  /** The only consumers that the effect concerns; absent for all. */
  readonly concerns?: Consumers;
}

/** Assesses a change of one field from both values; returns at least one effect. */
export type ChangeRule = (before: unknown, after: unknown) => readonly Effect[];

/** Rules that are only loaded to compare. */
export type RuleName = "constraints";

export const DOCUMENTATION_ONLY: Effect = {
  impact: "cosmetic",
  reason: "documentation only",
};

export const COSMETIC_RULE: ChangeRule = () => [DOCUMENTATION_ONLY];

export const MOVE_RULE: ChangeRule = () => [{ impact: "cosmetic", reason: "the order changed" }];

export const RENAME_RULE: ChangeRule = createBreakingRule("consumers that refer to the old key will fail");

/** Creates a rule by which every change is breaking. */
export function createBreakingRule(reason: string): ChangeRule {
  return () => [{ impact: "breaking", reason }];
}

/** Creates a rule: adding a value is additive; every other change is breaking. */
export function createAdditiveRule(
  wasAbsent: (before: unknown) => boolean,
  additive: string,
  reason: string,
): ChangeRule {
  return (before) =>
    wasAbsent(before) ? [{ impact: "additive", reason: additive }] : [{ impact: "breaking", reason: reason }];
}
