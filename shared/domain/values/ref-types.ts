import { actor, apiToken, KINDS, relationshipAttribute, role, user } from "../kinds.ts";
import { LIMITS } from "../limits.ts";
import {
  type BareRef,
  FREE_KEY_PATTERN,
  isTagKey,
  isUsername,
  parseRef,
  type Ref,
  TAG_KEY_PATTERN,
  UUID_PATTERN,
} from "../refs.ts";
import { createParsedTextSchema, defineValueType, type ValueType } from "./value-type.ts";

const OF_MODEL = `model/${UUID_PATTERN}/${TAG_KEY_PATTERN}`;
const GLOBAL = `(global/)?${TAG_KEY_PATTERN}/${TAG_KEY_PATTERN}`;

/** Regular expressions of the key part of refs to tags: local, global, or either, including the older forms. */
export const TAG_REF_PATTERNS = {
  local: `${TAG_KEY_PATTERN}|${OF_MODEL}`,
  global: GLOBAL,
  any: `${TAG_KEY_PATTERN}|${OF_MODEL}|${GLOBAL}`,
  /** Refs to tags of either kind that contain their model or group. */
  placed: `${OF_MODEL}|${GLOBAL}`,
} as const;

function defineRefType<T extends Ref>(
  id: string,
  description: string,
  pattern: string,
  parse: (text: string) => T | string,
): ValueType<T> {
  return defineValueType<T>({
    ...{ id, json: "string", description },
    schema: () => createParsedTextSchema(`^${pattern}$`, parse),
  });
}

/** Creates the type of a ref with the schemes `id` and `key`. */
export const createRefType = (id: string, noun: string) =>
  defineRefType(id, `Names ${noun}: id:<uuid> or key:<key>.`, `(id:${UUID_PATTERN}|key:${FREE_KEY_PATTERN})`, parseRef);

export const modelRef = createRefType(KINDS.model.refType, "a model");
export const typeRef = createRefType(KINDS.type.refType, "a type of the model");
export const entityRef = createRefType(KINDS.entity.refType, "an entity of the model");
export const entityAttributeRef = createRefType(KINDS.attribute.refType, "an attribute of the entity");
export const relationshipRef = createRefType(KINDS.relationship.refType, "a relationship of the model");
export const relationshipRoleRef = createRefType("RelationshipRoleRef", "a role of the relationship");
export const relationshipAttributeRef = createRefType(
  relationshipAttribute.refType,
  "an attribute of the relationship",
);
export const businessKeyRef = createRefType(KINDS.business_key.refType, "a business key of the model");
export const tagGroupRef = createRefType(KINDS.tag_group.refType, "a tag group");

const propertyDefinitionRef = createRefType(KINDS.property_definition.refType, "a definition of a property");

type Scope = "local" | "global" | "any";

const FORMS: Readonly<Record<Scope, string>> = {
  local: "id:<uuid> or key:<tag>",
  global: "id:<uuid> or key:<group>/<tag>",
  any: "id:<uuid>, key:<group>/<tag> for a global tag or key:<tag> for a tag of the model",
};

const createTagRefType = (id: string, scope: Scope) =>
  defineRefType(
    id,
    `Names ${scope === "any" ? "a tag" : `a ${scope} tag`}: ${FORMS[scope]}.`,
    `(id:${UUID_PATTERN}|key:(${TAG_REF_PATTERNS[scope]}))`,
    (text) => parseScopedTagRef(scope, text),
  );

function parseScopedTagRef(scope: Scope, text: string): Ref | string {
  const ref = parseTagRef(text);
  if (typeof ref === "string") return ref;
  const actual = ref.scheme === "id" ? "any" : ref.group === undefined ? "local" : "global";
  if (scope === "any" || actual === "any" || actual === scope) return ref;
  return `${JSON.stringify(text)} names a ${actual} tag; use ${FORMS[scope]}`;
}

