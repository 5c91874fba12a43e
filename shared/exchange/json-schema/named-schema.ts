import type { Findings } from "../findings.ts";
import type { JsonObject } from "../json-object.ts";
import type { Placed } from "./refs.ts";

/** The pointer of the items of a document that describes a list. */
export const ROOT_ITEMS = "/items";

/** A schema that has a name: a definition, or the document itself. */
export interface NamedSchema extends Placed {
  readonly name: string;
}

/** The schemas around a place: how many, and the pointers of those that refs led to. */
export interface Within {
  readonly depth: number;
  readonly open: readonly string[];
}

/** A property of a table, by its path from it. */
export interface Property {
  readonly name: string;
  readonly isPresent: boolean;
  readonly path: readonly string[];
  /** As it stands, before refs are followed. */
  readonly raw: JsonObject;
  readonly findings: Findings;
  readonly within: Within;
}
