import type { RefProperties } from "./properties.ts";

/** An object that tags can mark: the ids of its tags, in order. A tag that was deleted stays there and is not shown. */
export interface RefMarked {
  tags: readonly string[];
  globalTags: readonly string[];
}

export type Named = { readonly id: string; readonly key: string };

interface RefDescribed {
  readonly id: string;
  key: string;
  name?: string | undefined;
  description?: string | undefined;
  properties?: RefProperties | undefined;
  /** Never of what actions made. */
  readonly origin?: string | undefined;
}

export interface RefType extends RefDescribed {}

export interface RefTag extends RefDescribed {}

export interface RefTagGroup extends RefDescribed {
  tags: RefTag[];
}

export interface RefAttribute extends RefDescribed, RefMarked {
  type: string;
  optional: boolean;
  constraints?: unknown;
  /** Sorts the attributes of one holder, and is never shown. */
  order: number;
}

/** An entity or a relationship: what attributes belong to. */
export interface RefHolder extends RefDescribed, RefMarked {
  attributes: RefAttribute[];
}

export interface RefEntity extends RefHolder {
  documentationHome?: string | undefined;
  primaryKey: readonly string[];
}

export interface RefRole {
  readonly id: string;
  readonly key: string;
  readonly name?: string | undefined;
  readonly entity: string;
  readonly cardinality: string;
}

export interface RefRelationship extends RefHolder {
  /** The roles, in the order in which they were made. */
  roles: readonly RefRole[];
  /** Pairs of ids of attributes, of two roles in their order. An attribute that was deleted stays there and is not shown. */
  keyPairs?: readonly (readonly string[])[] | undefined;
}

export interface RefBusinessKey extends RefDescribed {
  readonly entity: string;
  participants: readonly string[];
}

export interface RefModel extends RefDescribed, RefMarked {
  revision: number;
  name: string;
  readonly version: string;
  authority: string;
  documentationHome?: string | undefined;
  types: RefType[];
  entities: RefEntity[];
  relationships: RefRelationship[];
  businessKeys: RefBusinessKey[];
  localTags: RefTag[];
}

/** What a property of some name is. */
export interface RefDefinition {
  readonly id: string;
  key: string;
  name?: string | undefined;
  description?: string | undefined;
  kinds?: readonly string[] | undefined;
  schema?: Readonly<Record<string, unknown>> | undefined;
  impact: string;
}

/** All tag groups with their tags, and the definitions of properties, which have a revision of their own. */
export interface RefTags {
  readonly id: string;
  revision: number;
  groups: RefTagGroup[];
  /** Those that are stored; others come with the service. */
  definitions: RefDefinition[];
}
