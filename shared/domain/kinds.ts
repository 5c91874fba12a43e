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

/** The sort of ledger that objects are in: that of one model, of tag groups and global tags, or of users, actors and roles. */
export type Ledger = "model" | "tags" | "identity";

/** Plain facts about one sort of stored object; doors, store and builders read these and never branch on a kind's name. */
export interface Kind<
  N extends KindName = KindName,
  P extends KindName | undefined = KindName | undefined,
  R extends string = string,
> {
  readonly name: N;
  /** The noun for an object of the kind in a sentence to a caller. */
  readonly noun: string;
  /** The parameter that addresses an object of the kind. */
  readonly refParameter: R;
  /** The domain type of that parameter, as `inspect_type_system` lists it. */
  readonly refType: string;
  readonly ledger: Ledger;
  /** The kind that it is nested in, whose ref is a parameter too. */
  readonly parent: P;
  /** True where its key is unique in its parent object rather than in the model. */
  readonly owned: boolean;
  /** True where some objects of the kind come with the service, and are no stored ones until somebody changes them. */
  readonly builtIn?: true;
  /** The scope in which its key is unique, in the words of the sentence that it is taken. */
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

/** A kind whose objects lie directly in a model. */
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
/** A local tag. */
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

/** An attribute of a relationship, stored as those of entities are; the owner tells them apart. */
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

/** The group a tag is made in. */
export const groupOfTag = defineKind({ ...tagGroup, refParameter: "groupRef" });

/** A global tag, addressed without its group, because its refs name that too. */
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

/** What a property is; some come with the service and are stored once somebody changes them. */
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

/** A role that actors are given; those of a relationship are no objects of their own. */
export const role = defineKind({
  ...inIdentity,
  name: "role",
  noun: "role",
  refParameter: "roleRef",
  refType: "RoleRef",
});

/** A secret that stands for an actor; addressed without that, because its id is enough. */
export const apiToken = defineKind({
  ...inIdentity,
  owned: true,
  name: "api_token",
  noun: "API token",
  refParameter: "tokenId",
  refType: "ApiTokenId",
});

/** All kinds of stored objects by name. */
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

/** The kinds from the outermost down to `k`, in the order their refs are asked for. */
export function listKindPath(k: Kind): readonly Kind[] {
  return k.parent ? [...listKindPath(KINDS[k.parent]), k] : [k];
}
