import type { AttributeDocument, RelationshipDocument } from "../domain/document.ts";
import { LIMITS } from "../domain/limits.ts";
import { jsonTypeOf } from "../domain/value-type.ts";
import type { Findings } from "./findings.ts";
import { isAbsent, isObject, type JsonObject } from "./json-object.ts";
import { keyChange, legalKeys } from "./legal-key.ts";
import { isEmpty, type KnownMembers, warnUnread } from "./members.ts";
import { quoted } from "./quoted.ts";
import { oneOrMore, type Table } from "./table.ts";

/** A table with the entity it became. */
export interface KeyedTable {
  /** Key of the entity. */
  readonly key: string;
  /** The names by which foreign keys may refer to it, the best one first. */
  readonly names: readonly (string | undefined)[];
  readonly table: Table;
  readonly schema: { readonly source: JsonObject; readonly findings: Findings };
}

const LOST = "so the foreign key is not carried over";
const FOREIGN_KEY: KnownMembers = { read: new Set(["fields", "reference"]) };
const REFERENCE: KnownMembers = { read: new Set(["resource", "fields"]) };

/** Members of a reference that lead out of the package. */
const OUTSIDE = ["package", "datapackage"];

/** One side of a foreign key. */
interface Side {
  readonly entity: string;
  readonly attributes: readonly AttributeDocument[];
}

interface ForeignKey {
  readonly from: Side;
  readonly to: Side;
  /** True where no two rows of the referring table refer to the same row. */
  readonly unique: boolean;
  readonly findings: Findings;
}

/**
 * The relationships of all foreign keys, one for each however many fields it has. One that refers to a table outside
 * of the source is a warning.
 */
export function relationshipsOf(tables: readonly KeyedTable[]): readonly RelationshipDocument[] {
  const byName = new Map<string, KeyedTable>();
  const most = tables.reduce((count, t) => Math.max(count, t.names.length), 0);
  for (let rank = 0; rank < most; rank++) {
    for (const table of tables) {
      const name = table.names[rank];
      if (name !== undefined && !byName.has(name)) byName.set(name, table);
    }
  }
  const found = tables.flatMap((table) => foreignKeysOf(table, byName));
  const names = found.map(({ from }) => [from.entity, ...from.attributes.map((a) => a.key)].join("_"));
  const keys = legalKeys(names);
  return found.map((foreignKey, i) => {
    const [name = "", key = name] = [names[i], keys[i]];
    const change = keyChange(name, key);
    if (change !== undefined) foreignKey.findings.warn("", "key_made", change);
    return relationshipOf(foreignKey, key);
  });
}

function foreignKeysOf(table: KeyedTable, byName: ReadonlyMap<string, KeyedTable>): readonly ForeignKey[] {
  const { source, findings } = table.schema;
  const { foreignKeys } = source;
  if (isEmpty(foreignKeys)) return [];
  if (!Array.isArray(foreignKeys)) {
    findings.warn(
      "/foreignKeys",
      "not_carried_over",
      `expected a list, got ${jsonTypeOf(foreignKeys)}; it is not carried over`,
    );
    return [];
  }
  return foreignKeys.flatMap((one: unknown, i) => {
    const here = findings.at(`/foreignKeys/${i}`);
    if (isObject(one)) return readForeignKey(one, table, byName, here) ?? [];
    here.warn("", "not_carried_over", `expected an object, got ${jsonTypeOf(one)}, ${LOST}`);
    return [];
  });
}

function readForeignKey(
  source: JsonObject,
  table: KeyedTable,
  byName: ReadonlyMap<string, KeyedTable>,
  findings: Findings,
): ForeignKey | undefined {
  const { reference } = source;
  if (!isObject(reference)) {
    findings.warn(
      "/reference",
      "not_carried_over",
      `expected an object, got ${isAbsent(reference) ? "none" : jsonTypeOf(reference)}, ${LOST}`,
    );
    return undefined;
  }
  const there = findings.at("/reference");
  const target = targetOf(reference, table, byName, there);
  const from = sideOf(source, table, findings);
  const to = target && sideOf(reference, target, there);
  if (!from || !to) return undefined;
  if (from.attributes.length !== to.attributes.length) {
    const [here, yonder] = [from.attributes.length, to.attributes.length];
    there.warn("/fields", "not_carried_over", `${here} field(s) cannot refer to ${yonder}, ${LOST}`);
    return undefined;
  }
  warnUnread(source, FOREIGN_KEY, findings);
  warnUnread(reference, REFERENCE, there);
  const keys = new Set(from.attributes.map((a) => a.key));
  const unique = table.table.unique.some((set) => set.every((key) => keys.has(key)));
  return { from, to, unique, findings };
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
    findings.warn(`/${outside}`, "not_carried_over", `it refers to another package, ${LOST}`);
    return undefined;
  }
  const { resource } = reference;
  if (isAbsent(resource) || resource === "") return table;
  const found = typeof resource === "string" ? byName.get(resource) : undefined;
  const what = typeof resource === "string" ? quoted(resource) : jsonTypeOf(resource);
  if (!found)
    findings.warn("/resource", "not_carried_over", `${what} names no resource with a schema in this source, ${LOST}`);
  return found;
}

/** The fields that `fields` names, one or a list. */
function sideOf(source: JsonObject, { key, table }: KeyedTable, findings: Findings): Side | undefined {
  const names = oneOrMore(source.fields);
  if (names.length === 0 || names.length > LIMITS.primaryKeyAttributes) {
    findings.warn(
      "/fields",
      "not_carried_over",
      `a foreign key has 1 to ${LIMITS.primaryKeyAttributes} fields, ${LOST}`,
    );
    return undefined;
  }
  const attributes = names.flatMap((name, i) => {
    const attribute = typeof name === "string" ? table.fields.get(name) : undefined;
    if (attribute) return [attribute];
    const what = typeof name === "string" ? quoted(name) : jsonTypeOf(name);
    const place = Array.isArray(source.fields) ? `/fields/${i}` : "/fields";
    findings.warn(place, "not_carried_over", `${what} names no field of ${quoted(key)}, ${LOST}`);
    return [];
  });
  return attributes.length === names.length ? { entity: key, attributes } : undefined;
}

function relationshipOf({ from, to, unique }: ForeignKey, key: string): RelationshipDocument {
  const fields = from.attributes.map((a) => a.key).join("_");
  const ends = [from.entity, from.entity === to.entity ? fields : to.entity];
  const [referring = "", referred = ""] = legalKeys(ends);
  const required = from.attributes.every((a) => !a.optional);
  return {
    key,
    description: `${inWords(from)} refers to ${inWords(to)}.`,
    roles: [
      { key: referring, entity: `key:${from.entity}`, cardinality: unique ? "zeroOrOne" : "many" },
      { key: referred, entity: `key:${to.entity}`, cardinality: required ? "one" : "zeroOrOne" },
    ],
    attributes: [],
  };
}

/** The fields of one side, in Markdown; keys hold no backtick. */
function inWords({ entity, attributes }: Side): string {
  return `\`${entity}\` (${attributes.map((a) => `\`${a.key}\``).join(", ")})`;
}
