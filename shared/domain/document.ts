import type { Authority } from "./objects.ts";

/** Names the format of an exported model; `docs/model.schema.json` describes it. */
export const DOCUMENT_SCHEMA = "urn:metaction:model:1";

interface Described {
  readonly id?: string;
  readonly key: string;
  readonly name?: string;
  readonly description?: string;
}

export interface TypeDocument extends Described {}

export interface AttributeDocument extends Described {
  /** `key:<type key>` */
  readonly type: string;
  readonly optional: boolean;
}

export interface EntityDocument extends Described {
  readonly documentationHome?: string;
  readonly origin?: string;
  /** In the order in which they were made. */
  readonly attributes: readonly AttributeDocument[];
  /** `key:<attribute key>` each, in order; empty when there is none. */
  readonly primaryKey: readonly string[];
}

/**
 * A whole model on its own: what `model_export` answers and what every importer produces. Lists are sorted by key,
 * attributes keep their order; members without a value are left out; ids are given by exports and ignored by imports.
 */
export interface ModelDocument extends Described {
  readonly $schema: typeof DOCUMENT_SCHEMA;
  readonly name: string;
  readonly version: string;
  readonly authority: Authority;
  readonly documentationHome?: string;
  readonly origin?: string;
  readonly types: readonly TypeDocument[];
  readonly entities: readonly EntityDocument[];
}
