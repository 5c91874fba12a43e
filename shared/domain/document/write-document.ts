import type { Field, Fields, PairsField } from "../fields/field.ts";
import { modelFields } from "../fields/model-fields.ts";
import { compareByKey, type GlobalTags, type ModelContent } from "../model/content.ts";
import type { GlobalTag, TagGroup, Tagged } from "../model/objects.ts";
import { type KeyPair, sortPairsByRoleKey } from "../refs.ts";
import { parseStoredJson } from "../text/json-values.ts";
import { DOCUMENT_SCHEMA, type ModelDocument } from "./document.ts";

/**
 * The canonical document of a model: the same content and tags always give the same document, without revision and time.
 * Links to tags that are gone are left out.
 */
export function toDocument(content: ModelContent, globalTags: GlobalTags = new Map()): ModelDocument {
  const source: Source = { refs: indexRefs(content, globalTags), listChildren: createChildLookup(content, globalTags) };
  // The type of a document follows from the fields that the loop goes through.
  return { $schema: DOCUMENT_SCHEMA, ...writeObject(content.model, modelFields, source) } as ModelDocument;
}

/** An object, or a role inside one, as a loop over its fields sees it. */
interface Holder extends Tagged {
  readonly id: string;
  readonly key: string;
}

/** The parts of a model that one object of a document is written from beside that object. */
interface Source {
  /** The ref `key:…` of each object, by its id. */
  readonly refs: ReadonlyMap<string, string>;
  /** The objects that a document writes in that member of an object. */
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
  // An object has the members that the fields of its kind declare.
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

/** The ref of an object that has to be there. */
function requireRef(id: string, { refs }: Source): string {
  const ref = refs.get(id);
  if (ref === undefined) throw new Error(`nothing in the model has the id ${id}`);
  return ref;
}

/** The pairs whose attributes are there, in the order in which the document has the roles. */
function writePairs(holder: Holder, pairs: readonly KeyPair[], { of }: PairsField, source: Source): unknown {
  const living = pairs.filter((pair) => pair.every((id) => source.refs.has(id)));
  if (living.length === 0) return undefined;
  // The holder has a list of objects at that member.
  const roles = (holder as unknown as Readonly<Record<string, readonly Holder[]>>)[of] ?? [];
  return sortPairsByRoleKey(roles, living).map((pair) => pair.map((id) => requireRef(id, source)));
}

function listTagRefs(holder: Tagged, { refs }: Source): readonly string[] | undefined {
  const { tags = [], globalTags = [] } = holder;
  const named = [...tags, ...globalTags].flatMap((id) => refs.get(id) ?? []).sort();
  return named.length > 0 ? named : undefined;
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

/** The groups of the global tags that a model uses, each with those tags sorted by key. */
function listUsedGroups(content: ModelContent, globalTags: GlobalTags): ReadonlyMap<TagGroup, readonly GlobalTag[]> {
  const used = listGlobalTagIds(content).flatMap((id) => globalTags.get(id) ?? []);
  const groups = new Map(used.map(({ group }) => [group.id, group]));
  return new Map(
    [...groups.values()].map((group) => [
      group,
      used.flatMap((one) => (one.group.id === group.id ? [one.tag] : [])).sort(compareByKey),
    ]),
  );
}

/** Ids of the global tags that any object of a model is linked to. */
export function listGlobalTagIds({ model, entities, relationships, attributes }: ModelContent): readonly string[] {
  const marked: Tagged[] = [model, ...entities, ...relationships, ...[...attributes.values()].flat()];
  return [...new Set(marked.flatMap((object) => object.globalTags ?? []))];
}

/** The ids of global tags by the refs that documents name them with. */
export function indexTagIdsByRef(tags: GlobalTags): ReadonlyMap<string, string> {
  return new Map([...tags].map(([id, { group, tag }]) => [`key:${group.key}/${tag.key}`, id]));
}
