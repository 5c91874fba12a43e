import type { AttributeDocument, BusinessKeyDocument, RelationshipDocument } from "../domain/document.ts";
import { LIMITS } from "../domain/limits.ts";
import { cardinality, relationshipRoleKey } from "../domain/structure-types.ts";
import { attributeKey } from "../domain/value-types.ts";
import { check, checkAll, checkMarks, checkRefs } from "./check-members.ts";
import type { Findings } from "./findings.ts";

/** What refs of a document may name, each as `key:…`. */
export interface Defined {
  readonly types: ReadonlySet<string>;
  /** Tags of the model and of groups. */
  readonly tags: ReadonlySet<string>;
  /** The attributes of each entity. */
  readonly attributes: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The attributes of one entity or relationship. */
export function checkAttributes(attributes: readonly AttributeDocument[], defined: Defined, findings: Findings): void {
  checkAll(attributes, "/attributes", attributeKey, findings);
  for (const [i, { type, tags }] of attributes.entries()) {
    if (!defined.types.has(type)) {
      findings.fault(`/attributes/${i}/type`, `the model has no type ${JSON.stringify(type)}`);
    }
    checkMarks(tags, defined.tags, findings.at(`/attributes/${i}`));
  }
}

/** Roles, attributes and tags of a relationship. */
export function checkRelationship(relationship: RelationshipDocument, defined: Defined, findings: Findings): void {
  const { roles, attributes, tags } = relationship;
  checkMarks(tags, defined.tags, findings);
  checkAttributes(attributes, defined, findings);
  checkAll(roles, "/roles", relationshipRoleKey, findings);
  if (roles.length < 2 || roles.length > LIMITS.relationshipRoles) {
    findings.fault("/roles", `a relationship has 2 to ${LIMITS.relationshipRoles} roles, not ${roles.length}`);
  }
  for (const [i, role] of roles.entries()) {
    const here = findings.at(`/roles/${i}`);
    if (!defined.attributes.has(role.entity)) {
      here.fault("/entity", `the model has no entity ${JSON.stringify(role.entity)}`);
    }
    check(role, "cardinality", cardinality, here);
  }
}

/** Entity and participants of a business key. */
export function checkBusinessKey(
  { entity, participants }: BusinessKeyDocument,
  defined: Defined,
  findings: Findings,
): void {
  const own = defined.attributes.get(entity);
  if (!own) findings.fault("/entity", `the model has no entity ${JSON.stringify(entity)}`);
  else checkRefs(participants, own, "/participants", findings);
  if (participants.length > LIMITS.businessKeyParticipants) {
    findings.fault("/participants", `a business key has at most ${LIMITS.businessKeyParticipants} participants`);
  }
}
