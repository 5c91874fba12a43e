import * as z from "zod/mini";
import type { EntityDocument, ModelDocument } from "../domain/document.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import {
  attributeKey,
  entityKey,
  link,
  markdown,
  modelAuthority,
  modelKey,
  modelVersion,
  singleLine,
  typeKey,
  type ValueType,
} from "../domain/value-types.ts";
import type { Findings } from "./findings.ts";

/** `too_large` naming the limit when a model has more objects than one job may write. */
export function refuseTooMany(objects: number): void {
  if (objects <= LIMITS.objectsPerJob) return;
  throw new Problem(
    "too_large",
    `the source makes ${objects} objects (model, types, entities, attributes); one job may write ${LIMITS.objectsPerJob}`,
  );
}

/** How many objects a document makes. */
export function objectCount(document: ModelDocument): number {
  return 1 + document.types.length + document.entities.reduce((sum, e) => sum + 1 + e.attributes.length, 0);
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
  checkAll(document.types, "/types", typeKey, findings);
  checkAll(document.entities, "/entities", entityKey, findings);
  const types = new Set(document.types.map((t) => `key:${t.key}`));
  for (const [i, entity] of document.entities.entries()) checkEntity(entity, types, findings.at(`/entities/${i}`));
}

function checkEntity(entity: EntityDocument, types: ReadonlySet<string>, findings: Findings): void {
  check(entity, "documentationHome", link, findings);
  checkOrigin(entity, findings);
  checkAll(entity.attributes, "/attributes", attributeKey, findings);
  for (const [i, { type }] of entity.attributes.entries()) {
    if (!types.has(type)) findings.fault(`/attributes/${i}/type`, `the model has no type ${JSON.stringify(type)}`);
  }
  if (entity.primaryKey.length > LIMITS.primaryKeyAttributes) {
    findings.fault("/primaryKey", `a primary key has at most ${LIMITS.primaryKeyAttributes} attributes`);
  }
  const attributes = new Set(entity.attributes.map((a) => `key:${a.key}`));
  const named = new Set<string>();
  for (const [i, ref] of entity.primaryKey.entries()) {
    if (!attributes.has(ref)) findings.fault(`/primaryKey/${i}`, `the entity has no attribute ${JSON.stringify(ref)}`);
    else if (named.has(ref)) findings.fault(`/primaryKey/${i}`, `${JSON.stringify(ref)} is named twice`);
    named.add(ref);
  }
}

interface Described {
  readonly key: string;
  readonly name?: string;
  readonly description?: string;
}

/** Keys and texts of the objects of one scope, and that no two keys are equal. */
function checkAll(objects: readonly Described[], place: string, key: ValueType<string>, findings: Findings): void {
  const first = new Map<string, number>();
  for (const [i, object] of objects.entries()) {
    const here = findings.at(`${place}/${i}`);
    check(object, "key", key, here);
    check(object, "name", singleLine, here);
    check(object, "description", markdown, here);
    const twin = first.get(object.key);
    if (twin === undefined) first.set(object.key, i);
    else here.fault("/key", `the key ${JSON.stringify(object.key)} is taken by ${place}/${twin}`);
  }
}

/** An origin may be of a scheme that cannot be linked to, so it is held to the length of a URL and to one line only. */
function checkOrigin(holder: { readonly origin?: string }, findings: Findings): void {
  const { origin } = holder;
  if (origin === undefined) return;
  if (origin.trim() === "" || /\s/.test(origin) || origin.length > LIMITS.urlCharacters) {
    findings.fault("/origin", `an origin is a URI of at most ${LIMITS.urlCharacters} characters`);
  }
}

function check<M extends string>(
  object: { readonly [K in M]?: string },
  member: M,
  type: ValueType<unknown>,
  findings: Findings,
): void {
  const value = object[member];
  if (value === undefined) return;
  const result = z.safeParse(type.schema(), value);
  if (!result.success) findings.fault(`/${member}`, result.error.issues[0]?.message ?? `is no ${type.id}`);
}
