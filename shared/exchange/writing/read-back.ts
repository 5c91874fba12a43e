import type { Cardinality } from "../../domain/structure-types.ts";
import { differentSets } from "../frictionless/different-sets.ts";
import { legalKey, legalKeys } from "../legal-key.ts";
import type { ModelReference, ModelTable, ModelTables } from "./model-tables.ts";

/** The parts of keys and relationships that a format of tables says. */
export interface TableFormat {
  /** The format as sentences name it. */
  readonly format: string;
  /** True where foreign keys have names. */
  readonly namesReferences: boolean;
  /** True where keys of several unique columns have a place. */
  readonly uniqueSets: boolean;
  /** True where a column of a primary key may be absent. */
  readonly keysMayBeAbsent?: true;
  /** The cardinalities that the format itself says; those that uniqueness and required columns tell unless given. */
  readonly cardinalities?: (reference: ModelReference) => readonly [Cardinality, Cardinality] | undefined;
}

/** Warns of what keys and relationships say beyond what a reader of the format makes of them again. */
export function warnReadBack(model: ModelTables, terms: TableFormat): void {
  for (const table of model.tables) {
    warnKeys(table, terms);
    for (const { key, at } of [table, ...table.columns]) {
      if (key.trim() === "") at.warn("/key", "written_otherwise", "a key of spaces alone is written as _");
    }
  }
  for (const reference of model.references) warnReference(reference, terms);
  for (const { relationship, at } of model.others) {
    const why = relationship.roles.length > 2 ? "of more than two roles" : "without key pairs";
    at.warn("", "not_written", `${terms.format} has no relationships ${why}`);
  }
}

function warnKeys({ key, columns, unique }: ModelTable, { format, uniqueSets, keysMayBeAbsent }: TableFormat): void {
  const first = differentSets(unique.map((set) => set.columns));
  for (const { columns: set, businessKey, at } of unique) {
    const isWritten = first.includes(set) && set.length > 0 && (uniqueSets || set.length === 1);
    if (!isWritten) {
      const which =
        set.length === 0 ? "without attributes" : first.includes(set) ? "of several columns" : "of the same columns";
      at.warn("", "not_written", `${format} has no business keys ${which}`);
      continue;
    }
    if (!businessKey) {
      at.warn("", "written_otherwise", "a column that is unique is read as a business key as well");
      continue;
    }
    if (businessKey.key !== legalKey([key, ...set].join("_"))) {
      at.warn("/key", "not_written", `${format} has no keys of business keys: they are made of entity and attributes`);
    }
    const single = set.length === 1 ? columns.find((one) => one.key === set[0]) : undefined;
    if (single && single.attribute.constraints?.unique !== true) {
      single.at.warn("/constraints", "written_otherwise", "a business key of one column makes that column unique");
    }
  }
  for (const { attribute, inKey, at } of columns) {
    if (inKey && attribute.optional && !keysMayBeAbsent)
      at.warn("/optional", "not_written", "a column of a primary key is always there");
  }
}

/** The cardinalities that a reader tells by the columns of a foreign key. */
export function toldCardinalities(
  { from, columns }: ModelReference,
  { keysMayBeAbsent }: Pick<TableFormat, "keysMayBeAbsent"> = {},
): readonly [Cardinality, Cardinality] {
  const sets = [from.primaryKey, ...from.unique.map((set) => set.columns)].filter((set) => set.length > 0);
  const isUnique = sets.some((set) => set.every((key) => columns.includes(key)));
  const areThere = columns.every((key) => {
    const column = from.columns.find((one) => one.key === key);
    return column && ((column.inKey && !keysMayBeAbsent) || !column.attribute.optional);
  });
  return [isUnique ? "zeroOrOne" : "many", areThere ? "one" : "zeroOrOne"];
}

/** The key of a relationship that a reader makes of its columns. */
export function madeKey({ from, columns }: ModelReference): string {
  return legalKey([from.key, ...columns].join("_"));
}

function warnReference(reference: ModelReference, terms: TableFormat): void {
  const { relationship, at, from, to, columns, fromRole } = reference;
  const { format, namesReferences } = terms;
  if (!namesReferences && relationship.key !== madeKey(reference)) {
    at.warn("/key", "not_written", `${format} has no keys of relationships: they are made of entity and columns`);
  }
  const told = terms.cardinalities?.(reference) ?? toldCardinalities(reference, terms);
  const isSelf = from === to;
  const roles = legalKeys([from.key, isSelf ? columns.join("_") : to.key]);
  for (const [i, role] of relationship.roles.entries()) {
    const side = i === fromRole ? 0 : 1;
    if (role.key !== roles[side]) {
      at.warn(`/roles/${i}/key`, "not_written", `${format} has no roles: each side is called as its table`);
    }
    if (role.cardinality !== told[side]) {
      at.warn(`/roles/${i}/cardinality`, "written_otherwise", "the keys and required columns tell another cardinality");
    }
  }
}
