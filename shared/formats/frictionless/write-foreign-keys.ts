import type { ModelDocument, RelationshipDocument } from "../../domain/document/document.ts";
import { includeMember } from "../../domain/model/content.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { isObject, type JsonObject, toList } from "../common/json-object.ts";
import { isDerivedKey } from "../common/legal-key.ts";
import { findReferenceSides, type Sides, toReferenceKey } from "../common/writing/model-tables.ts";
import { PROFILE_MEMBERS } from "./profile-members.ts";
import { toKeyMember } from "./table.ts";
import { splitProperties, warnClashes } from "./write-members.ts";

/** Written names of an entity and its attributes. */
export interface TableNames {
  readonly names: readonly string[];
  readonly fields: ReadonlyMap<string, string>;
}

/** Writes the foreign keys of a model, by ref of the entity that contains them. */
export function writeForeignKeys(
  document: ModelDocument,
  written: ReadonlyMap<string, TableNames>,
  diagnostics: Diagnostics,
): ReadonlyMap<string, readonly JsonObject[]> {
  const all = new Map<string, JsonObject[]>();
  for (const [i, relationship] of document.relationships.entries()) {
    const here = diagnostics.at(`/relationships/${i}`);
    const sides = findReferenceSides(relationship);
    if (!sides) {
      here.warn("", "not_written", "foreign keys need key pairs");
      continue;
    }
    warnUnwrittenMembers(relationship, here);
    warnCardinalities(document, relationship, sides, here);
    const foreignKey = toForeignKey(relationship, sides, written, here);
    all.set(sides.from, [...(all.get(sides.from) ?? []), foreignKey]);
  }
  return all;
}

function toForeignKey(
  { key, name, description, properties }: RelationshipDocument,
  sides: Sides,
  written: ReadonlyMap<string, TableNames>,
  diagnostics: Diagnostics,
): JsonObject {
  const { members, kept, clashes } = splitProperties(properties, PROFILE_MEMBERS.foreignKey);
  warnClashes(clashes, diagnostics);
  const [from, to] = [written.get(sides.from), written.get(sides.to)];
  const toFieldNames = (refs: readonly string[], names: TableNames | undefined): readonly string[] =>
    refs.map((ref) => names?.fields.get(ref) ?? ref);
  const [fields, referred] = [toFieldNames(sides.attributes, from), toFieldNames(sides.referred, to)];
  const resource = sides.from === sides.to ? "" : (to?.names[0] ?? "");
  const isSame = (one: unknown, names: readonly string[]): boolean => String(toList(one)) === String(names);
  const reference = isObject(kept.reference) ? kept.reference : {};
  const calledSo = typeof reference.resource === "string" ? reference.resource : "";
  const isTarget = calledSo === "" ? sides.from === sides.to : to?.names.includes(calledSo);
  return {
    ...includeMember("name", isDerivedKey(key, toReferenceKey(sides.from, sides.attributes)) ? undefined : key),
    ...includeMember("title", name),
    ...includeMember("description", description),
    fields: isSame(kept.fields, fields) ? kept.fields : toKeyMember(fields),
    reference: isTarget && isSame(reference.fields, referred) ? reference : { resource, fields: toKeyMember(referred) },
    ...members,
  };
}

function warnCardinalities(
  document: ModelDocument,
  { roles }: RelationshipDocument,
  sides: Sides,
  diagnostics: Diagnostics,
): void {
  const entity = document.entities.find(({ key }) => `key:${key}` === sides.from);
  const from = (entity?.attributes ?? []).filter(({ key }) => sides.attributes.includes(`key:${key}`));
  const keys = document.businessKeys.filter((one) => one.entity === sides.from).map((one) => one.participants);
  const single = from.filter((one) => one.constraints?.unique === true).map(({ key }) => [`key:${key}`]);
  const sets = [entity?.primaryKey ?? [], ...keys, ...single].filter((set) => set.length > 0);
  const told = {
    from: sets.some((set) => set.every((ref) => sides.attributes.includes(ref))) ? "zeroOrOne" : "many",
    to: from.every(({ optional }) => !optional) ? "one" : "zeroOrOne",
  };
  for (const [i, role] of roles.entries()) {
    const isFrom = i === sides.fromRole;
    if (role.cardinality === (isFrom ? told.from : told.to)) continue;
    const detail = "the keys and required fields imply another cardinality";
    diagnostics.warn(`/roles/${i}/cardinality`, "not_written", detail);
  }
}

function warnUnwrittenMembers({ attributes, tags = [], roles }: RelationshipDocument, diagnostics: Diagnostics): void {
  if (attributes.length > 0) diagnostics.warn("/attributes", "not_written", "foreign keys have no attributes");
  if (tags.length > 0) diagnostics.warn("/tags", "not_written", "foreign keys have no keywords");
  for (const [i, role] of roles.entries()) {
    if (role.name !== undefined)
      diagnostics.warn(`/roles/${i}/name`, "not_written", "the sides of a foreign key have no names");
  }
}
