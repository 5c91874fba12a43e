import type {
  AttributeDocument,
  BusinessKeyDocument,
  EntityDocument,
  ModelDocument,
  RelationshipDocument,
} from "../../domain/document.ts";
import type { Cardinality } from "../../domain/structure-types.ts";
import type { Findings } from "../findings.ts";
import { sidesOf } from "../frictionless/referring.ts";

/** An attribute as a column, with its place for warnings. */
export interface ModelColumn {
  readonly key: string;
  readonly attribute: AttributeDocument;
  readonly at: Findings;
  /** The key of its type. */
  readonly type: string;
  readonly inKey: boolean;
}

/** Columns that tell the rows of a table apart: those of a business key, or a single one with the constraint `unique`. */
export interface UniqueSet {
  readonly columns: readonly string[];
  readonly businessKey?: BusinessKeyDocument;
  readonly at: Findings;
}

/** An entity as a table. */
export interface ModelTable {
  readonly key: string;
  readonly entity: EntityDocument;
  readonly at: Findings;
  readonly columns: readonly ModelColumn[];
  /** Keys of attributes. */
  readonly primaryKey: readonly string[];
  readonly unique: readonly UniqueSet[];
}

/** A relationship with key pairs as a foreign key. */
export interface ModelReference {
  readonly relationship: RelationshipDocument;
  readonly at: Findings;
  readonly from: ModelTable;
  readonly to: ModelTable;
  readonly columns: readonly string[];
  readonly referred: readonly string[];
  /** The place of the referring role. */
  readonly fromRole: 0 | 1;
  readonly cardinalities: readonly [from: Cardinality, to: Cardinality];
}

/** A relationship that is no foreign key: it has no key pairs, or more than two roles. */
export interface OtherRelationship {
  readonly relationship: RelationshipDocument;
  readonly at: Findings;
}

/** A document as tables and foreign keys. */
export interface ModelTables {
  readonly tables: readonly ModelTable[];
  readonly references: readonly ModelReference[];
  readonly others: readonly OtherRelationship[];
}

/** The key that a ref of a document names. */
export function keyIn(ref: string): string {
  return ref.replace(/^key:/, "");
}

/** The tables and foreign keys of a model, in the order of its document. */
export function tablesOfModel(document: ModelDocument, findings: Findings): ModelTables {
  const unique = new Map<string, UniqueSet[]>();
  for (const [i, businessKey] of document.businessKeys.entries()) {
    const { entity, participants } = businessKey;
    const set = { columns: participants.map(keyIn), businessKey, at: findings.at(`/businessKeys/${i}`) };
    unique.set(entity, [...(unique.get(entity) ?? []), set]);
  }
  const tables = document.entities.map((entity, i) => tableOf(entity, findings.at(`/entities/${i}`)));
  const byRef = new Map(tables.map((table) => [`key:${table.key}`, table]));
  const references: ModelReference[] = [];
  const others: OtherRelationship[] = [];
  for (const [i, relationship] of document.relationships.entries()) {
    const at = findings.at(`/relationships/${i}`);
    const sides = sidesOf(relationship);
    const [from, to] = [byRef.get(sides?.from ?? ""), byRef.get(sides?.to ?? "")];
    if (!sides || !from || !to) others.push({ relationship, at });
    else {
      const { fromRole } = sides;
      const [first = "unknown", second = "unknown"] = relationship.roles.map(({ cardinality }) => cardinality);
      references.push({
        ...{ relationship, at, from, to, fromRole },
        columns: sides.attributes.map(keyIn),
        referred: sides.referred.map(keyIn),
        cardinalities: fromRole === 0 ? [first, second] : [second, first],
      });
    }
  }
  return { tables, references, others };

  function tableOf(entity: EntityDocument, at: Findings): ModelTable {
    const primaryKey = entity.primaryKey.map(keyIn);
    const columns = entity.attributes.map((attribute, i) => ({
      key: attribute.key,
      attribute,
      at: at.at(`/attributes/${i}`),
      type: keyIn(attribute.type),
      inKey: primaryKey.includes(attribute.key),
    }));
    const sets = unique.get(`key:${entity.key}`) ?? [];
    const single = columns.filter(
      ({ key, attribute }) =>
        attribute.constraints?.unique === true &&
        !sets.some((set) => set.columns.length === 1 && set.columns[0] === key),
    );
    return {
      ...{ key: entity.key, entity, at, columns, primaryKey },
      unique: [...sets, ...single.map((one) => ({ columns: [one.key], at: one.at.at("/constraints/unique") }))],
    };
  }
}
