import { FREE_KEY_PATTERN, isUsername } from "./keys.ts";
import { actor, apiToken, KINDS, relationshipAttribute, role, user } from "./kinds.ts";
import { LIMITS } from "./limits.ts";
import { type BareRef, parseRef, type Ref, UUID_PATTERN } from "./refs.ts";
import { parseTagRef, TAG_REF_PATTERNS } from "./tag-refs.ts";
import { parsedText, type ValueType, valueType } from "./value-type.ts";

/** A ref of the schemes `id` and `key`. */
export const refType = (id: string, noun: string) =>
  valueType<Ref>({
    id,
    json: "string",
    description: `Names ${noun}: id:<uuid> or key:<key>.`,
    schema: () => parsedText(`^(id:${UUID_PATTERN}|key:${FREE_KEY_PATTERN})$`, parseRef),
  });

export const modelRef = refType(KINDS.model.refType, "a model");
export const typeRef = refType(KINDS.type.refType, "a type of the model");
export const entityRef = refType(KINDS.entity.refType, "an entity of the model");
export const entityAttributeRef = refType(KINDS.attribute.refType, "an attribute of the entity");
export const relationshipRef = refType(KINDS.relationship.refType, "a relationship of the model");
export const relationshipRoleRef = refType("RelationshipRoleRef", "a role of the relationship");
export const relationshipAttributeRef = refType(relationshipAttribute.refType, "an attribute of the relationship");
export const businessKeyRef = refType(KINDS.business_key.refType, "a business key of the model");
export const tagGroupRef = refType(KINDS.tag_group.refType, "a tag group");

export const propertyDefinitionRef = refType(KINDS.property_definition.refType, "a definition of a property");

/** Which tags a ref may name. */
type Scope = "local" | "global" | "any";

const FORMS: Readonly<Record<Scope, string>> = {
  local: "id:<uuid> or key:<tag>",
  global: "id:<uuid> or key:<group>/<tag>",
  any: "id:<uuid>, key:<group>/<tag> for a global tag or key:<tag> for a tag of the model",
};

const tagRefType = (id: string, scope: Scope): ValueType<Ref> =>
  valueType<Ref>({
    id,
    json: "string",
    description: `Names ${scope === "any" ? "a tag" : `a ${scope} tag`}: ${FORMS[scope]}.`,
    schema: () =>
      parsedText(`^(id:${UUID_PATTERN}|key:(${TAG_REF_PATTERNS[scope]}))$`, (written) => tagRefIn(scope, written)),
  });

function tagRefIn(scope: Scope, written: string): Ref | string {
  const ref = parseTagRef(written);
  if (typeof ref === "string") return ref;
  const said = ref.scheme === "id" ? "any" : ref.group === undefined ? "local" : "global";
  if (scope === "any" || said === "any" || said === scope) return ref;
  return `${JSON.stringify(written)} names a ${said} tag; write ${FORMS[scope]}`;
}

export const localTagRef = tagRefType(KINDS.tag.refType, "local");
export const globalTagRef = tagRefType(KINDS.global_tag.refType, "global");
export const tagRef = tagRefType("TagRef", "any");

export const roleRef = refType(role.refType, "a role");

export const serviceAccountRef = refType("ServiceAccountRef", "a service account");

/** A ref whose scheme may be left out, because the ancestor wrote it so. */
const bareRef = (
  id: string,
  description: string,
  pattern: string,
  parse: (written: string) => Ref | string,
): ValueType<BareRef> =>
  valueType<BareRef>({
    id,
    json: "string",
    description,
    schema: () => parsedText(`^${pattern}$`, parse),
  });

/** Names what has no key. */
const idRef = (id: string, noun: string): ValueType<BareRef> =>
  bareRef(id, `Names ${noun}: its UUID, or id:<uuid>.`, `(id:)?${UUID_PATTERN}`, (written) => {
    const ref = parseRef(written.startsWith("id:") ? written : `id:${written}`);
    if (typeof ref !== "string") return ref;
    return `${JSON.stringify(written)} names no ${noun.replace(/^an? /, "")}; write its UUID, or id:<uuid>`;
  });

export const actorId = idRef(actor.refType, "an actor");
export const apiTokenId = idRef(apiToken.refType, "an API token");

/** Names a user of the built-in provider. */
export const userRef = bareRef(
  user.refType,
  "Names a user of the built-in provider: the username, key:<username> or id:<uuid>.",
  `(id:${UUID_PATTERN}|(key:)?[a-z](?:[._-]?[a-z0-9]){2,${LIMITS.usernameCharacters - 1}})`,
  (written) => {
    const ref = parseRef(/^(id|key):/.test(written) ? written : `key:${written}`);
    if (typeof ref !== "string" && (ref.scheme === "id" || isUsername(ref.value))) return ref;
    return `${JSON.stringify(written)} names no user; write the username, or id:<uuid>`;
  },
);

/** Ref types by the id a kind names. */
export const REF_TYPES: { readonly [id: string]: ValueType<Ref> } = Object.fromEntries(
  [
    modelRef,
    typeRef,
    entityRef,
    entityAttributeRef,
    relationshipRef,
    relationshipAttributeRef,
    businessKeyRef,
    localTagRef,
    globalTagRef,
    tagGroupRef,
    propertyDefinitionRef,
    userRef,
    actorId,
    apiTokenId,
    roleRef,
  ].map((t) => [t.id, t]),
);
