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

/** Classes of a difference, most severe first. With a behavioural one, both sides go on, but values or effects change. */
export const IMPACTS = ["breaking", "behavioural", "additive", "operational", "cosmetic"] as const;

/** Effect of a difference on consumers of the left side that encounter the right side. */
export type Impact = (typeof IMPACTS)[number];

/** Verdicts on a difference for one side: readers of the old definition, or writers by it. Most severe first. */
export const VERDICTS = ["breaks", "risk", "safe"] as const;

export type Verdict = (typeof VERDICTS)[number];

/** Verdict for one side, with its reasons; none if the change is safe. */
export interface JudgedSide {
  readonly verdict: Verdict;
  readonly reasons: readonly string[];
}

/** Consumers that read values by a definition, or that write them. */
export type Consumers = "readers" | "writers";

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
  readonly readers: JudgedSide;
  readonly writers: JudgedSide;
  readonly members?: readonly string[];
  readonly left?: Snapshot;
  readonly right?: Snapshot;
}

/** One effect of a change, with the reason. */
export interface Effect {
  readonly impact: Impact;
  readonly readers: Verdict;
  readonly writers: Verdict;
  readonly reason: string;
}

/** Names of the rules by which changes of fields are judged. Rules are only loaded to compare. */
export type RuleName =
  | "cardinality"
  | "constraints"
  | "entity"
  | "keyPairs"
  | "move"
  | "optional"
  | "participants"
  | "primaryKey"
  | "type";
