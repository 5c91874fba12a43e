import type { DocAttribute, DocRelationship } from "./document.ts";
import type { Found, Source } from "./source.ts";

/** A table of a source, as foreign keys speak of it. */
export interface KeyedTable {
  readonly key: string;
  /** The JSON pointer of the table's schema. */
  readonly place: string;
  /** The names by which foreign keys refer to the table, the first one tried before the second. */
  readonly names: readonly (string | undefined)[];
  /** The attributes of the table by the names of its fields. */
  readonly fields: ReadonlyMap<string, DocAttribute>;
  /** Sets of attributes that tell rows apart. */
  readonly unique: readonly (readonly string[])[];
  readonly foreignKeys: readonly Source[];
}

interface Side {
  readonly entity: string;
  readonly attributes: readonly DocAttribute[];
}

/** The names of fields as a key is written: one by itself, several in a list. */
export const oneOrList = (names: readonly string[]): unknown => (names.length === 1 ? names[0] : names);

/** A relationship for each foreign key that leads somewhere; the others stay with their tables, with a warning where they go astray. */
export function relationshipsOf(tables: readonly KeyedTable[], found: Found) {
  const made: DocRelationship[] = [];
  const unplaced = new Map<string, Source>();
  for (const table of tables) {
    const lost: Source[] = [];
    const lose = (foreignKey: Source): void => {
      lost.push(foreignKey);
      unplaced.set(table.key, { "frictionless:foreignKeys": lost });
    };
    for (const [i, foreignKey] of table.foreignKeys.entries()) {
      const place = `${table.place}/foreignKeys/${i}`;
      const reference = foreignKey.reference as Source;
      const target = targetOf(reference, table, tables);
      if (!target) found.warnings.push(`${place}/reference/resource`);
      const from = sideOf(foreignKey.fields, table, place, found);
      const to = target && sideOf(reference.fields, target, `${place}/reference`, found);
      if (!target || !from || !to) {
        lose(foreignKey);
        continue;
      }
      if (from.attributes.length !== to.attributes.length) {
        found.warnings.push(`${place}/reference/fields`);
        lose(foreignKey);
        continue;
      }
      const keys = from.attributes.map((a) => a.key);
      const isUnique = table.unique.some((set) => set.every((key) => keys.includes(key)));
      const base = [from.entity, ...keys].join("_");
      let key = base;
      for (let n = 2; made.some((one) => one.key === key); n++) key = `${base}_${n}`;
      if (key !== base) found.warnings.push(place);
      const resource = target === table ? "" : target.names.find((name) => name !== undefined);
      const written = {
        fields: oneOrList([foreignKey.fields].flat() as string[]),
        reference: { resource, fields: oneOrList([reference.fields].flat() as string[]) },
      };
      made.push(relationshipOf(from, to, key, isUnique, unlike(foreignKey, written)));
    }
  }
  return { relationships: made, unplaced };
}

/** The order in which the members of a reference are compared. */
const MEMBERS = ["resource", "fields"];

/** The members of a foreign key that are written otherwise than they were. */
function unlike(given: Source, written: Source): Source {
  const text = (value: unknown): string => JSON.stringify(value, MEMBERS);
  const others = Object.keys(written).filter((member) => text(given[member]) !== text(written[member]));
  return Object.fromEntries(others.map((member) => [`frictionless:${member}`, given[member]]));
}

/** The table that a foreign key refers to; without a name it is the table itself. */
function targetOf({ resource }: Source, table: KeyedTable, tables: readonly KeyedTable[]): KeyedTable | undefined {
  if (resource === undefined || resource === "") return table;
  for (const rank of [0, 1]) {
    const named = tables.find(({ names }) => names[rank] === resource);
    if (named) return named;
  }
  return undefined;
}

/** One side of a foreign key, given as a field or a list of fields; undefined where one is unknown. */
function sideOf(given: unknown, { key, fields }: KeyedTable, place: string, found: Found): Side | undefined {
  const names = [given].flat();
  const attributes = names.flatMap((name, i) => {
    const attribute = fields.get(String(name));
    if (!attribute) found.warnings.push(Array.isArray(given) ? `${place}/fields/${i}` : `${place}/fields`);
    return attribute ?? [];
  });
  return attributes.length === names.length ? { entity: key, attributes } : undefined;
}

function relationshipOf(from: Side, to: Side, key: string, isUnique: boolean, kept: Source): DocRelationship {
  const itself = from.entity === to.entity;
  const other = itself ? from.attributes.map((a) => a.key).join("_") : to.entity;
  const isRequired = from.attributes.every((a) => !a.optional);
  const referring = from.entity;
  const referred = other === referring ? `${other}_2` : other;
  const keyPairs = from.attributes.map((a, i) => [`key:${a.key}`, `key:${to.attributes[i]?.key}`]);
  const properties = {
    ...kept,
    ...(isUnique && !isTold(key, from, to, referring < referred) && { "frictionless:referring": referring }),
  };
  return {
    key,
    ...(Object.keys(properties).length > 0 && { properties }),
    keyPairs,
    roles: [
      { key: referring, entity: `key:${from.entity}`, cardinality: isUnique ? "zeroOrOne" : "many" },
      {
        key: referred,
        entity: `key:${to.entity}`,
        cardinality: isRequired ? "one" : "zeroOrOne",
      },
    ],
    attributes: [],
  };
}

/**
 * Whether the key of a relationship between two sides that may both be missing tells which one refers to the other: it is made of
 * the names of the referring side, and where it could be made of either, the role that is first by its key counts.
 */
function isTold(key: string, from: Side, to: Side, isFirst: boolean): boolean {
  const namesOf = (side: Side): string => [side.entity, ...side.attributes.map((a) => a.key)].join("_");
  const isMadeOf = (side: Side): boolean => key.replace(/_\d+$/, "") === namesOf(side) || key === namesOf(side);
  return isMadeOf(from) && (isFirst || !isMadeOf(to) || namesOf(from) === namesOf(to));
}
