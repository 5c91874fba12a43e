/** Number of instances at one end of a relationship. */
export type Cardinality = "zeroOrOne" | "one" | "many" | "unknown";

/** Sign of a difference. */
export type Sign = "added" | "removed" | "changed";

interface DiagramObject {
  readonly key: string;
  readonly name?: string | undefined;
  readonly tags: readonly string[];
  readonly sign?: Sign | undefined;
}

/** An attribute as a row of a box. */
export interface DiagramAttribute extends DiagramObject {
  readonly type: string;
  readonly optional: boolean;
  readonly inKey: boolean;
  readonly inPair: boolean;
}

/** An entity as a box. */
export interface DiagramEntity extends DiagramObject {
  /** Id, which is stable when the key changes. The key if the model has no ids. */
  readonly id: string;
  readonly attributes: readonly DiagramAttribute[];
}

/** An end of a relationship. */
export interface DiagramEnd {
  readonly entity: string;
  readonly key: string;
  readonly name?: string | undefined;
  readonly cardinality: Cardinality;
  readonly attributes: readonly string[];
}

/** A relationship: a line between two ends, or a diamond with more ends. */
export interface DiagramRelationship extends DiagramObject {
  readonly id: string;
  readonly ends: readonly DiagramEnd[];
}

/** A tag in use. */
export interface DiagramTag {
  /** Ref as in documents: `key:<tag>` or `key:<group>/<tag>`. */
  readonly ref: string;
  readonly key: string;
  readonly name?: string | undefined;
}

/** A model as a diagram before layout. */
export interface DiagramGraph {
  readonly modelKey: string;
  readonly modelName?: string | undefined;
  readonly entities: readonly DiagramEntity[];
  readonly relationships: readonly DiagramRelationship[];
  readonly tags: readonly DiagramTag[];
}

/** Returns true for a relationship that is drawn as a diamond. */
export function isDiamond({ ends }: DiagramRelationship): boolean {
  return ends.length > 2;
}

/** Returns true for a relationship of an entity with itself. */
export function isLoop({ ends }: DiagramRelationship): boolean {
  return ends.length === 2 && ends[0]?.entity === ends[1]?.entity;
}
