import type { RelationshipDocument } from "../../domain/document.ts";
import type { Cardinality } from "../../domain/structure-types.ts";
import type { Findings } from "../findings.ts";
import { legalKeys } from "../legal-key.ts";
import { keyIn, type ModelTable, type OtherRelationship } from "../writing/model-tables.ts";

/** A relationship as a field of the record that holds another one. */
export interface HeldField {
  readonly relationship: RelationshipDocument;
  readonly at: Findings;
  readonly field: string;
  readonly table: ModelTable;
  readonly cardinality: Cardinality;
  readonly repeats: unknown;
}

/** The fields that relationships without key pairs become; what others say, and what a field does not say, is a warning. */
export function fieldsHeld(tables: readonly ModelTable[], others: readonly OtherRelationship[]) {
  const byHolder = new Map<ModelTable, HeldField[]>();
  for (const other of others) {
    const found = heldField(other, tables);
    if (found) byHolder.set(found.holder, [...(byHolder.get(found.holder) ?? []), found]);
  }
  return { of: (table: ModelTable): readonly HeldField[] => byHolder.get(table) ?? [] };
}

function heldField({ relationship, at }: OtherRelationship, tables: readonly ModelTable[]) {
  const { key, roles, properties = {} } = relationship;
  const { "avro:field": said, "avro:repeats": repeats } = properties;
  if (roles.length !== 2) {
    at.warn("", "not_written", "Avro has no relationships of more than two roles");
    return undefined;
  }
  const tableOf = (i: number) => tables.find((table) => `key:${table.key}` === roles[i]?.entity);
  const fieldOf = (i: number): string | undefined => {
    const prefix = `${keyIn(roles[i]?.entity ?? "")}_`;
    if (!key.startsWith(prefix)) return undefined;
    return typeof said === "string"
      ? key === prefix + said
        ? said
        : undefined
      : key.slice(prefix.length) || undefined;
  };
  const isHolder = (i: number): boolean => fieldOf(i) !== undefined && roles[i]?.key === keyIn(roles[i]?.entity ?? "");
  const side = [0, 1].find(isHolder) ?? [0, 1].find((i) => fieldOf(i) !== undefined) ?? 0;
  const [holder, table] = [tableOf(side), tableOf(1 - side)];
  if (!holder || !table) return undefined;
  const field = fieldOf(side) ?? key;
  if (fieldOf(side) === undefined)
    at.warn("/key", "not_written", "the key of a relationship is made of record and field");
  const roleKeys = legalKeys([holder.key, holder === table ? key : table.key]);
  const [here, there = "unknown"] = [roles[side]?.cardinality, roles[1 - side]?.cardinality];
  for (const [i, role] of roles.entries()) {
    const isSame = role.key === roleKeys[i === side ? 0 : 1];
    if (!isSame) at.warn(`/roles/${i}/key`, "not_written", "Avro has no roles: each side is called as its record");
  }
  if (here !== "zeroOrOne")
    at.warn(`/roles/${side}/cardinality`, "written_otherwise", "a field tells another cardinality");
  if (there === "unknown")
    at.warn(`/roles/${1 - side}/cardinality`, "written_otherwise", "a field tells another cardinality");
  return { relationship, at, field, holder, table, cardinality: there, repeats };
}
