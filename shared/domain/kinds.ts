/** Names of all kinds of stored objects, as stored items and keys contain them. */
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

/** Kind of ledger: a model; tag groups and global tags; or users, actors and roles. */
export type Ledger = "model" | "tags" | "identity";

/**
 * Properties of one kind of stored objects, as plain data. Other code reads them and never branches on a kind's name.
 */
export interface Kind<
  N extends KindName = KindName,
  P extends KindName | undefined = KindName | undefined,
  R extends string = string,
> {
  readonly name: N;
  /** Noun for an object of the kind, for messages. */
  readonly noun: string;
  /** Name of the parameter that addresses an object of the kind. */
  readonly refParameter: R;
  /** Type of that parameter, as `inspect_type_system` lists it. */
  readonly refType: string;
  readonly ledger: Ledger;
  /** Kind of the owner, whose ref is a parameter as well. */
  readonly parent: P;
  /** True if the key is unique within the owner instead of the model. */
  readonly owned: boolean;
  /** True if some objects are built in. They are not stored until somebody changes them. */
  readonly builtIn?: true;
  /** Scope in which the key is unique, for the message that it is taken. */
  readonly scope: string;
}

const defineKind = <N extends KindName, P extends KindName | undefined, R extends string>(
  k: Kind<N, P, R>,
): Kind<N, P, R> => k;

export const model = defineKind({
  name: "model",
  noun: "model",
  refParameter: "modelRef",
  refType: "ModelRef",
  ledger: "model",
  parent: undefined,
  owned: false,
  scope: "",
});

/** Defines a kind whose objects belong directly to a model. */
const defineModelKind = <N extends KindName, R extends string>(
  name: N,
  noun: string,
  refParameter: R,
  refType: string,
): Kind<N, "model", R> => ({
  name,
  noun,
  refParameter,
  refType,
  ledger: "model",
  parent: "model",
  owned: false,
  scope: " in the model",
});

export const type = defineModelKind("type", "type", "typeRef", "TypeRef");
export const entity = defineModelKind("entity", "entity", "entityRef", "EntityRef");
export const relationship = defineModelKind("relationship", "relationship", "relationshipRef", "RelationshipRef");
export const businessKey = defineModelKind("business_key", "business key", "businessKeyRef", "BusinessKeyRef");
/** Local tag of a model. */
export const tag = defineModelKind("tag", "tag", "tagRef", "LocalTagRef");

const owned = { ledger: "model", owned: true } as const;

export const attribute = defineKind({
  ...owned,
  name: "attribute",
  noun: "entity attribute",
  refParameter: "attributeRef",
  refType: "EntityAttributeRef",
  parent: "entity",
  scope: " of its owner",
});

/** Attribute of a relationship. Stored like one of an entity; only the owner differs. */
export const relationshipAttribute = defineKind({
  ...owned,
  name: "attribute",
  noun: "relationship attribute",
  refParameter: "attributeRef",
  refType: "RelationshipAttributeRef",
  parent: "relationship",
  scope: " of its owner",
});

export const tagGroup = defineKind({
  name: "tag_group",
  noun: "tag group",
  refParameter: "tagGroupRef",
  refType: "TagGroupRef",
  ledger: "tags",
  parent: undefined,
  owned: false,
  scope: "",
});

/** Group of a new tag. */
export const groupOfTag = defineKind({ ...tagGroup, refParameter: "groupRef" });

/** Global tag. Addressed without its group, because its ref contains the group. */
export const globalTag = defineKind({
  name: "global_tag",
  noun: "global tag",
  refParameter: "tagRef",
  refType: "GlobalTagRef",
  ledger: "tags",
  parent: undefined,
  owned: true,
  scope: " in the group",
});

/** Definition of a property. Built-in ones are stored once somebody changes them. */
export const propertyDefinition = defineKind({
  ...tagGroup,
  name: "property_definition",
  noun: "property definition",
  refParameter: "definitionRef",
  refType: "PropertyDefinitionRef",
  builtIn: true,
});

const inIdentity = { ledger: "identity", parent: undefined, owned: false, scope: "" } as const;

export const user = defineKind({
  ...inIdentity,
  name: "user",
  noun: "user",
  refParameter: "username",
  refType: "UserRef",
});

export const actor = defineKind({
  ...inIdentity,
  name: "actor",
  noun: "actor",
  refParameter: "actorId",
  refType: "ActorId",
});

/** Role of actors; roles of relationships are not objects of a kind. */
export const role = defineKind({
  ...inIdentity,
  name: "role",
  noun: "role",
  refParameter: "roleRef",
  refType: "RoleRef",
});

/** API token of an actor. Addressed without the actor, because its id is unique. */
export const apiToken = defineKind({
  ...inIdentity,
  owned: true,
  name: "api_token",
  noun: "API token",
  refParameter: "tokenId",
  refType: "ApiTokenId",
});

/** All kinds of stored objects, by name. */
export const KINDS: { readonly [N in KindName]: Kind<N> } = {
  model,
  type,
  entity,
  relationship,
  attribute,
  business_key: businessKey,
  tag,
  tag_group: tagGroup,
  global_tag: globalTag,
  property_definition: propertyDefinition,
  user,
  actor,
  role,
  api_token: apiToken,
};

/** Returns the kinds from the outermost owner down to `k`, in the order of their ref parameters. */
export function listKindPath(k: Kind): readonly Kind[] {
  return k.parent ? [...listKindPath(KINDS[k.parent]), k] : [k];
}
