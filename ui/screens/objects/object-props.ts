import type { RefText } from "../../api/refs.ts";
import type { OutputOf } from "../../api/service.ts";

/** Properties of the components of an entity. */
export interface EntityProps {
  readonly entity: OutputOf<"model/entity_get">;
  readonly input: { readonly modelRef: RefText; readonly entityRef: RefText };
}

/** Input under which a relationship is read. */
export interface RelationshipInput {
  readonly modelRef: RefText;
  readonly relationshipRef: RefText;
}

/** Properties of the components of a relationship, which was read with `expand=keys`. */
export interface RelationshipProps {
  readonly relationship: OutputOf<"model/relationship_get">;
  readonly etag: string | undefined;
  readonly input: RelationshipInput;
}

/** A role of a relationship. */
export type Role = RelationshipProps["relationship"]["roles"][number];

/** Returns the input of the read of a relationship. */
export const toReadInput = (input: RelationshipInput) => ({ ...input, expand: "keys" as const });
