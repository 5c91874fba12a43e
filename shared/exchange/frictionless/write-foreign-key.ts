import { ifDefined } from "../../domain/content.ts";
import type { ModelDocument, RelationshipDocument } from "../../domain/document.ts";
import type { Findings } from "../findings.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import { oneOrMore } from "./one-or-more.ts";
import { PROFILE_MEMBERS } from "./profile-members.ts";
import { isMadeOf, keyOf, type Sides, sidesOf } from "./referring.ts";
import { keyMember } from "./table-members.ts";
import { warnClashes } from "./write-warnings.ts";
import { writtenProperties } from "./written-properties.ts";

/** The names that an entity and its attributes are written with. */
export interface WrittenNames {
  /** The names that foreign keys may call the entity by, its own first. */
  readonly names: readonly string[];
  /** The names of fields by `key:…` of their attributes. */
  readonly fields: ReadonlyMap<string, string>;
}

/** The foreign keys of a model, by `key:…` of the entities whose schemas have them. */
export function writeForeignKeys(
  document: ModelDocument,
  written: ReadonlyMap<string, WrittenNames>,
  findings: Findings,
): ReadonlyMap<string, readonly JsonObject[]> {
  const all = new Map<string, JsonObject[]>();
  for (const [i, relationship] of document.relationships.entries()) {
    const here = findings.at(`/relationships/${i}`);
    const sides = sidesOf(relationship);
    if (!sides) {
      here.warn("", "not_written", "a relationship without key pairs is no foreign key");
      continue;
    }
    warnBeside(relationship, here);
    warnCardinalities(document, relationship, sides, here);
    const foreignKey = writeForeignKey(relationship, sides, written, here);
    all.set(sides.from, [...(all.get(sides.from) ?? []), foreignKey]);
  }
  return all;
}

function writeForeignKey(
  { key, name, description, properties }: RelationshipDocument,
  sides: Sides,
  written: ReadonlyMap<string, WrittenNames>,
  findings: Findings,
): JsonObject {
  const { members, kept, clashes } = writtenProperties(properties, PROFILE_MEMBERS.foreignKey);
  warnClashes(clashes, findings);
  const [from, to] = [written.get(sides.from), written.get(sides.to)];
  const fieldsOf = (refs: readonly string[], names: WrittenNames | undefined): readonly string[] =>
    refs.map((ref) => names?.fields.get(ref) ?? ref);
  const [fields, referred] = [fieldsOf(sides.attributes, from), fieldsOf(sides.referred, to)];
  const resource = sides.from === sides.to ? "" : (to?.names[0] ?? "");
  const isSame = (one: unknown, names: readonly string[]): boolean => String(oneOrMore(one)) === String(names);
  const reference = isObject(kept.reference) ? kept.reference : {};
  const calledSo = typeof reference.resource === "string" ? reference.resource : "";
  const isTarget = calledSo === "" ? sides.from === sides.to : to?.names.includes(calledSo);
  return {
    ...ifDefined("name", isMadeOf(key, keyOf(sides.from, sides.attributes)) ? undefined : key),
    ...ifDefined("title", name),
    ...ifDefined("description", description),
    fields: isSame(kept.fields, fields) ? kept.fields : keyMember(fields),
    reference: isTarget && isSame(reference.fields, referred) ? reference : { resource, fields: keyMember(referred) },
    ...members,
  };
}

/** Warns about cardinalities that the fields of a foreign key and the keys of its table do not tell. */
function warnCardinalities(
  document: ModelDocument,
  { roles }: RelationshipDocument,
  sides: Sides,
  findings: Findings,
): void {
  const entity = document.entities.find(({ key }) => `key:${key}` === sides.from);
  const from = (entity?.attributes ?? []).filter(({ key }) => sides.attributes.includes(`key:${key}`));
  const keys = document.businessKeys.filter((one) => one.entity === sides.from).map((one) => one.participants);
  const single = from.filter((one) => one.constraints?.unique === true).map(({ key }) => [`key:${key}`]);
  const sets = [entity?.primaryKey ?? [], ...keys, ...single].filter((set) => set.length > 0);
  const told = {
    from: areAmongAny(sets, sides.attributes) ? "zeroOrOne" : "many",
    to: from.every(({ optional }) => !optional) ? "one" : "zeroOrOne",
  };
  for (const [i, role] of roles.entries()) {
    const isFrom = i === sides.fromRole;
    if (role.cardinality === (isFrom ? told.from : told.to)) continue;
    findings.warn(
      `/roles/${i}/cardinality`,
      "not_written",
      "the keys and the required fields of the table tell another cardinality",
    );
  }
}

/** True where all names of one of some sets are among these. */
function areAmongAny(sets: readonly (readonly string[])[], names: readonly string[]): boolean {
  return sets.some((set) => set.every((name) => names.includes(name)));
}

/** Warns about what a relationship says beside its key pairs. */
function warnBeside({ attributes, tags = [], roles }: RelationshipDocument, findings: Findings): void {
  if (attributes.length > 0) findings.warn("/attributes", "not_written", "a foreign key has no fields of its own");
  if (tags.length > 0) findings.warn("/tags", "not_written", "a foreign key has no keywords");
  for (const [i, role] of roles.entries()) {
    if (role.name !== undefined)
      findings.warn(`/roles/${i}/name`, "not_written", "the sides of a foreign key have no names");
  }
}
