import type { Cardinality } from "../../../domain/values/model-types.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { JsonObject } from "../json-object.ts";

/** One named thing of a source, in the words of the source. */
export interface SourcePart {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** The members that have no place of their own; each becomes a property under the namespace of the format. */
  readonly kept?: JsonObject;
  readonly tags?: readonly string[];
  /** The names on the way to it in the source, its own included. */
  readonly path: readonly string[];
  /** Its place for warnings. */
  readonly diagnostics: Diagnostics;
}

/** A column, field or property. */
export interface SourceColumn extends SourcePart {
  /** The name of its type. */
  readonly type: string;
  readonly optional: boolean;
  /** Keywords of constraints; what does not fit is kept as properties. */
  readonly constraints?: JsonObject;
}

/** A table, record or object with its columns and keys, of which each names columns. */
export interface SourceTable extends SourcePart {
  /** The name by which references find it, unique in its source. */
  readonly id: string;
  readonly columns: readonly SourceColumn[];
  readonly primaryKey: readonly string[];
  readonly unique: readonly (readonly string[])[];
  readonly documentationHome?: string | undefined;
}

/**
 * A way from one table to another. With columns it is a foreign key, whose cardinalities follow from uniqueness and nullability
 * unless given; without columns one holds the other, and the cardinalities of both sides have to be given.
 */
export interface SourceReference extends Omit<SourcePart, "name"> {
  /** The name of the relationship; made of table and columns unless given. */
  readonly name?: string | undefined;
  /** The `id` of the referring table. */
  readonly from: string;
  /** The `id` of the table that is referred to. */
  readonly to: string;
  readonly columns: readonly string[];
  readonly referred: readonly string[];
  readonly cardinalities?: readonly [from: Cardinality, to: Cardinality] | undefined;
}

/** A whole source as tables, whatever its format calls them. */
export interface SourceTables {
  /** The namespace of its properties. */
  readonly namespace: string;
  /** `name`, `title`, `description`, `version` and `homepage`, as far as the source has them. */
  readonly header: JsonObject;
  readonly kept: JsonObject;
  readonly tags: readonly string[];
  /** The types that it describes; all others that columns name are made. */
  readonly types: readonly SourcePart[];
  readonly tables: readonly SourceTable[];
  readonly references: readonly SourceReference[];
}
