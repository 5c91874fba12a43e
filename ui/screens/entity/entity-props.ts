import type { RefText } from "../../api/refs.ts";
import type { OutputOf } from "../../api/service.ts";

/** What the parts of the screen of an entity are given. */
export interface EntityProps {
  readonly entity: OutputOf<"model/entity_get">;
  /** The entity tag of the answer that the entity came in. */
  readonly etag: string | undefined;
  readonly input: { readonly modelRef: RefText; readonly entityRef: RefText };
}
