import type { ModelDocument } from "../../../../shared/domain/document/document.ts";
import type { RefAttribute, RefMarked, RefModel, RefRelationship, RefTag, RefTags } from "./objects.ts";
import { ordered, type RefProperties } from "./properties.ts";
import { byKey, markedIn, type RefState } from "./state.ts";
import { globalTags } from "./tag-links.ts";

/** Type with any texts and constraints, whose optional members may be undefined. */
type Loose<T> = T extends string
  ? string
  : T extends readonly unknown[]
    ? readonly Loose<T[number]>[]
    : T extends object
      ? {
          readonly [M in keyof T]: M extends "constraints"
            ? unknown
            : Loose<T[M]> | (Record<never, never> extends Pick<T, M> ? undefined : never);
        }
      : T;

/** A model on its own, in which objects are named by keys. */
export type RefDocument = Loose<Omit<ModelDocument, "$schema"> & Partial<Pick<ModelDocument, "$schema">>>;
type DocDescribed = RefDocument["localTags"][number];
type DocMarked = Pick<RefDocument, "tags">;
type DocAttribute = RefDocument["entities"][number]["attributes"][number];

/** The document of a model, as `model_export` answers it. The tags of groups are asked for where anything has or had one. */
export function documentOf(model: RefModel, tagsOf: () => RefTags): RefDocument & { readonly $schema: string } {
  const used = new Set(markedIn(model).flatMap((one) => one.globalTags));
  const tags = used.size > 0 ? tagsOf() : undefined;
  const refs = new Map<string, string>();
  for (const { id, key } of [...model.types, ...model.entities, ...model.localTags]) refs.set(id, `key:${key}`);
  for (const { id, shown } of tags ? globalTags(tags) : []) refs.set(id, `key:${shown}`);
  const ref = (id: string) => String(refs.get(id));
  const marks = (one: RefMarked) => {
    const shown = [...one.tags, ...one.globalTags].flatMap((id) => refs.get(id) ?? []).sort();
    return shown.length > 0 ? shown : undefined;
  };
  const rows = <T extends { readonly key: string }>(all: readonly T[]): T[] =>
    [...all].sort(byKey).map((one) => ({ ...one }));
  const attributes = (all: readonly RefAttribute[]) => {
    for (const { id, key } of all) refs.set(id, `key:${key}`);
    return all.map(({ globalTags, order: _, ...a }) => ({
      ...a,
      type: ref(a.type),
      tags: marks({ ...a, globalTags }),
    }));
  };
  const { id, key, name, description, properties, version, authority, documentationHome, origin } = model;
  const isUsed = ({ id }: RefTag) => used.has(id);
  const groups = (tags?.groups ?? []).map((group) => ({ ...group, tags: rows(group.tags.filter(isUsed)) }));
  return {
    $schema: "urn:metaction:model:2",
    ...{ id, key, name, description, properties, version, authority, documentationHome, origin },
    tags: marks(model),
    types: rows(model.types),
    entities: rows(model.entities).map(({ globalTags: _, ...e }) => ({
      ...e,
      tags: marks({ ...e, globalTags: _ }),
      attributes: attributes(e.attributes),
      primaryKey: e.primaryKey.map(ref),
    })),
    relationships: rows(model.relationships).map(({ globalTags: _, ...r }) => ({
      ...r,
      tags: marks({ ...r, globalTags: _ }),
      roles: rows(r.roles).map((role) => ({ ...role, entity: ref(role.entity) })),
      keyPairs: pairsByKey(r.roles, livingPairs(r, model))?.map((pair) => pair.map(ref)),
      attributes: attributes(r.attributes),
    })),
    businessKeys: rows(model.businessKeys).map((b) => ({
      ...b,
      entity: ref(b.entity),
      participants: b.participants.map(ref),
    })),
    localTags: rows(model.localTags),
    tagGroups: rows(groups.filter((group) => group.tags.length > 0)),
  };
}

