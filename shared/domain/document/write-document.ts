import type { Field, Fields, PairsField } from "../fields/field.ts";
import { modelFields } from "../fields/model-fields.ts";
import { compareByKey, type GlobalTags, type ModelContent } from "../model/content.ts";
import type { GlobalTag, TagGroup, TagIds } from "../model/objects.ts";
import { type KeyPair, sortPairsByRoleKey } from "../refs.ts";
import { parseStoredJson } from "../text/json-values.ts";
import { DOCUMENT_SCHEMA, type ModelDocument } from "./document.ts";

/** Creates the canonical document of a model, without links to deleted tags. */
export function toDocument(content: ModelContent, globalTags: GlobalTags = new Map()): ModelDocument {
  const source: Source = { refs: indexRefs(content, globalTags), listChildren: createChildLookup(content, globalTags) };
  // The type of a document follows from its fields.
  return { $schema: DOCUMENT_SCHEMA, ...writeObject(content.model, modelFields, source) } as ModelDocument;
}

interface Holder extends TagIds {
  readonly id: string;
  readonly key: string;
}

interface Source {
  /** Ref `key:…` of each object, by its id. */
  readonly refs: ReadonlyMap<string, string>;
  readonly listChildren: (holder: Holder, member: string) => readonly Holder[];
}

function writeObject(holder: Holder, fields: Fields, source: Source): Record<string, unknown> {
  const document: Record<string, unknown> = { id: holder.id, key: holder.key };
  for (const [member, field] of Object.entries(fields)) {
    const value = writeMember(holder, member, field, source);
    if (value !== undefined) document[member] = value;
  }
  return document;
}

function writeMember(holder: Holder, member: string, field: Field, source: Source): unknown {
  // An object has the members that its fields declare.
  const value = (holder as unknown as Readonly<Record<string, unknown>>)[member];
  switch (field.is) {
    case "value":
      return value;
    case "json":
      return value === undefined ? undefined : parseStoredJson(value as string);
    case "ref":
      return requireRef(value as string, source);
    case "refs":
      return (value as readonly string[]).map((id) => requireRef(id, source));
    case "pairs":
      return writePairs(holder, (value ?? []) as readonly KeyPair[], field, source);
    case "tags":
      return listTagRefs(holder, source);
    case "nested":
      return (value as readonly Holder[])
        .toSorted(compareByKey)
        .map((inner) => writeObject(inner, field.fields, source));
    case "children":
      return source.listChildren(holder, member).map((child) => writeObject(child, field.fields, source));
    case "internal":
      return undefined;
  }
}

function requireRef(id: string, { refs }: Source) {
  const ref = refs.get(id);
  if (ref === undefined) throw new Error(`no object in the model has the id ${id}`);
  return ref;
}

/** Writes the pairs with existing attributes. Sides follow the order of the document's roles. */
function writePairs(holder: Holder, pairs: readonly KeyPair[], { of }: PairsField, source: Source): unknown {
  const livePairs = pairs.filter((pair) => pair.every((id) => source.refs.has(id)));
  if (livePairs.length === 0) return undefined;
  // The member of the holder is a list of objects.
  const roles = (holder as unknown as Readonly<Record<string, readonly Holder[]>>)[of] ?? [];
  return sortPairsByRoleKey(roles, livePairs).map((pair) => pair.map((id) => requireRef(id, source)));
}

function listTagRefs(holder: TagIds, { refs }: Source): readonly string[] | undefined {
  const { tags = [], globalTags = [] } = holder;
  const tagRefs = [...tags, ...globalTags].flatMap((id) => refs.get(id) ?? []).sort();
  return tagRefs.length > 0 ? tagRefs : undefined;
}

function indexRefs({ types, entities, tags, attributes }: ModelContent, globalTags: GlobalTags): Source["refs"] {
  const refs = new Map<string, string>();
  for (const { id, key } of [...types, ...entities, ...tags, ...[...attributes.values()].flat()]) {
    refs.set(id, `key:${key}`);
  }
  for (const [ref, id] of indexTagIdsByRef(globalTags)) refs.set(id, ref);
  return refs;
}

function createChildLookup(content: ModelContent, globalTags: GlobalTags): Source["listChildren"] {
  const { types, entities, relationships, businessKeys, tags, attributes } = content;
  const groups = listUsedGroups(content, globalTags);
  const tagGroups = [...groups.keys()].sort(compareByKey);
  const ofModel: Readonly<Record<string, readonly Holder[]>> = {
    types,
    entities,
    relationships,
    businessKeys,
    localTags: tags,
    tagGroups,
  };
  return (holder, member) => {
    if (member === "attributes") return attributes.get(holder.id) ?? [];
    if (member === "tags") return groups.get(holder as TagGroup) ?? [];
    return ofModel[member] ?? [];
  };
}

function listUsedGroups(content: ModelContent, globalTags: GlobalTags): ReadonlyMap<TagGroup, readonly GlobalTag[]> {
  const tags = listGlobalTagIds(content).flatMap((id) => globalTags.get(id) ?? []);
  const groups = new Map(tags.map(({ group }) => [group.id, group]));
  return new Map(
    [...groups.values()].map((group) => [
      group,
      tags.flatMap((one) => (one.group.id === group.id ? [one.tag] : [])).sort(compareByKey),
    ]),
  );
}

/** Returns the ids of all global tags that the objects of a model use. */
export function listGlobalTagIds({ model, entities, relationships, attributes }: ModelContent): readonly string[] {
  const objects: TagIds[] = [model, ...entities, ...relationships, ...[...attributes.values()].flat()];
  return [...new Set(objects.flatMap((object) => object.globalTags ?? []))];
}

/** Indexes the ids of global tags by their refs in documents. */
export function indexTagIdsByRef(tags: GlobalTags): ReadonlyMap<string, string> {
  return new Map([...tags].map(([id, { group, tag }]) => [`key:${group.key}/${tag.key}`, id]));
}
