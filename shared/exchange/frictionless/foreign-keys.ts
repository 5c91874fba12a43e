import type { AttributeDocument, RelationshipDocument } from "../../domain/document.ts";
import type { KeyPair } from "../../domain/key-pairs.ts";
import { LIMITS } from "../../domain/limits.ts";
import { jsonTypeOf } from "../../domain/value-type.ts";
import type { Findings } from "../findings.ts";
import { isAbsent, isObject, type JsonObject } from "../json-object.ts";
import { keyChange, legalKeys } from "../legal-key.ts";
import { isEmpty } from "../members.ts";
import { quoted } from "../quoted.ts";
import { below, originAt, type SourcePlace } from "../source-place.ts";
import { uniqueAmong } from "../tables/unique-sets.ts";
import { LAYOUT, ownProperties } from "./entity-properties.ts";
import { keptMembers } from "./kept-members.ts";
import { type KeptValue, keptProperties } from "./kept-properties.ts";
import { same } from "./lens.ts";
import { oneOrMore } from "./one-or-more.ts";
import { NAMESPACE, PROFILE_MEMBERS } from "./profile-members.ts";
import { isReferring } from "./referring.ts";
import type { Table } from "./table.ts";
import { keyMember } from "./table-members.ts";
import { readTexts } from "./texts.ts";

/** A table with the entity it became. */
export interface KeyedTable {
  /** Key of the entity. */
  readonly key: string;
  /** The names by which foreign keys may refer to it, the best one first. */
  readonly names: readonly (string | undefined)[];
  readonly table: Table;
  /** Its place in the source. */
  readonly place: SourcePlace;
  readonly schema: { readonly source: JsonObject; readonly findings: Findings };
}

const LOST = "so the foreign key is no relationship but kept as a property";

/** Members of a reference that lead out of the package. */
const OUTSIDE = ["package", "datapackage"];

/** One side of a foreign key. */
interface Side {
  readonly entity: string;
  readonly attributes: readonly AttributeDocument[];
  /** The names of their fields. */
  readonly names: readonly string[];
}

interface ForeignKey {
  readonly from: Side;
  readonly to: Side;
  /** True where no two rows of the referring table refer to the same row. */
  readonly unique: boolean;
  readonly source: JsonObject;
  /** The members that its relationship is written as. */
  readonly written: JsonObject;
  readonly place: SourcePlace;
  readonly findings: Findings;
}

/** The relationships of foreign keys, and by the keys of entities the foreign keys that are none, as a property. */
export interface Relationships {
  readonly relationships: readonly RelationshipDocument[];
  readonly unplaced: ReadonlyMap<string, readonly KeptValue[]>;
}

/**
 * The relationships of all foreign keys, one for each however many fields it has. One that refers to a table outside
 * of the source is a warning, and kept as a property of its entity.
 */
export function relationshipsOf(tables: readonly KeyedTable[]): Relationships {
  const byName = new Map<string, KeyedTable>();
  const most = tables.reduce((count, t) => Math.max(count, t.names.length), 0);
  for (let rank = 0; rank < most; rank++) {
    for (const table of tables) {
      const name = table.names[rank];
      if (name !== undefined && !byName.has(name)) byName.set(name, table);
    }
  }
  const unplaced = new Map<string, readonly KeptValue[]>();
  const found = tables.flatMap((table) => {
    const { placed, others } = foreignKeysOf(table, byName);
    const findings = table.schema.findings.at("/foreignKeys");
    if (others !== undefined) unplaced.set(table.key, [{ name: `${NAMESPACE}foreignKeys`, value: others, findings }]);
    return placed;
  });
  const names = found.map(nameOf);
  const keys = legalKeys(names);
  const relationships = found.map((foreignKey, i) => {
    const [name = "", key = name] = [names[i], keys[i]];
    const change = keyChange(name, key);
    if (change !== undefined) foreignKey.findings.warn("", "key_made", change);
    return relationshipOf(foreignKey, key);
  });
  return { relationships, unplaced };
}

/** The name that makes the key of a relationship: that of its foreign key, else those of the entity and its attributes. */
function nameOf({ source, from }: ForeignKey): string {
  const { name } = source;
  const isName = typeof name === "string" && name.trim() !== "";
  return isName ? name : [from.entity, ...from.attributes.map((a) => a.key)].join("_");
}

/** Foreign keys of a table that become relationships, and all others as their source has them. */
interface FoundKeys {
  readonly placed: readonly ForeignKey[];
  readonly others?: unknown;
}

function foreignKeysOf(table: KeyedTable, byName: ReadonlyMap<string, KeyedTable>): FoundKeys {
  const { source, findings } = table.schema;
  const { foreignKeys } = source;
  if (isEmpty(foreignKeys)) return { placed: [] };
  if (!Array.isArray(foreignKeys)) {
    findings.warn(
      "/foreignKeys",
      "kept_as_property",
      `expected a list, got ${jsonTypeOf(foreignKeys)}; it is kept as a property`,
    );
    return { placed: [], others: foreignKeys };
  }
  const others: unknown[] = [];
  const isUnique = uniqueAmong(table.table.unique);
  const placed = foreignKeys.flatMap((one: unknown, i) => {
    const here = findings.at(`/foreignKeys/${i}`);
    const read = isObject(one) ? readForeignKey(one, table, byName, isUnique, here) : undefined;
    if (!isObject(one)) here.warn("", "kept_as_property", `expected an object, got ${jsonTypeOf(one)}, ${LOST}`);
    if (!read) others.push(one);
    return read ?? [];
  });
  return { placed, ...(others.length > 0 && { others }) };
}

