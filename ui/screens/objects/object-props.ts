import type { RefText } from "../../api/refs.ts";
import type { OutputOf } from "../../api/service.ts";

/** What the parts of the screen of an entity are given. */
export interface EntityProps {
  readonly entity: OutputOf<"model/entity_get">;
  /** The entity tag of the answer that the entity came in. */
  readonly etag: string | undefined;
  readonly input: { readonly modelRef: RefText; readonly entityRef: RefText };
}

/** How a relationship is read on its screen. */
export interface RelationshipInput {
  readonly modelRef: RefText;
  readonly relationshipRef: RefText;
}

/** What the parts of the screen of a relationship are given; it was read with `expand=keys`. */
export interface RelationshipProps {
  readonly relationship: OutputOf<"model/relationship_get">;
  /** The entity tag of the answer that the relationship came in. */
  readonly etag: string | undefined;
  readonly input: RelationshipInput;
}

/** One role of a relationship. */
export type Role = RelationshipProps["relationship"]["roles"][number];

/** The input under which the relationship is read. */
export const readInput = (input: RelationshipInput) => ({ ...input, expand: "keys" as const });
