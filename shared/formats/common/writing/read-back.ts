import type { ModelDocument } from "../../../domain/document/document.ts";
import type { Cardinality } from "../../../domain/values/model-types.ts";
import { removeEqualSets } from "../column-sets.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { TAG_KEYS, toLegalKey, toLegalKeys } from "../legal-key.ts";
import { type ModelReference, type ModelTable, type ModelTables, toKey } from "./model-tables.ts";

/** Facts about keys and relationships that a format can express. */
export interface TableFormat {
  readonly format: string;
  readonly namesReferences: boolean;
  readonly uniqueSets: boolean;
  /** True when columns of a primary key may be optional. */
  readonly keysMayBeAbsent?: true;
  /** Returns the cardinalities that the format expresses itself. */
  readonly cardinalities?: (reference: ModelReference) => readonly [Cardinality, Cardinality] | undefined;
}

/** Warns about facts of keys and relationships that reading the file loses. */
export function warnReadBack(model: ModelTables, terms: TableFormat): void {
  for (const table of model.tables) {
    warnKeys(table, terms);
    for (const { key, at } of [table, ...table.columns]) {
      if (key.trim() === "") at.warn("/key", "written_otherwise", "a blank key is written as _");
    }
  }
  for (const reference of model.references) warnReference(reference, terms);
  for (const { relationship, at } of model.others) {
    const feature = relationship.roles.length > 2 ? "with more than two roles" : "without key pairs";
    at.warn("", "not_written", `${terms.format} has no relationships ${feature}`);
  }
}

function warnKeys({ key, columns, unique }: ModelTable, { format, uniqueSets, keysMayBeAbsent }: TableFormat) {
  const first = removeEqualSets(unique.map((set) => set.columns));
  for (const { columns: set, businessKey, at } of unique) {
    const isWritten = first.includes(set) && set.length > 0 && (uniqueSets || set.length === 1);
    if (!isWritten) {
      const feature =
        set.length === 0 ? "without attributes" : first.includes(set) ? "of several columns" : "of the same columns";
      at.warn("", "not_written", `${format} has no business keys ${feature}`);
      continue;
    }
    if (!businessKey) {
      at.warn("", "written_otherwise", "a unique column is also read as a business key");
      continue;
    }
    if (businessKey.key !== toLegalKey([key, ...set].join("_"))) {
      const detail = `${format} has no keys of business keys; they are derived from entity and attributes`;
      at.warn("/key", "not_written", detail);
    }
    const column = set.length === 1 ? columns.find((one) => one.key === set[0]) : undefined;
    if (column && column.attribute.constraints?.unique !== true) {
      column.at.warn("/constraints", "written_otherwise", "a business key of one column makes the column unique");
    }
  }
  for (const { attribute, inKey, at } of columns) {
    if (inKey && attribute.optional && !keysMayBeAbsent)
      at.warn("/optional", "not_written", "columns of a primary key are always required");
  }
}

/** Returns the cardinalities that a reader derives from the columns of a foreign key. */
export function deriveReadCardinalities(
  { from, columns }: ModelReference,
  { keysMayBeAbsent }: Pick<TableFormat, "keysMayBeAbsent"> = {},
): readonly [Cardinality, Cardinality] {
  const sets = [from.primaryKey, ...from.unique.map((set) => set.columns)].filter((set) => set.length > 0);
  const isUnique = sets.some((set) => set.every((key) => columns.includes(key)));
  const areRequired = columns.every((key) => {
    const column = from.columns.find((one) => one.key === key);
    return column && ((column.inKey && !keysMayBeAbsent) || !column.attribute.optional);
  });
  return [isUnique ? "zeroOrOne" : "many", areRequired ? "one" : "zeroOrOne"];
}

/** Returns the relationship key that a reader makes of the columns. */
export function toDerivedKey({ from, columns }: ModelReference): string {
  return toLegalKey([from.key, ...columns].join("_"));
}

function warnReference(reference: ModelReference, terms: TableFormat) {
  const { relationship, at, from, to, columns, fromRole } = reference;
  const { format, namesReferences } = terms;
  if (!namesReferences && relationship.key !== toDerivedKey(reference)) {
    at.warn("/key", "not_written", `${format} has no keys of relationships; they are derived from entity and columns`);
  }
  const cardinalities = terms.cardinalities?.(reference) ?? deriveReadCardinalities(reference, terms);
  const isSelf = from === to;
  const roles = toLegalKeys([from.key, isSelf ? columns.join("_") : to.key]);
  for (const [i, role] of relationship.roles.entries()) {
    const side = i === fromRole ? 0 : 1;
    if (role.key !== roles[side]) {
      at.warn(`/roles/${i}/key`, "not_written", `${format} has no roles; role keys are derived from the tables`);
    }
    if (role.cardinality !== cardinalities[side]) {
      const detail = "the keys and required columns imply another cardinality";
      at.warn(`/roles/${i}/cardinality`, "written_otherwise", detail);
    }
  }
}

const tagPositions = new WeakMap<ModelDocument["localTags"], ReadonlyMap<string, number>>();

/** Returns the positions of tags by ref. They are indexed once: each object of a model may have tags. */
export function indexTags(tags: ModelDocument["localTags"]): ReadonlyMap<string, number> {
  const positions = tagPositions.get(tags) ?? new Map(tags.map(({ key }, i) => [`key:${key}`, i]));
  tagPositions.set(tags, positions);
  return positions;
}

/** Returns the local tags of an object as texts that a reader turns into the same tags. */
export function listTagTexts({ localTags }: ModelDocument, refs: readonly string[] = []): readonly string[] {
  if (refs.length === 0) return [];
  const positions = indexTags(localTags);
  return refs
    .filter((ref) => !ref.includes("/"))
    .map((ref) => {
      const { key, name } = localTags[positions.get(ref) ?? -1] ?? { key: toKey(ref), name: undefined };
      return name !== undefined && toLegalKey(name, TAG_KEYS) === key ? name : key;
    });
}

/** Warns about unused local tags and about tag names that get lost. */
export function warnTags(
  document: ModelDocument,
  format: string,
  holders: readonly { readonly tags?: readonly string[] }[],
  diagnostics: Diagnostics,
): void {
  const usedRefs = new Set(holders.flatMap(({ tags = [] }) => tags));
  for (const [i, { key, name }] of document.localTags.entries()) {
    const at = diagnostics.at(`/localTags/${i}`);
    if (!usedRefs.has(`key:${key}`)) at.warn("", "not_written", `${format} has no unused tags`);
    else if (name !== undefined && name !== key && toLegalKey(name, TAG_KEYS) !== key) {
      at.warn("/name", "not_written", `${format} has no tag names`);
    }
  }
}
