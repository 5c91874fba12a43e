import type {
  AccountFields,
  accountRoleFields,
  actorFields,
  apiTokenFields,
  StoredAccount,
  userFields,
} from "../fields/account-fields.ts";
import type { Fields, StoredMembers } from "../fields/field.ts";
import type {
  attributeFields,
  businessKeyFields,
  describedFields,
  entityFields,
  modelFields,
  relationshipFields,
  sourcedFields,
} from "../fields/model-fields.ts";
import type { propertyDefinitionFields } from "../fields/property-definition.ts";
import type { KindName } from "../kinds.ts";

/** Members of every stored object. `revision` is that of the last change; the store sets it when committing. */
interface ObjectBase {
  readonly id: string;
  readonly key: string;
  readonly revision: number;
}

type ObjectWith<K extends KindName, F extends Fields> = ObjectBase & StoredMembers<F> & { readonly kind: K };

/** Links of an object to tags. Deleted tags may still be listed; readers ignore them. */
export interface TagIds {
  readonly tags?: readonly string[];
  readonly globalTags?: readonly string[];
}

/** Stored model: the root of one partition. */
export type Model = ObjectWith<"model", typeof modelFields>;

export type Type = ObjectWith<"type", typeof sourcedFields>;

export type Entity = ObjectWith<"entity", typeof entityFields>;

export type Relationship = ObjectWith<"relationship", typeof relationshipFields>;

/** One side of a relationship, stored inside it. */
export type Role = Relationship["roles"][number];

export type Attribute = ObjectWith<"attribute", typeof attributeFields>;

/** Attributes by which people identify an entity. The key is unique in the model. It is deleted with its entity. */
export type BusinessKey = ObjectWith<"business_key", typeof businessKeyFields>;

export type Tag = ObjectWith<"tag", typeof sourcedFields>;

export type TagGroup = ObjectWith<"tag_group", typeof describedFields>;

/** Global tag of a group, for all models. */
export type GlobalTag = ObjectWith<"global_tag", typeof describedFields> & {
  readonly owner: string;
};

/** Definition of a property: its meaning and valid values. The key is the name of the property. */
export type PropertyDefinition = ObjectWith<"property_definition", typeof propertyDefinitionFields>;

type Account<K extends KindName, F extends AccountFields> = ObjectBase & StoredAccount<F> & { readonly kind: K };

export type User = Account<"user", typeof userFields>;

export type Actor = Account<"actor", typeof actorFields>;

export type ApiToken = Account<"api_token", typeof apiTokenFields>;

export type AuthRole = Account<"role", typeof accountRoleFields>;

export interface ObjectByKind {
  readonly model: Model;
  readonly type: Type;
  readonly entity: Entity;
  readonly relationship: Relationship;
  readonly attribute: Attribute;
  readonly business_key: BusinessKey;
  readonly tag: Tag;
  readonly tag_group: TagGroup;
  readonly global_tag: GlobalTag;
  readonly property_definition: PropertyDefinition;
  readonly user: User;
  readonly actor: Actor;
  readonly role: AuthRole;
  readonly api_token: ApiToken;
}

export type AnyObject = ObjectByKind[KindName];

/** Returns the id of the owner, with which the object is deleted; undefined without an owner. */
export function getOwnerId(object: AnyObject): string | undefined {
  if (object.kind === "business_key") return object.entity;
  return "owner" in object ? object.owner : undefined;
}
