/** The name of every kind of stored object; stored items and keys carry it. */
export type KindName =
  | "model"
  | "type"
  | "entity"
  | "relationship"
  | "attribute"
  | "business_key"
  | "tag"
  | "tag_group"
  | "global_tag"
  | "property_definition"
  | "user"
  | "actor"
  | "role"
  | "api_token";
