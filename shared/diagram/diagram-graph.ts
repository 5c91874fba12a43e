/** How many instances there may be at one end of a relationship. */
export type Cardinality = "zeroOrOne" | "one" | "many" | "unknown";

/** The sign that a comparison gives a part of a diagram. */
export type Sign = "added" | "removed" | "changed";

/** An attribute as one row of the box of its entity. */
export interface DiagramAttribute {
  readonly key: string;
  readonly name?: string | undefined;
  /** The key of its type. */
  readonly type: string;
  readonly optional: boolean;
  /** True where it is a part of the primary key. */
  readonly inKey: boolean;
  /** True where a relationship joins by it. */
  readonly inPair: boolean;
  /** Refs of its tags. */
  readonly tags: readonly string[];
  readonly sign?: Sign | undefined;
}

/** An entity as a box. */
export interface DiagramEntity {
  /** Its id, which stays when its key changes; its key where the model has no ids. */
  readonly id: string;
  readonly key: string;
  readonly name?: string | undefined;
  readonly attributes: readonly DiagramAttribute[];
  readonly tags: readonly string[];
  readonly sign?: Sign | undefined;
}

/** One end of a relationship. */
export interface DiagramEnd {
  /** The `id` of its entity in the diagram. */
  readonly entity: string;
  /** The key of the role. */
  readonly key: string;
  readonly name?: string | undefined;
  readonly cardinality: Cardinality;
  /** Keys of the attributes of its entity that a join follows, in the order of the pairs. */
  readonly attributes: readonly string[];
}

/** A relationship: a line between two ends, or a diamond where it has more. */
export interface DiagramRelationship {
  readonly id: string;
  readonly key: string;
  readonly name?: string | undefined;
  readonly ends: readonly DiagramEnd[];
  readonly tags: readonly string[];
  readonly sign?: Sign | undefined;
}

/** A tag that marks something in the diagram. */
export interface DiagramTag {
  /** As documents name it: `key:<tag>`, or `key:<group>/<tag>`. */
  readonly ref: string;
  readonly key: string;
  readonly name?: string | undefined;
}

/** A model as a diagram shows it, before anything has a place. */
export interface DiagramGraph {
  readonly modelKey: string;
  readonly modelName?: string | undefined;
  readonly entities: readonly DiagramEntity[];
  readonly relationships: readonly DiagramRelationship[];
  /** The tags in use, in the order of their refs. */
  readonly tags: readonly DiagramTag[];
}

/** True for a relationship that is drawn as a diamond with a line to each end. */
export function isDiamond({ ends }: DiagramRelationship): boolean {
  return ends.length > 2;
}

/** True for a relationship of an entity with itself. */
export function isLoop({ ends }: DiagramRelationship): boolean {
  return ends.length === 2 && ends[0]?.entity === ends[1]?.entity;
}
