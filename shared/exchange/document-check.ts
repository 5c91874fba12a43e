import type { EntityDocument, ModelDocument } from "../domain/document.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { businessKeyKey, relationshipKey } from "../domain/structure-types.ts";
import { tagGroupKey, tagKey } from "../domain/tag-types.ts";
import {
  entityKey,
  link,
  markdown,
  modelAuthority,
  modelKey,
  modelVersion,
  singleLine,
  typeKey,
} from "../domain/value-types.ts";
import { check, checkAll, checkMarks, checkOrigin, checkRefs } from "./check-members.ts";
import { checkAttributes, checkBusinessKey, checkRelationship, type Defined } from "./check-structure.ts";
import type { Findings } from "./findings.ts";

/** `too_large` naming the limit when a model has more objects than one job may write. */
export function refuseTooMany(objects: number): void {
  if (objects <= LIMITS.objectsPerJob) return;
  throw new Problem(
    "too_large",
    `the source makes ${objects} objects (the model and all it holds); one job may write ${LIMITS.objectsPerJob}`,
  );
}

/** How many objects a document makes. */
export function objectCount(document: ModelDocument): number {
  const { types, entities, relationships, businessKeys, localTags } = document;
  const holders = [...entities, ...relationships].reduce((sum, o) => sum + 1 + o.attributes.length, 0);
  return 1 + types.length + holders + businessKeys.length + localTags.length;
}

/**
 * Checks a produced document against the domain's own schemas: texts, keys and their uniqueness, refs. Faults are placed
 * in the document.
 */
export function checkDocument(document: ModelDocument, findings: Findings): void {
  check(document, "key", modelKey, findings);
  check(document, "name", singleLine, findings);
  check(document, "description", markdown, findings);
  check(document, "version", modelVersion, findings);
  check(document, "authority", modelAuthority, findings);
  check(document, "documentationHome", link, findings);
  checkOrigin(document, findings);
  const defined = definedBy(document);
  checkMarks(document.tags, defined.tags, findings);
  checkAll(document.types, "/types", typeKey, findings);
  checkAll(document.entities, "/entities", entityKey, findings);
  checkAll(document.relationships, "/relationships", relationshipKey, findings);
  checkAll(document.businessKeys, "/businessKeys", businessKeyKey, findings);
  checkAll(document.localTags, "/localTags", tagKey, findings);
  checkAll(document.tagGroups, "/tagGroups", tagGroupKey, findings);
  for (const [i, { tags }] of document.tagGroups.entries())
    checkAll(tags, "/tags", tagKey, findings.at(`/tagGroups/${i}`));
  for (const [i, entity] of document.entities.entries()) checkEntity(entity, defined, findings.at(`/entities/${i}`));
  for (const [i, one] of document.relationships.entries())
    checkRelationship(one, defined, findings.at(`/relationships/${i}`));
  for (const [i, one] of document.businessKeys.entries())
    checkBusinessKey(one, defined, findings.at(`/businessKeys/${i}`));
}

function definedBy({ types, entities, localTags, tagGroups }: ModelDocument): Defined {
  const global = tagGroups.flatMap(({ key, tags }) => tags.map((tag) => `key:${key}/${tag.key}`));
  return {
    types: refsTo(types),
    tags: new Set([...refsTo(localTags), ...global]),
    attributes: new Map(entities.map(({ key, attributes }) => [`key:${key}`, refsTo(attributes)])),
  };
}

function refsTo(objects: readonly { readonly key: string }[]): ReadonlySet<string> {
  return new Set(objects.map(({ key }) => `key:${key}`));
}

function checkEntity(entity: EntityDocument, defined: Defined, findings: Findings): void {
  check(entity, "documentationHome", link, findings);
  checkOrigin(entity, findings);
  checkMarks(entity.tags, defined.tags, findings);
  checkAttributes(entity.attributes, defined, findings);
  if (entity.primaryKey.length > LIMITS.primaryKeyAttributes) {
    findings.fault("/primaryKey", `a primary key has at most ${LIMITS.primaryKeyAttributes} attributes`);
  }
  checkRefs(entity.primaryKey, refsTo(entity.attributes), "/primaryKey", findings);
}
