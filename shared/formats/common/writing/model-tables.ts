import type {
  AttributeDocument,
  BusinessKeyDocument,
  EntityDocument,
  ModelDocument,
  RelationshipDocument,
} from "../../../domain/document/document.ts";
import { compareByKey } from "../../../domain/model/content.ts";
import { sortPairsByRoleKey } from "../../../domain/refs.ts";
import type { Cardinality } from "../../../domain/values/model-types.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { isDerivedKey, toLegalKey } from "../legal-key.ts";

/** An attribute as a column. */
export interface ModelColumn {
  readonly key: string;
  readonly attribute: AttributeDocument;
  readonly at: Diagnostics;
  readonly type: string;
  readonly inKey: boolean;
}

/** Columns that identify a row: of a business key, or one column with the constraint `unique`. */
export interface UniqueSet {
  readonly columns: readonly string[];
  readonly businessKey?: BusinessKeyDocument;
  readonly at: Diagnostics;
}

/** An entity as a table. */
export interface ModelTable {
  readonly key: string;
  readonly entity: EntityDocument;
  readonly at: Diagnostics;
  readonly columns: readonly ModelColumn[];
  readonly primaryKey: readonly string[];
  readonly unique: readonly UniqueSet[];
}

/** A relationship with key pairs as a foreign key. */
export interface ModelReference {
  readonly relationship: RelationshipDocument;
  readonly at: Diagnostics;
  readonly from: ModelTable;
  readonly to: ModelTable;
  readonly columns: readonly string[];
  readonly targets: readonly string[];
  readonly fromRole: 0 | 1;
  readonly cardinalities: readonly [from: Cardinality, to: Cardinality];
}

/** A relationship without key pairs or with more than two roles. */
export type OtherRelationship = Pick<ModelReference, "relationship" | "at">;

/** A document as tables and foreign keys. */
export interface ModelTables {
  readonly tables: readonly ModelTable[];
  /** Tables by the ref of their entity. */
  readonly byRef: ReadonlyMap<string, ModelTable>;
  readonly references: readonly ModelReference[];
  readonly others: readonly OtherRelationship[];
}

/** Returns the key in a ref `key:…`. */
export function toKey(ref: string): string {
  return ref.replace(/^key:/, "");
}

/** Creates the tables and foreign keys of a model in document order. */
export function createModelTables(document: ModelDocument, diagnostics: Diagnostics): ModelTables {
  const allKeys = document.businessKeys.map((businessKey, i) => {
    return { columns: businessKey.participants.map(toKey), businessKey, at: diagnostics.at(`/businessKeys/${i}`) };
  });
  const keys: ReadonlyMap<string, readonly UniqueSet[]> = Map.groupBy(allKeys, (one) => one.businessKey.entity);
  const tables = document.entities.map((entity, i) => toTable(entity, diagnostics.at(`/entities/${i}`)));
  const byRef = new Map(tables.map((table) => [`key:${table.key}`, table]));
  const references: ModelReference[] = [];
  const others: OtherRelationship[] = [];
  for (const [i, relationship] of document.relationships.entries()) {
    const at = diagnostics.at(`/relationships/${i}`);
    const sides = findReferenceSides(relationship);
    const [from, to] = [byRef.get(sides?.from ?? ""), byRef.get(sides?.to ?? "")];
    if (!sides || !from || !to) others.push({ relationship, at });
    else {
      const { fromRole } = sides;
      const [first = "unknown", second = "unknown"] = relationship.roles.map(({ cardinality }) => cardinality);
      references.push({
        ...{ relationship, at, from, to, fromRole },
        columns: sides.attributes.map(toKey),
        targets: sides.targets.map(toKey),
        cardinalities: fromRole === 0 ? [first, second] : [second, first],
      });
    }
  }
  return { tables, byRef, references, others };

  function toTable(entity: EntityDocument, at: Diagnostics): ModelTable {
    const primaryKey = entity.primaryKey.map(toKey);
    const columns = entity.attributes.map((attribute, i) => ({
      key: attribute.key,
      attribute,
      at: at.at(`/attributes/${i}`),
      type: toKey(attribute.type),
      inKey: primaryKey.includes(attribute.key),
    }));
    const sets = keys.get(`key:${entity.key}`) ?? [];
    const uniqueAlone = new Set(sets.flatMap((set) => (set.columns.length === 1 ? set.columns : [])));
    const singleColumns = columns.filter(
      ({ key, attribute }) => attribute.constraints?.unique === true && !uniqueAlone.has(key),
    );
    return {
      ...{ key: entity.key, entity, at, columns, primaryKey },
      unique: [...sets, ...singleColumns.map((one) => ({ columns: [one.key], at: one.at.at("/constraints/unique") }))],
    };
  }
}

/** Property of a relationship with the key of the referring role, if nothing else identifies it. */
export const REFERRING_PROPERTY = "frictionless:referring";

/** Sides of a foreign key: refs of entities, and refs of attributes in matching order. */
export interface Sides {
  readonly from: string;
  readonly to: string;
  readonly attributes: readonly string[];
  readonly targets: readonly string[];
  readonly fromRole: 0 | 1;
}

/** Returns the sides of a relationship with two roles and key pairs, the referring one first. */
export function findReferenceSides({
  key,
  roles,
  keyPairs = [],
  properties = {},
}: RelationshipDocument): Sides | undefined {
  const [first, second] = roles;
  if (!first || !second || roles.length !== 2 || keyPairs.length === 0) return undefined;
  const toSide = (i: 0 | 1): Sides => ({
    from: (i === 0 ? first : second).entity,
    to: (i === 0 ? second : first).entity,
    attributes: keyPairs.map((pair) => pair[i]),
    targets: keyPairs.map((pair) => pair[i === 0 ? 1 : 0]),
    fromRole: i,
  });
  const candidates = [toSide(0), toSide(1)] as const;
  const [one, other] = candidates;
  const referringKey = properties[REFERRING_PROPERTY];
  if (referringKey === first.key) return one;
  if (referringKey === second.key) return other;
  if ((first.cardinality === "many") !== (second.cardinality === "many"))
    return first.cardinality === "many" ? one : other;
  const isCalled = ({ from, attributes }: Sides) => isDerivedKey(key, toReferenceKey(from, attributes));
  return isCalled(other) && !isCalled(one) ? other : one;
}

/** Returns true when the referring side of a relationship with sorted roles begins with this role. */
export function isReferringRole(relationship: RelationshipDocument, role: string): boolean {
  const roles = relationship.roles.toSorted(compareByKey);
  const keyPairs = sortPairsByRoleKey(relationship.roles, relationship.keyPairs ?? []);
  const sides = findReferenceSides({ ...relationship, roles, keyPairs });
  const [first] = relationship.roles;
  return (
    role === first?.key &&
    sides?.from === first.entity &&
    String(sides.attributes) === String(relationship.keyPairs?.map(([one]) => one))
  );
}

/** Returns the key that an import gives to the relationship of a foreign key. */
export function toReferenceKey(from: string, attributes: readonly string[]): string {
  return toLegalKey([from, ...attributes].map(toKey).join("_"));
}