/** Makes a model of a document, before its first revision. `globals` are the tags of groups by their refs. */
export function modelOfDocument(
  document: RefDocument,
  idOf: (object: DocDescribed) => string,
  globals: ReadonlyMap<string, string>,
): RefModel {
  const described = (object: DocDescribed) => {
    const { key, name, description, properties = {}, origin } = object;
    const isEmpty = Object.keys(properties).length === 0;
    const own = { id: idOf(object), key, name, description, origin };
    return { ...own, properties: isEmpty ? undefined : (ordered(properties) as RefProperties) };
  };
  const types = document.types.map(described);
  const localTags: RefTag[] = document.localTags.map(described);
  const find = (all: readonly { readonly id: string; readonly key: string }[], ref: string) =>
    all.find(({ key }) => `key:${key}` === ref)?.id ?? "";
  const marks = ({ tags = [] }: DocMarked): RefMarked => ({
    tags: localTags.filter(({ key }) => tags.includes(`key:${key}`)).map((tag) => tag.id),
    globalTags: tags.flatMap((ref) => globals.get(ref) ?? []).sort(),
  });
  let count = 0;
  const attributes = (all: readonly DocAttribute[]): RefAttribute[] =>
    all.map((a) => {
      const { optional, constraints } = a;
      return { ...described(a), type: find(types, a.type), optional, constraints, order: count++, ...marks(a) };
    });
  const entities = document.entities.map((e) => {
    const own = attributes(e.attributes);
    const { documentationHome } = e;
    const primaryKey = e.primaryKey.map((ref) => find(own, ref));
    return { ...described(e), documentationHome, attributes: own, primaryKey, ...marks(e) };
  });
  const pairsOf = ({ roles, keyPairs = [] }: RefDocument["relationships"][number]) => {
    const sides = roles.map(({ entity }) => entities.find(({ key }) => `key:${key}` === entity)?.attributes ?? []);
    const pairs = keyPairs.map((pair) => pair.map((ref, i) => find(sides[i] ?? [], ref)));
    return pairs.length > 0 ? pairsByKey(roles, pairs) : undefined;
  };
  const relationships = document.relationships.map((r) => ({
    ...described(r),
    roles: [...r.roles].sort(byKey).map((role) => {
      const { key, name, entity, cardinality } = role;
      return { id: idOf(role), key, name, entity: find(entities, entity), cardinality };
    }),
    keyPairs: pairsOf(r),
    attributes: attributes(r.attributes),
    ...marks(r),
  }));
  const businessKeys = document.businessKeys.map((b) => {
    const entity = entities.find(({ key }) => `key:${key}` === b.entity);
    const participants = b.participants.map((ref) => find(entity?.attributes ?? [], ref));
    return { ...described(b), entity: entity?.id ?? "", participants };
  });
  const { version, authority, documentationHome, name } = document;
  const own = { ...described(document), name, version, authority, documentationHome };
  return { ...own, revision: 0, ...marks(document), types, entities, relationships, businessKeys, localTags };
}

/** The answer of an export of a model in a state. */
export function exportOf(model: RefModel, { tags }: Pick<RefState, "tags">) {
  let isAsked = false;
  const body = documentOf(model, () => {
    isAsked = true;
    return tags;
  });
  return { body, etag: `${model.id}-${model.revision}${isAsked ? `.${tags.revision}` : ""}` };
}

/** The key pairs of a relationship whose attributes are both there; undefined for none. */
export function livingPairs({ keyPairs = [] }: Pick<RefRelationship, "keyPairs">, { entities }: RefModel) {
  const there = new Set(entities.flatMap(({ attributes }) => attributes.map(({ id }) => id)));
  const pairs = keyPairs.filter((pair) => pair.every((id) => there.has(id)));
  return pairs.length > 0 ? pairs : undefined;
}

function pairsByKey<T>(roles: readonly { readonly key: string }[], pairs: readonly (readonly T[])[] | undefined) {
  const [a, b] = roles.map(({ key }) => key);
  return pairs?.map((pair) => (String(b) < String(a) ? pair.toReversed() : [...pair]));
}
