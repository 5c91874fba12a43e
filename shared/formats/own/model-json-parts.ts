import type { Fields, PairsField } from "../../domain/fields/field.ts";
import { describeJsonType } from "../../domain/values/value-type.ts";
import { type Diagnostics, quote } from "../common/diagnostics.ts";
import { isObject, type JsonObject } from "../common/json-object.ts";
import { countItems, type ModelJsonForm, readList } from "./model-json-form.ts";

/** An object of a source, under the key it will have, with the objects in its lists. */
export interface SourceObject {
  readonly source: JsonObject;
  readonly key: string;
  readonly diagnostics: Diagnostics;
  /** The objects in its lists, by member. */
  readonly parts: ReadonlyMap<string, readonly SourceObject[]>;
}

/** Counts the objects that the lists of an object would make, however deep; tag groups and roles make none in the model. */
export function countParts(source: JsonObject, fields: Fields): number {
  let count = 0;
  for (const [member, field] of Object.entries(fields)) {
    if (field.is !== "children" || !field.compared) continue;
    count += countItems(source[member]);
    const list: unknown = source[member];
    if (!Array.isArray(list) || !hasChildren(field.fields)) continue;
    for (const part of list) if (isObject(part)) count += countParts(part, field.fields);
  }
  return count;
}

function hasChildren(fields: Fields): boolean {
  return Object.values(fields).some(({ is }) => is === "children");
}

/** The objects in the lists of an object, however deep; a fault for each that has no key. */
export function readParts(
  source: JsonObject,
  fields: Fields,
  form: ModelJsonForm,
  diagnostics: Diagnostics,
): ReadonlyMap<string, readonly SourceObject[]> {
  const parts = new Map<string, readonly SourceObject[]>();
  for (const [member, field] of Object.entries(fields)) {
    if ((field.is === "nested" || field.is === "children") && form.reads(member)) {
      parts.set(member, readKeyedObjects(source, member, field.fields, form, diagnostics));
    }
  }
  return parts;
}

/** The objects of a list that have a key, keys made legal where the form asks for it. */
function readKeyedObjects(
  holder: JsonObject,
  member: string,
  fields: Fields,
  form: ModelJsonForm,
  diagnostics: Diagnostics,
): readonly SourceObject[] {
  const found = readList(holder, member, diagnostics).flatMap((source: unknown, i) => {
    const here = diagnostics.at(`/${member}/${i}`);
    if (isObject(source) && typeof source.key === "string") return [{ source, key: source.key, diagnostics: here }];
    if (isObject(source)) here.reject("/key", "expected a text that is the key");
    else here.reject("", `expected an object, got ${describeJsonType(source)}`);
    return [];
  });
  const keys = form.texts.keys(
    found.map(({ key }) => key),
    (i) => found[i]?.diagnostics ?? diagnostics,
  );
  return found.map((one, i) => ({
    ...one,
    key: keys[i] ?? one.key,
    parts: readParts(one.source, fields, form, one.diagnostics),
  }));
}

/** The sorts of objects that refs of a source name, with the words for each. */
const NOUNS = {
  type: "type of the model",
  entity: "entity of the model",
  tag: "tag that the document defines",
} as const;

const ATTRIBUTE = "attribute of the entity";

/** The refs inside one source: by `key:<key in the source>` and, where it gives ids, by `id:<uuid>`. */
export interface DocumentRefs {
  /** The ref as `key:…` of the object it names; a fault, and the ref itself, when it names none. */
  resolve(to: keyof typeof NOUNS, ref: unknown, place: string, diagnostics: Diagnostics): string;
  /** The ref of an attribute of an entity, as `resolve` has others; undefined where the entity is not there. */
  resolveAttribute(entity: string, ref: unknown, place: string, diagnostics: Diagnostics): string | undefined;
  /**
   * The refs of a list of attributes of an entity, which is given or named, each as `key:…`; none where the entity is
   * not there.
   */
  resolveAttributes(
    entity: SourceObject | string,
    refs: readonly unknown[],
    place: string,
    diagnostics: Diagnostics,
  ): readonly string[];
}

