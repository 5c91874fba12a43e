import type { Authority, Cardinality } from "./objects.ts";

/** Names the format of an exported model; `docs/model.schema.json` describes it. */
export const DOCUMENT_SCHEMA = "urn:metaction:model:1";

interface Described {
  readonly id?: string;
  readonly key: string;
  readonly name?: string;
  readonly description?: string;
}

/** What may be marked with tags: `key:<tag>` for a tag of the model, `key:<group>/<tag>` for one of a group, sorted. */
interface Marked {
  readonly tags?: readonly string[];
}

export interface TypeDocument extends Described {}

export interface TagDocument extends Described {}

/** A tag group with those of its tags that the model uses. */
export interface TagGroupDocument extends Described {
  readonly tags: readonly TagDocument[];
}

export interface AttributeDocument extends Described, Marked {
  /** `key:<type key>` */
  readonly type: string;
  readonly optional: boolean;
}

export interface EntityDocument extends Described, Marked {
  readonly documentationHome?: string;
  readonly origin?: string;
  /** In the order in which they were made. */
  readonly attributes: readonly AttributeDocument[];
  /** `key:<attribute key>` each, in order; empty when there is none. */
  readonly primaryKey: readonly string[];
}

export interface RoleDocument {
  readonly id?: string;
  readonly key: string;
  readonly name?: string;
  /** `key:<entity key>` */
  readonly entity: string;
  readonly cardinality: Cardinality;
}

export interface RelationshipDocument extends Described, Marked {
  readonly roles: readonly RoleDocument[];
  /** In the order in which they were made. */
  readonly attributes: readonly AttributeDocument[];
}

export interface BusinessKeyDocument extends Described {
  /** `key:<entity key>` */
  readonly entity: string;
  /** `key:<attribute key>` each, in order. */
  readonly participants: readonly string[];
}

/**
 * A whole model on its own: what `model_export` answers and what every importer produces. Lists are sorted by key,
 * attributes keep their order; members without a value are left out; ids are given by exports and ignored by imports.
 */
export interface ModelDocument extends Described, Marked {
  readonly $schema: typeof DOCUMENT_SCHEMA;
  readonly name: string;
  readonly version: string;
  readonly authority: Authority;
  readonly documentationHome?: string;
  readonly origin?: string;
  readonly types: readonly TypeDocument[];
  readonly entities: readonly EntityDocument[];
  readonly relationships: readonly RelationshipDocument[];
  readonly businessKeys: readonly BusinessKeyDocument[];
  /** Every tag of the model, also those that mark nothing. */
  readonly localTags: readonly TagDocument[];
  /** The tags of groups that mark something in the model. */
  readonly tagGroups: readonly TagGroupDocument[];
}
