import type { Fields, PairsField } from "../../domain/fields/field.ts";
import { TAG_KEY_PATTERN } from "../../domain/refs.ts";
import { describeJsonType } from "../../domain/values/value-type.ts";
import { type Diagnostics, quote } from "../common/diagnostics.ts";
import { isObject, type JsonObject, readPartList } from "../common/json-object.ts";
import type { ModelJsonForm } from "./model-json-form.ts";

/** An object of a source with its final key and nested objects. */
export interface SourceObject {
  readonly source: JsonObject;
  readonly key: string;
  readonly diagnostics: Diagnostics;
  readonly parts: ReadonlyMap<string, readonly SourceObject[]>;
}

/** Counts nested objects at any depth. Tag groups and roles do not count. */
export function countParts(source: JsonObject, fields: Fields): number {
  let count = 0;
  for (const [member, field] of Object.entries(fields)) {
    if (field.is !== "children" || !field.terms) continue;
    const list: unknown = source[member];
    if (!Array.isArray(list)) continue;
    count += list.length;
    for (const part of list) if (isObject(part)) count += countParts(part, field.fields);
  }
  return count;
}

/** Reads nested objects at any depth. Rejects objects without a key. */
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

function readKeyedObjects(
  holder: JsonObject,
  member: string,
  fields: Fields,
  form: ModelJsonForm,
  diagnostics: Diagnostics,
): readonly SourceObject[] {
  const parts = readPartList(holder, member, diagnostics).flatMap((part) => {
    const { key } = part.source;
    if (typeof key === "string") return [{ ...part, key }];
    part.diagnostics.reject("/key", "expected a key that is a text");
    return [];
  });
  const keys = form.toKeys(
    parts.map(({ key }) => key),
    (i) => parts[i]?.diagnostics ?? diagnostics,
  );
  return parts.map((one, i) => ({
    ...one,
    key: keys[i] ?? one.key,
    parts: readParts(one.source, fields, form, one.diagnostics),
  }));
}

const NOUNS = {
  type: "a type of the model",
  entity: "an entity of the model",
  tag: "a tag of the document",
  attribute: "an attribute of the entity",
} as const;

/** Resolves refs inside one source: `key:<key in the source>` and, if it has ids, `id:<uuid>`. */
export interface DocumentRefs {
  /** Resolves a ref to `key:…`. Rejects an unknown ref and returns it unchanged. */
  resolve(to: "type" | "entity" | "tag", ref: unknown, path: string, diagnostics: Diagnostics): string;
  resolveAttribute(entity: string, ref: unknown, path: string, diagnostics: Diagnostics): string | undefined;
  /** Resolves the refs of a list of attributes. Returns an empty list for an unknown entity. */
  resolveAttributes(
    entity: SourceObject | string,
    refs: readonly unknown[],
    path: string,
    diagnostics: Diagnostics,
  ): readonly string[];
}

type RefTargets = ReadonlyMap<string, string>;

/** Records a ref to an object that the source does not contain. `entity` is the ref of the entity of an attribute. */
export type ExpectObject = (to: keyof typeof NOUNS, ref: string, pointer: string, entity?: string) => void;

