/** What every stored object carries. `revision` is that of its last change; the store sets it at the commit. */
interface Stored {
  readonly id: string;
  readonly key: string;
  readonly revision: number;
}

export type Authority = "system" | "canonical";

/** A model as it is stored: the root of one partition. */
export interface Model extends Stored {
  readonly kind: "model";
  readonly name: string;
  readonly description?: string;
  readonly version: string;
  readonly authority: Authority;
  readonly documentationHome?: string;
  /** Where the model was imported from; absent for a model made by hand. */
  readonly origin?: string;
}

export interface Type extends Stored {
  readonly kind: "type";
  readonly name?: string;
  readonly description?: string;
}

export interface Entity extends Stored {
  readonly kind: "entity";
  readonly name?: string;
  readonly description?: string;
  readonly documentationHome?: string;
  readonly origin?: string;
  /** Ids of its own attributes, in order; empty when the entity has no primary key. */
  readonly primaryKey: readonly string[];
}

export interface Attribute extends Stored {
  readonly kind: "attribute";
  /** Id of the entity or relationship it belongs to. */
  readonly owner: string;
  readonly name?: string;
  readonly description?: string;
  /** Id of its type. */
  readonly type: string;
  readonly optional: boolean;
  /** Sorts the attributes of one owner in the order in which they were made. */
  readonly order: number;
}

/** Name of a kind -> its object. */
export interface ObjectByKind {
  readonly model: Model;
  readonly type: Type;
  readonly entity: Entity;
  readonly attribute: Attribute;
}

export type KindName = keyof ObjectByKind;
export type AnyObject = ObjectByKind[KindName];
