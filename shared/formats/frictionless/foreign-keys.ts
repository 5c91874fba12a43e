import type { AttributeDocument, RelationshipDocument } from "../../domain/document/document.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { KeyPair } from "../../domain/refs.ts";
import { isSameValue } from "../../domain/text/json-values.ts";
import { describeJsonType } from "../../domain/values/value-type.ts";
import { createUniquenessTest } from "../common/column-sets.ts";
import { type Diagnostics, quote } from "../common/diagnostics.ts";
import { readTexts } from "../common/header.ts";
import { isAbsent, isEmptyValue, isObject, type JsonObject, readOptionalText, toList } from "../common/json-object.ts";
import { type KeptValue, toProperties } from "../common/kept-properties.ts";
import { describeKeyChange, toLegalKeys } from "../common/legal-key.ts";
import { appendPath, type SourcePath, toOrigin } from "../common/source-path.ts";
import { isReferringRole } from "../common/writing/model-tables.ts";
import { keepMembers } from "./kept-members.ts";
import { LAYOUT, MEMBER_NAMES, NAMESPACE, PROFILE_MEMBERS, toOwnProperties } from "./profile-members.ts";
import { type Table, toKeyMember } from "./table.ts";

/** A table with its entity. */
export interface KeyedTable {
  readonly key: string;
  /** Names that foreign keys may use, the best one first. */
  readonly names: readonly (string | undefined)[];
  readonly table: Table;
  readonly path: SourcePath;
  readonly schema: { readonly source: JsonObject; readonly diagnostics: Diagnostics };
}

function warnUnrelated(diagnostics: Diagnostics, path: string, reason: string): undefined {
  diagnostics.warn(path, "kept_as_property", `${reason}, so the foreign key is kept as a property`);
}

const PACKAGE_MEMBERS = ["package", "datapackage"];

interface Side {
  readonly entity: string;
  readonly attributes: readonly AttributeDocument[];
  readonly names: readonly string[];
}

interface ForeignKey {
  readonly from: Side;
  readonly to: Side;
  /** True when no two rows refer to the same row. */
  readonly unique: boolean;
  readonly source: JsonObject;
  readonly json: JsonObject;
  readonly path: SourcePath;
  readonly diagnostics: Diagnostics;
}

/** Relationships, and foreign keys without relationship by entity key. */
export interface Relationships {
  readonly relationships: readonly RelationshipDocument[];
  readonly orphans: ReadonlyMap<string, readonly KeptValue[]>;
}

/** Reads foreign keys as relationships. One to an unknown table becomes a property of its entity, with a warning. */
export function readRelationships(tables: readonly KeyedTable[]): Relationships {
  const byName = new Map<string, KeyedTable>();
  const maxNames = tables.reduce((count, t) => Math.max(count, t.names.length), 0);
  for (let rank = 0; rank < maxNames; rank++) {
    for (const table of tables) {
      const name = table.names[rank];
      if (name !== undefined && !byName.has(name)) byName.set(name, table);
    }
  }
  const orphans = new Map<string, readonly KeptValue[]>();
  const foreignKeys = tables.flatMap((table) => {
    const { matches, others } = readForeignKeys(table, byName);
    const diagnostics = table.schema.diagnostics.at("/foreignKeys");
    if (others !== undefined) orphans.set(table.key, [{ name: `${NAMESPACE}foreignKeys`, value: others, diagnostics }]);
    return matches;
  });
  const names = foreignKeys.map(toRelationshipName);
  const keys = toLegalKeys(names);
  const relationships = foreignKeys.map((foreignKey, i) => {
    const [name = "", key = name] = [names[i], keys[i]];
    const change = describeKeyChange(name, key);
    if (change !== undefined) foreignKey.diagnostics.warn("", "key_made", change);
    return toRelationship(foreignKey, key);
  });
  return { relationships, orphans };
}

function toRelationshipName({ source, from }: ForeignKey) {
  return readOptionalText(source, "name") ?? [from.entity, ...from.attributes.map((a) => a.key)].join("_");
}

function readForeignKeys(
  table: KeyedTable,
  byName: ReadonlyMap<string, KeyedTable>,
): { readonly matches: readonly ForeignKey[]; readonly others?: unknown } {
  const { source, diagnostics } = table.schema;
  const { foreignKeys } = source;
  if (isEmptyValue(foreignKeys)) return { matches: [] };
  if (!Array.isArray(foreignKeys)) {
    const detail = `expected a list, got ${describeJsonType(foreignKeys)}; it is kept as a property`;
    diagnostics.warn("/foreignKeys", "kept_as_property", detail);
    return { matches: [], others: foreignKeys };
  }
  const others: unknown[] = [];
  const isUnique = createUniquenessTest(table.table.unique);
  const matches = foreignKeys.flatMap((one: unknown, i) => {
    const keyDiagnostics = diagnostics.at(`/foreignKeys/${i}`);
    const foreignKey = isObject(one) ? readForeignKey(one, table, byName, isUnique, keyDiagnostics) : undefined;
    if (!isObject(one)) warnUnrelated(keyDiagnostics, "", `expected an object, got ${describeJsonType(one)}`);
    if (!foreignKey) others.push(one);
    return foreignKey ?? [];
  });
  return { matches, ...(others.length > 0 && { others }) };
}