function readForeignKey(
  source: JsonObject,
  table: KeyedTable,
  byName: ReadonlyMap<string, KeyedTable>,
  isUnique: (keys: readonly string[]) => boolean,
  findings: Findings,
): ForeignKey | undefined {
  const { reference } = source;
  if (!isObject(reference)) {
    findings.warn(
      "/reference",
      "kept_as_property",
      `expected an object, got ${isAbsent(reference) ? "none" : jsonTypeOf(reference)}, ${LOST}`,
    );
    return undefined;
  }
  const there = findings.at("/reference");
  const target = targetOf(reference, table, byName, there);
  const here = sideOf(source, table, findings);
  const yonder = target && sideOf(reference, target, there);
  if (!target || !here || !yonder) return undefined;
  if (here.attributes.length !== yonder.attributes.length) {
    there.warn(
      "/fields",
      "kept_as_property",
      `${here.attributes.length} field(s) cannot refer to ${yonder.attributes.length}, ${LOST}`,
    );
    return undefined;
  }
  const [from, to] = withoutRepeats(here, yonder);
  const unique = isUnique(from.attributes.map((a) => a.key));
  const written = {
    fields: keyMember(from.names),
    reference: {
      resource: table === target ? "" : target.names.find((name) => name !== undefined),
      fields: keyMember(to.names),
    },
  };
  const { name } = source;
  const names = typeof name === "string" && name.trim() !== "" ? [name] : from.names;
  const place = below(table.place, "foreignKeys", ...names);
  return { from, to, unique, source, written, place, findings };
}

/** The two sides without pairs that come a second time. */
function withoutRepeats(from: Side, to: Side): readonly [Side, Side] {
  const pairs = from.attributes.map((one, i) => [one.key, to.attributes[i]?.key].join("\n"));
  const isFirst = (_: unknown, i: number): boolean => pairs.indexOf(pairs[i] ?? "") === i;
  const first = ({ entity, attributes, names }: Side): Side => ({
    ...{ entity, attributes: attributes.filter(isFirst), names: names.filter(isFirst) },
  });
  return [first(from), first(to)];
}

/** The table a reference names; without a name it is the table itself. */
function targetOf(
  reference: JsonObject,
  table: KeyedTable,
  byName: ReadonlyMap<string, KeyedTable>,
  findings: Findings,
): KeyedTable | undefined {
  const outside = OUTSIDE.find((member) => !isEmpty(reference[member]));
  if (outside !== undefined) {
    findings.warn(`/${outside}`, "kept_as_property", `it refers to another package, ${LOST}`);
    return undefined;
  }
  const { resource } = reference;
  if (isAbsent(resource) || resource === "") return table;
  const found = typeof resource === "string" ? byName.get(resource) : undefined;
  const what = typeof resource === "string" ? quoted(resource) : jsonTypeOf(resource);
  if (!found)
    findings.warn("/resource", "kept_as_property", `${what} names no resource with a schema in this source, ${LOST}`);
  return found;
}

/** The fields that `fields` names, one or a list. */
function sideOf(source: JsonObject, { key, table }: KeyedTable, findings: Findings): Side | undefined {
  const names = oneOrMore(source.fields);
  if (names.length === 0 || names.length > LIMITS.primaryKeyAttributes) {
    findings.warn(
      "/fields",
      "kept_as_property",
      `a foreign key has 1 to ${LIMITS.primaryKeyAttributes} fields, ${LOST}`,
    );
    return undefined;
  }
  const attributes = names.flatMap((name, i) => {
    const attribute = typeof name === "string" ? table.fields.get(name) : undefined;
    if (attribute) return [attribute];
    const what = typeof name === "string" ? quoted(name) : jsonTypeOf(name);
    const place = Array.isArray(source.fields) ? `/fields/${i}` : "/fields";
    findings.warn(place, "kept_as_property", `${what} names no field of ${quoted(key)}, ${LOST}`);
    return [];
  });
  // Each of them names a field.
  return attributes.length === names.length ? { entity: key, attributes, names: names.map(String) } : undefined;
}

function relationshipOf(
  { from, to, unique, source, written, place, findings }: ForeignKey,
  key: string,
): RelationshipDocument {
  const fields = from.attributes.map((a) => a.key).join("_");
  const ends = [from.entity, from.entity === to.entity ? fields : to.entity];
  const [referring = "", referred = ""] = legalKeys(ends);
  const required = from.attributes.every((a) => !a.optional);
  const pairs = from.attributes.map(
    ({ key: one }, i): KeyPair => [`key:${one}`, `key:${to.attributes[i]?.key ?? one}`],
  );
  const unlike = Object.entries(written).filter(([member, value]) => !same(source[member], value));
  const texts = readTexts({ ...source, name: undefined, homepage: undefined }, key, undefined, findings);
  const kept = [
    ...keptMembers(source, PROFILE_MEMBERS.foreignKey, findings),
    ...ownProperties(Object.fromEntries(unlike.map(([member]) => [member, source[member]])), findings),
  ];
  const relationship = {
    key,
    ...texts,
    roles: [
      { key: referring, entity: `key:${from.entity}`, cardinality: unique ? "zeroOrOne" : "many" },
      { key: referred, entity: `key:${to.entity}`, cardinality: required ? "one" : "zeroOrOne" },
    ],
    keyPairs: pairs,
    attributes: [],
  } satisfies RelationshipDocument;
  const told = isReferring(relationship, referring) ? [] : [{ name: LAYOUT.referring, value: referring, findings }];
  return { ...relationship, ...keptProperties([...kept, ...told]), ...originAt(place) };
}