/** Creates the refs of a source. With `expect`, refs by key may name other objects of the model, and global tags. */
export function createDocumentRefs({ parts }: SourceObject, expect?: ExpectObject): DocumentRefs {
  const list = (member: string): readonly SourceObject[] => parts.get(member) ?? [];
  const tagsOfGroups = list("tagGroups").flatMap((group) =>
    (group.parts.get("tags") ?? []).map((t) => qualifyTag(group, t)),
  );
  const targets = {
    type: indexTargets(list("types")),
    entity: indexTargets(list("entities")),
    tag: indexTargets([...list("localTags"), ...tagsOfGroups]),
  };
  const indexAttributes = (entity: SourceObject): RefTargets => indexTargets(entity.parts.get("attributes") ?? []);
  const attributes = new Map(list("entities").map((entity) => [`key:${entity.key}`, indexAttributes(entity)]));
  const resolve = (
    own: RefTargets,
    to: keyof typeof NOUNS,
    ref: unknown,
    path: string,
    diagnostics: Diagnostics,
    entity?: string,
  ) => {
    if (expect && typeof ref === "string" && isKeyRef(to, ref) && !own.has(ref)) {
      expect(to, ref, diagnostics.pointer + path, entity);
      return ref;
    }
    return resolveRef(own, NOUNS[to], ref, path, diagnostics);
  };
  // Without `expect` an unknown entity is already reported.
  const findAttributes = (entity: string) => attributes.get(entity) ?? (expect && NO_TARGETS);
  return {
    resolve: (to, ref, path, diagnostics) => resolve(targets[to], to, ref, path, diagnostics),
    resolveAttribute: (entity, ref, path, diagnostics) => {
      const own = findAttributes(entity);
      return own && resolve(own, "attribute", ref, path, diagnostics, entity);
    },
    resolveAttributes: (owner, refs, path, diagnostics) => {
      const entity = typeof owner === "string" ? owner : `key:${owner.key}`;
      const own = typeof owner === "string" ? findAttributes(owner) : indexAttributes(owner);
      return own ? refs.map((ref, i) => resolve(own, "attribute", ref, `${path}/${i}`, diagnostics, entity)) : [];
    },
  };
}

/** Tests for a ref by key; the key of a tag is `<tag>` or `<group>/<tag>`. */
function isKeyRef(to: keyof typeof NOUNS, ref: string): boolean {
  return to === "tag" ? TAG_REF.test(ref) : /^key:./.test(ref);
}

const TAG_REF = new RegExp(`^key:(${TAG_KEY_PATTERN}/)?${TAG_KEY_PATTERN}$`);

const NO_TARGETS: RefTargets = new Map();

function indexTargets(objects: readonly Pick<SourceObject, "source" | "key">[]): RefTargets {
  const targets = new Map<string, string>();
  for (const { source, key } of objects) {
    const target = `key:${key}`;
    if (!targets.has(`key:${String(source.key)}`)) targets.set(`key:${String(source.key)}`, target);
    if (typeof source.id === "string") targets.set(`id:${source.id.toLowerCase()}`, target);
  }
  return targets;
}

function qualifyTag(group: SourceObject, { source }: SourceObject): Pick<SourceObject, "source" | "key"> {
  const key = `${group.key}/${String(source.key)}`;
  return { source: { id: source.id, key }, key };
}

function resolveRef(targets: RefTargets, noun: string, ref: unknown, path: string, diagnostics: Diagnostics) {
  const refText = typeof ref === "string" ? ref : "";
  const target = targets.get(refText.startsWith("id:") ? refText.toLowerCase() : refText);
  if (target !== undefined) return target;
  const subject = typeof ref === "string" ? quote(ref) : describeJsonType(ref ?? null);
  diagnostics.reject(path, `${subject} is not ${noun}; use key:<key>, or id:<uuid> of an object in the document`);
  return refText;
}

/** Resolves the key pairs of a source with the entities of `holder`. Rejects unknown refs; undefined without pairs. */
export function readKeyPairs(
  list: readonly unknown[],
  { of }: PairsField,
  holder: Readonly<Record<string, unknown>>,
  path: string,
  refs: DocumentRefs,
  diagnostics: Diagnostics,
): readonly (readonly string[])[] | undefined {
  if (list.length === 0) return undefined;
  const sides = (holder[of] ?? []) as readonly { readonly entity: string }[];
  if (sides.length !== 2) {
    diagnostics.reject(path, `key pairs require two roles, not ${sides.length}`);
    return undefined;
  }
  return list.flatMap((pair: unknown, i) => {
    const base = `${path}/${i}`;
    if (Array.isArray(pair) && pair.length === 2) {
      // An unknown entity is already reported.
      return [sides.map(({ entity }, j) => refs.resolveAttribute(entity, pair[j], `${base}/${j}`, diagnostics) ?? "")];
    }
    const actualType = Array.isArray(pair) ? `a list of ${pair.length}` : describeJsonType(pair);
    diagnostics.reject(base, `expected a list of two attribute refs, got ${actualType}`);
    return [];
  });
}
