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

/** Format of exported models; `docs/model.schema.json` describes it. */
export const DOCUMENT_SCHEMA = "urn:metaction:model:2";

/** First version of the format, which is still supported. */
export const FIRST_DOCUMENT_SCHEMA = "urn:metaction:model:1";

/** Members of all objects in the first version, except `id` and `key`. Later members are not allowed in it. */
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

/** Whole model, as exported and imported. Lists are sorted by key; members without a value are omitted. */
export interface ModelDocument extends DocumentOf<typeof modelFields> {
  readonly $schema: typeof DOCUMENT_SCHEMA;
}
