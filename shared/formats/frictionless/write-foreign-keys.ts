import type { ModelDocument, RelationshipDocument } from "../../domain/document/document.ts";
import { includeMember } from "../../domain/model/content.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { isObject, type JsonObject, toList } from "../common/json-object.ts";
import { isDerivedKey } from "../common/legal-key.ts";
import { createModelTables, type ModelReference } from "../common/writing/model-tables.ts";
import { deriveReadCardinalities, toDerivedKey } from "../common/writing/read-back.ts";
import { PROFILE_MEMBERS } from "./profile-members.ts";
import { toKeyMember } from "./table.ts";
import { splitProperties } from "./write-members.ts";

/** Written names of an entity and its attributes. */
export interface TableNames {
  readonly names: readonly string[];
  readonly fields: ReadonlyMap<string, string>;
}

/** Writes the foreign keys of a model, by ref of the entity that contains them. */
export function writeForeignKeys(
  document: ModelDocument,
  tableNames: ReadonlyMap<string, TableNames>,
  diagnostics: Diagnostics,
): ReadonlyMap<string, readonly JsonObject[]> {
  const { references } = createModelTables(document, diagnostics);
  const byRelationship = new Map(references.map((one) => [one.relationship, one]));
  const all = new Map<string, JsonObject[]>();
  for (const [i, relationship] of document.relationships.entries()) {
    const reference = byRelationship.get(relationship);
    if (!reference) {
      diagnostics.warn(`/relationships/${i}`, "not_written", "foreign keys need key pairs");
      continue;
    }
    warnUnwrittenMembers(relationship, reference.at);
    warnCardinalities(reference);
    const entityRef = `key:${reference.from.key}`;
    all.set(entityRef, [...(all.get(entityRef) ?? []), toForeignKey(reference, tableNames)]);
  }
  return all;
}

function toForeignKey(one: ModelReference, tableNames: ReadonlyMap<string, TableNames>): JsonObject {
  const { key, name, description, properties } = one.relationship;
  const { members, extras } = splitProperties(properties, PROFILE_MEMBERS.foreignKey, one.at);
  const isSelf = one.from === one.to;
  const [from, to] = [tableNames.get(`key:${one.from.key}`), tableNames.get(`key:${one.to.key}`)];
  const toFieldNames = (keys: readonly string[], names: TableNames | undefined) =>
    keys.map((column) => names?.fields.get(`key:${column}`) ?? `key:${column}`);
  const [fields, targets] = [toFieldNames(one.columns, from), toFieldNames(one.targets, to)];
  const resource = isSelf ? "" : (to?.names[0] ?? "");
  const isSame = (value: unknown, names: readonly string[]) => String(toList(value)) === String(names);
  const reference = isObject(extras.reference) ? extras.reference : {};
  const resourceName = typeof reference.resource === "string" ? reference.resource : "";
  const isTarget = resourceName === "" ? isSelf : to?.names.includes(resourceName);
  return {
    ...includeMember("name", isDerivedKey(key, toDerivedKey(one)) ? undefined : key),
    ...includeMember("title", name),
    ...includeMember("description", description),
    fields: isSame(extras.fields, fields) ? extras.fields : toKeyMember(fields),
    reference: isTarget && isSame(reference.fields, targets) ? reference : { resource, fields: toKeyMember(targets) },
    ...members,
  };
}

function warnCardinalities(reference: ModelReference) {
  const { relationship, fromRole, at } = reference;
  const cardinalities = deriveReadCardinalities(reference, { keysMayBeAbsent: true });
  for (const [i, { cardinality }] of relationship.roles.entries()) {
    if (cardinality === cardinalities[i === fromRole ? 0 : 1]) continue;
    const detail = "the keys and required fields imply another cardinality";
    at.warn(`/roles/${i}/cardinality`, "not_written", detail);
  }
}

function warnUnwrittenMembers({ attributes, tags = [], roles }: RelationshipDocument, diagnostics: Diagnostics) {
  if (attributes.length > 0) diagnostics.warn("/attributes", "not_written", "foreign keys have no attributes");
  if (tags.length > 0) diagnostics.warn("/tags", "not_written", "foreign keys have no keywords");
  for (const [i, role] of roles.entries()) {
    if (role.name !== undefined)
      diagnostics.warn(`/roles/${i}/name`, "not_written", "the sides of a foreign key have no names");
  }
}
