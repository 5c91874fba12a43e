import type { EntityDocument, RelationshipDocument } from "../domain/document/document.ts";
import type { Sign } from "./diagram-graph.ts";
import { type DiagramDocument, getObjectId, isMissingKey, toMissingKey } from "./graph-of-model.ts";

/** An entry of `model_compare`. */
export interface ComparedEntry {
  readonly status: "ADDED" | "DELETED" | "MODIFIED" | "RENAMED";
  readonly objectType: string;
  readonly entityKey?: string | undefined;
  readonly relationshipKey?: string | undefined;
  readonly roleKey?: string | undefined;
  readonly attributeKey?: string | undefined;
  readonly left?: Readonly<Record<string, unknown>> | undefined;
  readonly right?: Readonly<Record<string, unknown>> | undefined;
}

export type Side = "left" | "right";

/** Both sides of a comparison as one document, with the signs of the differences. */
export interface ComparedModel {
  readonly document: DiagramDocument;
  readonly signs: ReadonlyMap<string, Sign>;
}

const SIGNS = { ADDED: "added", DELETED: "removed", MODIFIED: "changed", RENAMED: "changed" } as const;

/** Merges both sides of a comparison into one document. */
export function mergeComparison(
  base: DiagramDocument,
  entries: readonly ComparedEntry[],
  side: Side = "right",
): ComparedModel {
  const union = new ComparisonUnion(base, entries, side);
  // Objects are added before their parts.
  for (const entry of entries) union.addObject(entry);
  for (const entry of entries) union.addPart(entry);
  return union.createResult();
}

class ComparisonUnion {
  readonly #base: DiagramDocument;
  readonly #side: Side;
  readonly #renamed: ReadonlyMap<string, string>;
  readonly #signs = new Map<string, Sign>();
  readonly #entities: Map<string, EntityDocument>;
  readonly #relationships: Map<string, RelationshipDocument>;

  constructor(base: DiagramDocument, entries: readonly ComparedEntry[], side: Side) {
    this.#base = base;
    this.#side = side;
    this.#renamed = indexRenamed(entries, side);
    this.#entities = new Map(base.entities.map((entity) => [entity.key, entity]));
    this.#relationships = new Map(base.relationships.map((relationship) => [relationship.key, relationship]));
  }

  addObject(entry: ComparedEntry): void {
    const { objectType, status } = entry;
    if (objectType !== "entity" && objectType !== "relationship") return;
    if (!this.#isMissing(entry)) {
      const key = this.#findKey(entry);
      const object = objectType === "entity" ? this.#entities.get(key) : this.#relationships.get(key);
      if (object) this.#signs.set(getObjectId(object), SIGNS[status]);
      return;
    }
    // A snapshot has the members of its object without nested objects.
    const snapshot = (entry.left ?? entry.right) as unknown as EntityDocument & RelationshipDocument;
    const id = `missing ${objectType} ${snapshot.key}`;
    this.#signs.set(id, SIGNS[status]);
    if (objectType === "entity") this.#entities.set(toMissingKey(snapshot.key), { ...snapshot, id, attributes: [] });
    else this.#relationships.set(toMissingKey(snapshot.key), { ...snapshot, id, roles: [], attributes: [] });
  }

  addPart(entry: ComparedEntry): void {
    const { objectType, status, entityKey, relationshipKey, attributeKey = "" } = entry;
    if (objectType === "entityAttribute" && entityKey !== undefined) {
      const [at, entity] = this.#findOwner(this.#entities, "entity", entityKey, entry);
      if (!entity) return;
      const key = this.#isMissing(entry) ? attributeKey : this.#findKey(entry);
      this.#signs.set(`${getObjectId(entity)}/${key}`, SIGNS[status]);
      this.#markChanged(getObjectId(entity));
      if (!this.#isMissing(entry)) return;
      const attribute = (entry.left ?? entry.right) as unknown as EntityDocument["attributes"][number];
      this.#entities.set(at, { ...entity, attributes: [...entity.attributes, attribute] });
    } else if (relationshipKey !== undefined && objectType !== "relationship") {
      const [at, relationship] = this.#findOwner(this.#relationships, "relationship", relationshipKey, entry);
      if (!relationship) return;
      this.#markChanged(getObjectId(relationship));
      if (objectType !== "relationshipRole" || !this.#isMissing(entry)) return;
      // A missing role is shown only in a missing relationship. Elsewhere there would be one role too many.
      if (!isMissingKey(at)) return;
      const role = (entry.left ?? entry.right) as unknown as RelationshipDocument["roles"][number];
      const entity = this.#convertEntityRef(role.entity);
      this.#relationships.set(at, { ...relationship, roles: [...relationship.roles, { ...role, entity }] });
    }
  }

  createResult(): ComparedModel {
    // The key of a missing object may be in use. Refs distinguish them.
    const entities = [...this.#entities].map(([at, entity]) => (isMissingKey(at) ? { ...entity, key: at } : entity));
    const relationships = [...this.#relationships.values()];
    return { document: { ...this.#base, entities, relationships }, signs: this.#signs };
  }

  #isMissing({ status }: ComparedEntry): boolean {
    return status === (this.#side === "left" ? "ADDED" : "DELETED");
  }

  #findKey(entry: ComparedEntry): string {
    return String(entry[this.#side]?.key);
  }

  #findOwner<T>(
    owners: ReadonlyMap<string, T>,
    type: string,
    key: string,
    entry: ComparedEntry,
  ): [string, T | undefined] {
    const isOfLeft = entry.status !== "ADDED";
    const name = isOfLeft === (this.#side === "left") ? key : (this.#renamed.get(`${type} ${key}`) ?? key);
    // The owner may be missing as well.
    const missing = toMissingKey(key);
    return this.#isMissing(entry) && owners.has(missing) ? [missing, owners.get(missing)] : [name, owners.get(name)];
  }

  #convertEntityRef(ref: string): string {
    const key = ref.slice("key:".length);
    if (this.#entities.has(toMissingKey(key))) return `key:${toMissingKey(key)}`;
    return `key:${this.#renamed.get(`entity ${key}`) ?? key}`;
  }

  #markChanged(id: string): void {
    if (!this.#signs.has(id)) this.#signs.set(id, "changed");
  }
}

function indexRenamed(entries: readonly ComparedEntry[], side: Side): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap(({ objectType, left, right }) => {
      if (!left || !right || left.key === right.key) return [];
      const [own, other] = side === "left" ? [left, right] : [right, left];
      return [[`${objectType} ${String(other.key)}`, String(own.key)] as const];
    }),
  );
}
