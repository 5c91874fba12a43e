import type { TypeDocument } from "../../domain/document.ts";

/** A name in a schema; without one in the schema that the session has. */
export interface SqlPlace {
  readonly schema: string | undefined;
  readonly name: string;
  /** Both, as statements have them. */
  readonly text: string;
}

/** An enum of the database, made of a type of the model. */
export interface SqlEnum extends SqlPlace {
  readonly type: TypeDocument;
  readonly values: readonly string[];
}
