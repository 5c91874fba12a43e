import type { DocumentOf } from "../fields/field.ts";
import type {
  attributeFields,
  businessKeyFields,
  describedFields,
  entityFields,
  modelFields,
  relationshipFields,
  sourcedFields,
  tagGroupFields,
} from "../fields/model-fields.ts";

/** Names the format of an exported model; `docs/model.schema.json` describes it. */
export const DOCUMENT_SCHEMA = "urn:metaction:model:2";

/** The first version of that format, which is still read. */
export const FIRST_DOCUMENT_SCHEMA = "urn:metaction:model:1";

/** The members of any object in the first version besides `id` and `key`; no later one has a place in it. */
export const FIRST_DOCUMENT_MEMBERS: ReadonlySet<string> = new Set([
  ...["name", "description", "tags", "origin", "documentationHome", "version", "authority"],
  ...["types", "entities", "relationships", "businessKeys", "localTags", "tagGroups"],
  ...["attributes", "primaryKey", "type", "optional", "roles", "entity", "cardinality", "participants"],
]);

export type TypeDocument = DocumentOf<typeof sourcedFields>;
export type TagDocument = DocumentOf<typeof sourcedFields>;
export type GlobalTagDocument = DocumentOf<typeof describedFields>;
export type TagGroupDocument = DocumentOf<typeof tagGroupFields>;
export type AttributeDocument = DocumentOf<typeof attributeFields>;
export type EntityDocument = DocumentOf<typeof entityFields>;
export type RelationshipDocument = DocumentOf<typeof relationshipFields>;
export type RoleDocument = RelationshipDocument["roles"][number];
export type BusinessKeyDocument = DocumentOf<typeof businessKeyFields>;

/**
 * A whole model on its own: the answer of `model_export`, and the product of every importer. Lists are sorted by key,
 * attributes keep their order; members without a value are left out; ids are given by exports and ignored by imports.
 */
export interface ModelDocument extends DocumentOf<typeof modelFields> {
  readonly $schema: typeof DOCUMENT_SCHEMA;
}
