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
import type { Permission } from "../permissions.ts";
import type { KeyPattern } from "../refs.ts";

/** Members of every stored object. `revision` is that of the last change; the store sets it when committing. */
interface Stored {
  readonly id: string;
  readonly key: string;
  readonly revision: number;
}

type ObjectWith<K extends KindName, F extends Fields> = Stored & StoredMembers<F> & { readonly kind: K };

/** Links of an object to tags. Deleted tags may still be listed; readers ignore them. */
export interface Tagged {
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

/** User of the built-in provider. The key is the username. The password hash is stored separately. */
export interface User extends Stored {
  readonly kind: "user";
  readonly fullname: string;
  /** ISO 8601 */
  readonly createdAt: string;
  /** ISO 8601; absent until the first password is changed. */
  readonly passwordChangedAt?: string;
  readonly disabledAt?: string;
}

/** Possible caller: one subject of one issuer, both compared exactly. The key is a digest of the two. */
export interface Actor extends Stored {
  readonly kind: "actor";
  /** `BUILT_IN` for the service's own users, else the `iss` of the tokens. */
  readonly issuer: string;
  readonly subject: string;
  readonly fullname: string;
  readonly email?: string;
  /** Ids of the assigned roles. Deleted roles grant nothing. */
  readonly roles: readonly string[];
  readonly scopedRoles?: readonly ScopedRole[];
  /** Role keys claimed by the newest token of another issuer. For display only, never for rights. */
  readonly claimedRoles?: readonly string[];
  /** Issue time of the token that provided name, e-mail and claimed roles, in seconds since the epoch. */
  readonly claimsAt?: number;
  /** Token epoch of built-in users; tokens of another epoch are not valid. */
  readonly tokenEpoch?: number;
  /** Tokens that were issued earlier are not valid, in seconds since the epoch. */
  readonly validAfter?: number;
  readonly createdAt: string;
  readonly disabledAt?: string;
}

/** Role of an actor on the models that match a pattern. */
export interface ScopedRole {
  readonly role: string;
  readonly models: string;
}

/** API token of an actor, used without signing in. The key is its id. */
export interface ApiToken extends Stored {
  readonly kind: "api_token";
  readonly owner: string;
  readonly name: string;
  /** SHA-256 of the secret in base64url. The secret has 256 random bits, so it cannot be guessed. */
  readonly hash: string;
  /** Upper limit of its permissions. The rights of its actor limit every call as well. */
  readonly permissions: readonly Permission[];
  readonly models?: readonly KeyPattern[];
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Named set of permissions that is assigned to actors. */
export interface AuthRole extends Stored {
  readonly kind: "role";
  readonly name: string;
  readonly description?: string;
  /** Sorted, without implied permissions. */
  readonly permissions: readonly Permission[];
  /** True if the service manages the role and nobody can change it. */
  readonly managed: boolean;
  readonly autoAssign: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

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