const localTagRef = createTagRefType(KINDS.tag.refType, "local");
const globalTagRef = createTagRefType(KINDS.global_tag.refType, "global");
export const tagRef = createTagRefType("TagRef", "any");

export const roleRef = createRefType(role.refType, "a role");

export const serviceAccountRef = createRefType("ServiceAccountRef", "a service account");

/** Creates the type of an id with an optional scheme, kept for compatibility with the predecessor. */
const createIdRefType = (id: string, noun: string) =>
  defineRefType<BareRef>(id, `Names ${noun}: its UUID, or id:<uuid>.`, `(id:)?${UUID_PATTERN}`, (text) => {
    const ref = parseRef(text.startsWith("id:") ? text : `id:${text}`);
    if (typeof ref !== "string") return ref;
    return `${JSON.stringify(text)} is not a valid ref to ${noun}; use its UUID, or id:<uuid>`;
  });

const ACTOR_FORMS = "key:<username>, key:service:<key> for a service account, id:<uuid>, or its UUID";

export const actorRef = defineRefType<BareRef>(
  actor.refType,
  `Names an actor: ${ACTOR_FORMS}. An actor of another issuer has no key.`,
  `((id:)?${UUID_PATTERN}|key:${FREE_KEY_PATTERN})`,
  (text) => {
    const ref = parseRef(/^(id|key):/.test(text) ? text : `id:${text}`);
    return typeof ref !== "string" ? ref : `${JSON.stringify(text)} is not a valid ref to an actor; use ${ACTOR_FORMS}`;
  },
);
export const apiTokenId = createIdRefType(apiToken.refType, "an API token");

const userRef = defineRefType<BareRef>(
  user.refType,
  "Names a user of the built-in provider: the username, key:<username> or id:<uuid>.",
  `(id:${UUID_PATTERN}|(key:)?[a-z](?:[._-]?[a-z0-9]){2,${LIMITS.usernameCharacters - 1}})`,
  (text) => {
    const ref = parseRef(/^(id|key):/.test(text) ? text : `key:${text}`);
    if (typeof ref !== "string" && (ref.scheme === "id" || isUsername(ref.value))) return ref;
    return `${JSON.stringify(text)} is not a valid username; use the username, or id:<uuid>`;
  },
);

export const REF_TYPES: { readonly [id: string]: ValueType<Ref> } = Object.fromEntries(
  [
    ...[modelRef, typeRef, entityRef, entityAttributeRef, relationshipRef, relationshipAttributeRef, businessKeyRef],
    ...[localTagRef, globalTagRef, tagGroupRef, propertyDefinitionRef, userRef, actorRef, apiTokenId, roleRef],
  ].map((t) => [t.id, t]),
);

const TAG_REF_FORMS = "use id:<uuid>, key:<group>/<tag> or key:<tag>";

/** Parses a ref to a tag, also in the two older forms with `global/` and `model/`. Returns a sentence if invalid. */
export function parseTagRef(text: string): Ref | string {
  const ref = parseRef(text);
  if (typeof ref === "string" || ref.scheme === "id") return ref;
  const parts = ref.value.split("/");
  const key = parts.at(-1) ?? "";
  const prefix = parts.slice(0, -1);
  const fault = `"${text}" is not a valid ref to a tag; ${TAG_REF_FORMS}`;
  if (!isTagKey(key)) return fault;
  const [first = "", second = ""] = prefix;
  if (prefix.length === 0) return { scheme: "key", value: key };
  if (prefix.length === 1) return isTagKey(first) ? { scheme: "key", value: key, group: first } : fault;
  if (prefix.length > 2) return fault;
  if (first === "global") return isTagKey(second) ? { scheme: "key", value: key, group: second } : fault;
  const model = first === "model" ? parseRef(`id:${second}`) : fault;
  return typeof model === "string" ? fault : { scheme: "key", value: key, model: model.value };
}
