import type { StoredMembers } from "../fields/field.ts";
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

/** The members of every stored object. `revision` is that of its last change; the store sets it at the commit. */
interface Stored {
  readonly id: string;
  readonly key: string;
  readonly revision: number;
}

/** The links of an object to tags. A tag that was deleted may still be named here; every reader skips it. */
export interface Tagged {
  /** Ids of tags of the model. */
  readonly tags?: readonly string[];
  /** Ids of tags of groups. */
  readonly globalTags?: readonly string[];
}

/** A model as it is stored: the root of one partition. */
export interface Model extends Stored, StoredMembers<typeof modelFields> {
  readonly kind: "model";
}

export interface Type extends Stored, StoredMembers<typeof sourcedFields> {
  readonly kind: "type";
}

export interface Entity extends Stored, StoredMembers<typeof entityFields> {
  readonly kind: "entity";
}

export interface Relationship extends Stored, StoredMembers<typeof relationshipFields> {
  readonly kind: "relationship";
}

/** One side of a relationship; it lives inside it. */
export type Role = Relationship["roles"][number];

export interface Attribute extends Stored, StoredMembers<typeof attributeFields> {
  readonly kind: "attribute";
}

/** A set of attributes by which people identify an entity. Its key is unique in the model, and it goes with its entity. */
export interface BusinessKey extends Stored, StoredMembers<typeof businessKeyFields> {
  readonly kind: "business_key";
}

/** A local tag, which belongs to one model. */
export interface Tag extends Stored, StoredMembers<typeof sourcedFields> {
  readonly kind: "tag";
}

export interface TagGroup extends Stored, StoredMembers<typeof describedFields> {
  readonly kind: "tag_group";
}

/** A tag of a group, for all models. */
export interface GlobalTag extends Stored, StoredMembers<typeof describedFields> {
  readonly kind: "global_tag";
  /** Id of its group. */
  readonly owner: string;
}

/** What a property of some name is, and which values it may have. Its key is that name. */
export interface PropertyDefinition extends Stored, StoredMembers<typeof propertyDefinitionFields> {
  readonly kind: "property_definition";
}

/** A user of the built-in provider. Its key is the username, which never changes; the hash of its password is kept apart. */
export interface User extends Stored {
  readonly kind: "user";
  readonly fullname: string;
  /** ISO 8601 */
  readonly createdAt: string;
  /** ISO 8601; absent while the password is the first one. */
  readonly passwordChangedAt?: string;
  readonly disabledAt?: string;
}

/** Anyone who may call: one subject of one issuer, both compared exactly. Its key is a digest of the two. */
export interface Actor extends Stored {
  readonly kind: "actor";
  /** `BUILT_IN` for the service's own users, else the `iss` of the tokens. */
  readonly issuer: string;
  readonly subject: string;
  readonly fullname: string;
  readonly email?: string;
  /** Ids of the roles assigned; one that names no role any more gives nothing. */
  readonly roles: readonly string[];
  /** Roles assigned for some models only. */
  readonly scopedRoles?: readonly ScopedRole[];
  /** Keys of the roles that the newest token of another issuer claimed; shown, never a source of rights. */
  readonly claimedRoles?: readonly string[];
  /** When the token was issued that name, e-mail and claimed roles come from, in seconds since the epoch. */
  readonly claimsAt?: number;
  /** Of built-in users: tokens of another epoch are not valid. */
  readonly tokenEpoch?: number;
  /** Tokens issued before this moment, in seconds since the epoch, are not valid. */
  readonly validAfter?: number;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly disabledAt?: string;
}

/** A role that an actor has on the models whose keys fit a pattern. */
export interface ScopedRole {
  /** Id of the role. */
  readonly role: string;
  /** The pattern of the models; see `KeyPattern`. */
  readonly models: string;
}

/** A secret that stands for an actor without signing in. Its key is its id. */
export interface ApiToken extends Stored {
  readonly kind: "api_token";
  /** Id of the actor it stands for. */
  readonly owner: string;
  readonly name: string;
  /** SHA-256 of the secret, base64url; the secret is 256 random bits, so nothing can be guessed from it. */
  readonly hash: string;
  /** The most that it may do; the rights of its actor bound it at every call. */
  readonly permissions: readonly Permission[];
  /** The patterns of the models it is for; absent for everything. */
  readonly models?: readonly KeyPattern[];
  /** ISO 8601 */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** A named set of permissions that actors are given. */
export interface AuthRole extends Stored {
  readonly kind: "role";
  readonly name: string;
  readonly description?: string;
  /** Without those they imply, sorted. */
  readonly permissions: readonly Permission[];
  /** True where the service keeps it and nobody can change it. */
  readonly managed: boolean;
  /** New actors get the one role that has this. */
  readonly autoAssign: boolean;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Name of a kind -> its object. */
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

/** The id of the object an object goes with when that is deleted; undefined for an object that stands on its own. */
export function getOwnerId(object: AnyObject): string | undefined {
  if (object.kind === "business_key") return object.entity;
  return "owner" in object ? object.owner : undefined;
}