function readForeignKey(
  source: JsonObject,
  table: KeyedTable,
  byName: ReadonlyMap<string, KeyedTable>,
  isUnique: (keys: readonly string[]) => boolean,
  diagnostics: Diagnostics,
): ForeignKey | undefined {
  const { reference } = source;
  if (!isObject(reference)) {
    const actualType = isAbsent(reference) ? "none" : describeJsonType(reference);
    return warnUnrelated(diagnostics, "/reference", `expected an object, got ${actualType}`);
  }
  const refDiagnostics = diagnostics.at("/reference");
  const target = findTarget(reference, table, byName, refDiagnostics);
  const fromSide = readSide(source, table, diagnostics);
  const toSide = target && readSide(reference, target, refDiagnostics);
  if (!target || !fromSide || !toSide) return undefined;
  if (fromSide.attributes.length !== toSide.attributes.length) {
    const reason = `${fromSide.attributes.length} field(s) cannot refer to ${toSide.attributes.length}`;
    return warnUnrelated(refDiagnostics, "/fields", reason);
  }
  const [from, to] = removeRepeatedPairs(fromSide, toSide);
  const unique = isUnique(from.attributes.map((a) => a.key));
  const json = {
    fields: toKeyMember(from.names),
    reference: {
      resource: table === target ? "" : target.names.find((name) => name !== undefined),
      fields: toKeyMember(to.names),
    },
  };
  const name = readOptionalText(source, "name");
  const names = name === undefined ? from.names : [name];
  const path = appendPath(table.path, "foreignKeys", ...names);
  return { from, to, unique, source, json, path, diagnostics };
}

function removeRepeatedPairs(from: Side, to: Side): readonly [Side, Side] {
  const pairs = from.attributes.map((one, i) => [one.key, to.attributes[i]?.key].join("\n"));
  const isFirst = (_: unknown, i: number) => pairs.indexOf(pairs[i] ?? "") === i;
  const first = ({ entity, attributes, names }: Side): Side => {
    return { entity, attributes: attributes.filter(isFirst), names: names.filter(isFirst) };
  };
  return [first(from), first(to)];
}

function findTarget(
  reference: JsonObject,
  table: KeyedTable,
  byName: ReadonlyMap<string, KeyedTable>,
  diagnostics: Diagnostics,
): KeyedTable | undefined {
  const memberName = PACKAGE_MEMBERS.find((member) => !isEmptyValue(reference[member]));
  if (memberName !== undefined) return warnUnrelated(diagnostics, `/${memberName}`, "it refers to another package");
  const { resource } = reference;
  if (isAbsent(resource) || resource === "") return table;
  const target = typeof resource === "string" ? byName.get(resource) : undefined;
  const text = typeof resource === "string" ? quote(resource) : describeJsonType(resource);
  return target ?? warnUnrelated(diagnostics, "/resource", `${text} is not a resource with a schema in this source`);
}

function readSide(source: JsonObject, { key, table }: KeyedTable, diagnostics: Diagnostics): Side | undefined {
  const names = toList(source.fields);
  if (names.length === 0 || names.length > LIMITS.primaryKeyAttributes) {
    return warnUnrelated(diagnostics, "/fields", `a foreign key has 1 to ${LIMITS.primaryKeyAttributes} fields`);
  }
  const attributes = names.flatMap((name, i) => {
    const attribute = typeof name === "string" ? table.fields.get(name) : undefined;
    if (attribute) return [attribute];
    const fieldText = typeof name === "string" ? quote(name) : describeJsonType(name);
    const path = Array.isArray(source.fields) ? `/fields/${i}` : "/fields";
    warnUnrelated(diagnostics, path, `${fieldText} is not a field of ${quote(key)}`);
    return [];
  });
  return attributes.length === names.length ? { entity: key, attributes, names: names.map(String) } : undefined;
}

function toRelationship(
  { from, to, unique, source, json, path, diagnostics }: ForeignKey,
  key: string,
): RelationshipDocument {
  const fields = from.attributes.map((a) => a.key).join("_");
  const ends = [from.entity, from.entity === to.entity ? fields : to.entity];
  const [fromRoleKey = "", toRoleKey = ""] = toLegalKeys(ends);
  const isRequired = from.attributes.every((a) => !a.optional);
  const pairs = from.attributes.map(
    ({ key: one }, i): KeyPair => [`key:${one}`, `key:${to.attributes[i]?.key ?? one}`],
  );
  const differences = Object.entries(json).filter(([member, value]) => !isSameValue(source[member], value));
  const texts = readTexts({ ...source, name: undefined, homepage: undefined }, key, undefined, diagnostics);
  const keptValues = [
    ...keepMembers(source, PROFILE_MEMBERS.foreignKey, diagnostics),
    ...toOwnProperties(Object.fromEntries(differences.map(([member]) => [member, source[member]])), diagnostics),
  ];
  const relationship = {
    key,
    ...texts,
    roles: [
      { key: fromRoleKey, entity: `key:${from.entity}`, cardinality: unique ? "zeroOrOne" : "many" },
      { key: toRoleKey, entity: `key:${to.entity}`, cardinality: isRequired ? "one" : "zeroOrOne" },
    ],
    keyPairs: pairs,
    attributes: [],
  } satisfies RelationshipDocument;
  const referringRole = isReferringRole(relationship, fromRoleKey)
    ? []
    : [{ name: LAYOUT.referring, value: fromRoleKey, diagnostics }];
  return { ...relationship, ...toProperties([...keptValues, ...referringRole], MEMBER_NAMES), ...toOrigin(path) };
}
