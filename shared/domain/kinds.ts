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

/** Properties of one kind of stored objects. Other code never branches on a kind's name. */
export interface Kind<
  N extends KindName = KindName,
  P extends KindName | undefined = KindName | undefined,
  R extends string = string,
> {
  readonly name: N;
  readonly noun: string;
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
  /** True if stored keys are `hashActorKey` of the keys in refs. */
  readonly hasDigestKey?: true;
  /** Scope in which the key is unique, for the message that it is taken. */
  readonly scope: string;
}

type KindText<N extends KindName, R extends string> = [name: N, noun: string, refParameter: R, refType: string];

const defineKind = <N extends KindName, P extends KindName | undefined, R extends string>(
  [name, noun, refParameter, refType]: KindText<N, R>,
  rest: Omit<Kind<N, P, R>, "name" | "noun" | "refParameter" | "refType">,
): Kind<N, P, R> => ({ name, noun, refParameter, refType, ...rest });

const noOwner = { parent: undefined, owned: false, scope: "" } as const;
const inModel = { ledger: "model", parent: "model", owned: false, scope: " in the model" } as const;
const inOwner = { ledger: "model", owned: true, scope: " of its owner" } as const;
const inTags = { ...noOwner, ledger: "tags" } as const;
const inIdentity = { ...noOwner, ledger: "identity" } as const;

export const model = defineKind(["model", "model", "modelRef", "ModelRef"], { ...noOwner, ledger: "model" });
export const type = defineKind(["type", "type", "typeRef", "TypeRef"], inModel);
export const entity = defineKind(["entity", "entity", "entityRef", "EntityRef"], inModel);
export const relationship = defineKind(["relationship", "relationship", "relationshipRef", "RelationshipRef"], inModel);
export const businessKey = defineKind(["business_key", "business key", "businessKeyRef", "BusinessKeyRef"], inModel);
export const tag = defineKind(["tag", "tag", "tagRef", "LocalTagRef"], inModel);

export const attribute = defineKind(["attribute", "entity attribute", "attributeRef", "EntityAttributeRef"], {
  ...inOwner,
  parent: "entity",
});

/** Attribute of a relationship. Stored like one of an entity; only the owner differs. */
export const relationshipAttribute = defineKind(
  ["attribute", "relationship attribute", "attributeRef", "RelationshipAttributeRef"],
  { ...inOwner, parent: "relationship" },
);

export const tagGroup = defineKind(["tag_group", "tag group", "tagGroupRef", "TagGroupRef"], inTags);

export const groupOfTag = defineKind(["tag_group", "tag group", "groupRef", "TagGroupRef"], inTags);

/** Global tag. Addressed without its group, because its ref contains the group. */
export const globalTag = defineKind(["global_tag", "global tag", "tagRef", "GlobalTagRef"], {
  ...inTags,
  owned: true,
  scope: " in the group",
});

/** Definition of a property. Built-in ones are stored once somebody changes them. */
export const propertyDefinition = defineKind(
  ["property_definition", "property definition", "definitionRef", "PropertyDefinitionRef"],
  { ...inTags, builtIn: true },
);

export const user = defineKind(["user", "user", "username", "UserRef"], inIdentity);
/** Actor. A ref by key names a user or a service account; the stored key is a digest that contains the issuer. */
export const actor = defineKind(["actor", "actor", "actorRef", "ActorRef"], { ...inIdentity, hasDigestKey: true });
/** Role of actors; roles of relationships are not objects of a kind. */
export const role = defineKind(["role", "role", "roleRef", "RoleRef"], inIdentity);
/** API token of an actor. Addressed without the actor, because its id is unique. */
export const apiToken = defineKind(["api_token", "API token", "tokenId", "ApiTokenId"], { ...inIdentity, owned: true });

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

/** Returns the kinds from the outermost owner down to `k`. */
export function listKindPath(k: Kind): readonly Kind[] {
  return k.parent ? [...listKindPath(KINDS[k.parent]), k] : [k];
}