type RefTargets = ReadonlyMap<string, string>;

/** The refs that the objects of a source have. */
export function createDocumentRefs({ parts }: SourceObject): DocumentRefs {
  const list = (member: string): readonly SourceObject[] => parts.get(member) ?? [];
  const tagsOfGroups = list("tagGroups").flatMap((group) =>
    (group.parts.get("tags") ?? []).map((t) => qualifyTag(group, t)),
  );
  const targets = {
    type: indexTargets(list("types")),
    entity: indexTargets(list("entities")),
    tag: indexTargets([...list("localTags"), ...tagsOfGroups]),
  };
  const attributesOf = (entity: SourceObject): RefTargets => indexTargets(entity.parts.get("attributes") ?? []);
  const attributes = new Map(list("entities").map((entity) => [`key:${entity.key}`, attributesOf(entity)]));
  return {
    resolve: (to, ref, place, diagnostics) => resolveRef(targets[to], NOUNS[to], ref, place, diagnostics),
    resolveAttribute: (entity, ref, place, diagnostics) => {
      const own = attributes.get(entity);
      return own && resolveRef(own, ATTRIBUTE, ref, place, diagnostics);
    },
    resolveAttributes: (entity, refs, place, diagnostics) => {
      const own = typeof entity === "string" ? attributes.get(entity) : attributesOf(entity);
      if (!own) return [];
      return refs.map((ref, i) => resolveRef(own, ATTRIBUTE, ref, `${place}/${i}`, diagnostics));
    },
  };
}

function indexTargets(objects: readonly Pick<SourceObject, "source" | "key">[]): RefTargets {
  const targets = new Map<string, string>();
  for (const { source, key } of objects) {
    const target = `key:${key}`;
    if (!targets.has(`key:${String(source.key)}`)) targets.set(`key:${String(source.key)}`, target);
    if (typeof source.id === "string") targets.set(`id:${source.id.toLowerCase()}`, target);
  }
  return targets;
}

/** A tag of a group under the key that refs name it with. */
function qualifyTag(group: SourceObject, { source }: SourceObject): Pick<SourceObject, "source" | "key"> {
  const key = `${group.key}/${String(source.key)}`;
  return { source: { id: source.id, key }, key };
}

function resolveRef(targets: RefTargets, noun: string, ref: unknown, place: string, diagnostics: Diagnostics): string {
  const written = typeof ref === "string" ? ref : "";
  const found = targets.get(written.startsWith("id:") ? written.toLowerCase() : written);
  if (found !== undefined) return found;
  const what = typeof ref === "string" ? quote(ref) : describeJsonType(ref ?? null);
  diagnostics.reject(place, `${what} names no ${noun}; a ref is key:<key>, or id:<uuid> of an object in the document`);
  return written;
}

/**
 * The pairs of attributes in a list of a source, as refs `key:…`; a fault for what names none. Undefined where there are no
 * pairs. The holder is the document that is made of the source, with the objects whose entities have the attributes.
 */
export function readKeyPairs(
  list: readonly unknown[],
  { of }: PairsField,
  holder: Readonly<Record<string, unknown>>,
  place: string,
  refs: DocumentRefs,
  diagnostics: Diagnostics,
): readonly (readonly string[])[] | undefined {
  if (list.length === 0) return undefined;
  const sides = (holder[of] ?? []) as readonly { readonly entity: string }[];
  if (sides.length !== 2) {
    diagnostics.reject(place, `only a relationship with two roles has key pairs, and it has ${sides.length}`);
    return undefined;
  }
  return list.flatMap((pair: unknown, i) => {
    const here = `${place}/${i}`;
    if (Array.isArray(pair) && pair.length === 2) {
      // Without its entity there is one fault already.
      return [sides.map(({ entity }, j) => refs.resolveAttribute(entity, pair[j], `${here}/${j}`, diagnostics) ?? "")];
    }
    const got = Array.isArray(pair) ? `a list of ${pair.length}` : describeJsonType(pair);
    diagnostics.reject(here, `expected a list of two refs to attributes, got ${got}`);
    return [];
  });
}
