import type { Field, Fields, PairsField } from "../fields/field.ts";
import { modelFields } from "../fields/model-fields.ts";
import { compareByKey, type GlobalTags, type ModelContent } from "../model/content.ts";
import type { AnyObject, TagIds } from "../model/objects.ts";
import { type KeyPair, sortPairsByRoleKey } from "../refs.ts";
import type { NextId } from "./read-document.ts";

/** Copies the objects of a model with new ids and without links to deleted tags. */
export function* copyModel(content: ModelContent, globalTags: GlobalTags, nextId: NextId): Generator<AnyObject> {
  const source = createSource(content, globalTags, nextId);
  yield* copyObject(content.model, modelFields, {}, source);
  source.checkRefs();
}

interface Holder extends TagIds {
  readonly kind?: string;
  readonly id: string;
  readonly key: string;
}

type Members = Record<string, unknown>;

interface CopySource {
  readonly listChildren: (holder: Holder, member: string) => readonly Holder[];
  readonly copyId: (id: string) => string;
  readonly mapRef: (id: string) => string;
  readonly hasTag: (id: string) => boolean;
  readonly hasGlobalTag: (id: string) => boolean;
  readonly hasAttribute: (id: string) => boolean;
  /** Returns increasing positions, so that attributes keep their order. */
  readonly nextOrder: () => number;
  /** Throws if a referenced object was not copied. */
  readonly checkRefs: () => void;
}

function createSource(content: ModelContent, globalTags: GlobalTags, nextId: NextId): CopySource {
  const { types, entities, relationships, businessKeys, tags, attributes } = content;
  const ofModel: Readonly<Record<string, readonly Holder[]>> = {
    ...{ types, entities, relationships, businessKeys },
    localTags: tags,
  };
  const tagIds = new Set(tags.map(({ id }) => id));
  let attributeIds: ReadonlySet<string> | undefined;
  const ids = new Map<string, string>();
  let count = 0;
  let order = 0;
  const formatRef = (id: string) => {
    const newId = ids.get(id) ?? nextId();
    ids.set(id, newId);
    return newId;
  };
  return {
    listChildren: (holder, member) => {
      const list = member === "attributes" ? attributes.get(holder.id) : ofModel[member];
      return list ?? [];
    },
    mapRef: formatRef,
    copyId: (id) => {
      count += 1;
      return formatRef(id);
    },
    hasTag: (id) => tagIds.has(id),
    hasGlobalTag: (id) => globalTags.has(id),
    hasAttribute: (id) => {
      attributeIds ??= new Set([...attributes.values()].flat().map((one) => one.id));
      return attributeIds.has(id);
    },
    nextOrder: () => order++,
    checkRefs: () => {
      if (ids.size !== count) throw new Error(`model ${content.model.key} refers to a missing object`);
    },
  };
}

function* copyObject(object: Holder, fields: Fields, owner: Members, source: CopySource): Generator<AnyObject> {
  const id = source.copyId(object.id);
  const copy: Members = { kind: object.kind, id, revision: 1, key: object.key };
  // The type of an object follows from its fields.
  yield Object.assign(copyMembers(copy, object, fields, source), owner) as unknown as AnyObject;
  for (const [member, field] of Object.entries(fields)) {
    if (field.is !== "children") continue;
    for (const child of source.listChildren(object, member)) {
      const own = child.kind === "attribute" ? { owner: id, order: source.nextOrder() } : {};
      yield* copyObject(child, field.fields, own, source);
    }
  }
}

function copyMembers(copy: Members, holder: Holder, fields: Fields, source: CopySource): Members {
  for (const member in fields) {
    const field = fields[member];
    const value = field && copyMember(holder, member, field, source);
    if (value !== undefined) copy[member] = value;
  }
  if (fields.tags?.is === "tags") {
    const globalTags = (holder.globalTags ?? []).filter(source.hasGlobalTag).toSorted();
    if (globalTags.length > 0) copy.globalTags = globalTags;
  }
  return copy;
}

function copyMember(holder: Holder, member: string, field: Field, source: CopySource): unknown {
  // An object has the members that its fields declare.
  const value = (holder as unknown as Readonly<Record<string, unknown>>)[member];
  switch (field.is) {
    case "value":
    case "json":
      return value;
    case "ref":
      return source.mapRef(value as string);
    case "refs":
      return (value as readonly string[]).map(source.mapRef);
    case "pairs":
      return copyPairs(holder, (value ?? []) as readonly KeyPair[], field, source);
    case "tags": {
      const tags = (holder.tags ?? []).filter(source.hasTag).map(source.mapRef).sort();
      return tags.length > 0 ? tags : undefined;
    }
    case "nested":
      return (value as readonly Holder[]).toSorted(compareByKey).map((inner) => {
        const copy: Members = { id: source.copyId(inner.id), key: inner.key };
        return copyMembers(copy, inner, field.fields, source);
      });
    case "children":
    case "internal":
      return undefined;
  }
}

/** Copies the pairs whose attributes exist. Their sides are in the order of the roles' keys. */
function copyPairs(holder: Holder, pairs: readonly KeyPair[], { of }: PairsField, source: CopySource): unknown {
  const livePairs = pairs.filter((pair) => pair.every(source.hasAttribute));
  if (livePairs.length === 0) return undefined;
  // The member of the holder is a list of objects.
  const roles = (holder as unknown as Readonly<Record<string, readonly Holder[]>>)[of] ?? [];
  return sortPairsByRoleKey(roles, livePairs).map((pair) => pair.map(source.mapRef));
}
