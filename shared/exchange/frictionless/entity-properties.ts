import { pointerToken } from "../../domain/well-formed.ts";
import type { Findings } from "../findings.ts";
import type { JsonObject } from "../json-object.ts";
import type { KeptValue } from "./kept-properties.ts";
import { NAMESPACE } from "./profile-members.ts";

/** The properties of an entity and of a model that tell how their descriptor was written. */
export const LAYOUT = {
  /** Of a model: the sort of descriptor it came from, `data-package` or `table-schema`. */
  descriptor: `${NAMESPACE}descriptor`,
  /** Of an entity: the names of its properties, and of members of its texts, that stand in the schema and not beside it. */
  inSchema: `${NAMESPACE}inSchema`,
  /** Of a relationship: the key of the role that refers to the other, where nothing else tells it. */
  referring: `${NAMESPACE}referring`,
  /** Of an entity: members of the schema whose place those of the resource take. */
  schemaMembers: `${NAMESPACE}schemaMembers`,
  /** Of an entity: members of the resource whose place those of the schema take. */
  resourceMembers: `${NAMESPACE}resourceMembers`,
} as const;

/** Members as properties in the namespace of the format. */
export function ownProperties(members: JsonObject, findings: Findings): readonly KeptValue[] {
  return Object.entries(members).map(([member, value]) => ({
    name: NAMESPACE + member,
    value,
    findings: findings.at(`/${pointerToken(member)}`),
  }));
}

/** A property about the layout of a descriptor, none where there is nothing to tell. */
export function layoutProperty(name: string, value: string | readonly string[] | JsonObject, findings: Findings) {
  return Object.keys(value).length > 0 ? [{ name, value, findings }] : [];
}
