import type { Cardinality } from "../../../domain/values/model-types.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { JsonObject } from "../json-object.ts";

/** A named part of a source, in the terms of the source. */
export interface SourcePart {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Other members, which become properties in the namespace of the format. */
  readonly rest?: JsonObject;
  readonly tags?: readonly string[];
  readonly path: readonly string[];
  readonly diagnostics: Diagnostics;
}

export interface SourceColumn extends SourcePart {
  readonly type: string;
  readonly optional: boolean;
  /** Keywords of constraints. Invalid ones become properties. */
  readonly constraints?: JsonObject;
}

/** A table, record or object. Keys are lists of column names. */
export interface SourceTable extends SourcePart {
  /** Unique identifier in the source, used by references. */
  readonly id: string;
  readonly columns: readonly SourceColumn[];
  readonly primaryKey: readonly string[];
  readonly unique: readonly (readonly string[])[];
}

/** A foreign key, or without columns, a table that contains another. */
export interface SourceReference extends Omit<SourcePart, "name"> {
  readonly name?: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly columns: readonly string[];
  readonly targets: readonly string[];
  readonly cardinalities?: readonly [from: Cardinality, to: Cardinality] | undefined;
}

/** A source as tables, independent of its format. */
export interface SourceTables {
  readonly namespace: string;
  /** `name`, `title`, `description`, `version` and `homepage`, if present. */
  readonly header: JsonObject;
  readonly rest: JsonObject;
  readonly tags: readonly string[];
  /** Types that the source describes. Other types of columns are added. */
  readonly types: readonly SourcePart[];
  readonly tables: readonly SourceTable[];
  readonly references: readonly SourceReference[];
}
