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

/** A relationship for each foreign key that leads somewhere; the others are lost, with a warning where they go astray. */
export function relationshipsOf(tables: readonly KeyedTable[], found: Found): readonly DocRelationship[] {
  const made: DocRelationship[] = [];
  for (const table of tables) {
    for (const [i, foreignKey] of table.foreignKeys.entries()) {
      const place = `${table.place}/foreignKeys/${i}`;
      const reference = foreignKey.reference as Source;
      const target = targetOf(reference, table, tables);
      if (!target) found.warnings.push(`${place}/reference/resource`);
      const from = sideOf(foreignKey.fields, table, place, found);
      const to = target && sideOf(reference.fields, target, `${place}/reference`, found);
      if (!from || !to) continue;
      if (from.attributes.length !== to.attributes.length) {
        found.warnings.push(`${place}/reference/fields`);
        continue;
      }
      const keys = from.attributes.map((a) => a.key);
      const isUnique = table.unique.some((set) => set.every((key) => keys.includes(key)));
      const base = [from.entity, ...keys].join("_");
      let key = base;
      for (let n = 2; made.some((one) => one.key === key); n++) key = `${base}_${n}`;
      if (key !== base) found.warnings.push(place);
      made.push(relationshipOf(from, to, key, isUnique));
    }
  }
  return made;
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

function relationshipOf(from: Side, to: Side, key: string, isUnique: boolean): DocRelationship {
  const itself = from.entity === to.entity;
  const other = itself ? from.attributes.map((a) => a.key).join("_") : to.entity;
  const isRequired = from.attributes.every((a) => !a.optional);
  return {
    key,
    description: `${inWords(from)} refers to ${inWords(to)}.`,
    roles: [
      { key: from.entity, entity: `key:${from.entity}`, cardinality: isUnique ? "zeroOrOne" : "many" },
      {
        key: other === from.entity ? `${other}_2` : other,
        entity: `key:${to.entity}`,
        cardinality: isRequired ? "one" : "zeroOrOne",
      },
    ],
    attributes: [],
  };
}

function inWords({ entity, attributes }: Side): string {
  return `\`${entity}\` (${attributes.map((a) => `\`${a.key}\``).join(", ")})`;
}
