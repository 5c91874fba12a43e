import type { Field, Fields } from "../fields/field.ts";
import { modelFields } from "../fields/model-fields.ts";
import { KINDS, type KindName } from "../kinds.ts";
import type { AnyObject, Model } from "../model/objects.ts";
import type { KeyPair } from "../refs.ts";
import { toCanonicalJson } from "../text/json-values.ts";
import type { Properties } from "../values/properties.ts";
import type { ModelDocument } from "./document.ts";

/** Returns new ids; the same ids again if the call is repeated. */
export type NextId = () => string;

/** Ids of global tags by `key:<group>/<tag>`. Links to other tags are omitted. */
export type GlobalTagIds = ReadonlyMap<string, string>;

/** Creates new objects from a checked document. `ids` receives their ids. */
export function readObjects(
  document: ModelDocument,
  nextId: NextId,
  globalTags: GlobalTagIds = new Map(),
  ids: Map<DocumentObject, string> = new Map(),
): [Model, ...AnyObject[]] {
  return readObjectsWithIds(document, nextId, globalTags, ids);
}

/** Creates the objects of a document with the ids that it must contain. */
export function readStateObjects(document: ModelDocument, globalTags: GlobalTagIds): [Model, ...AnyObject[]] {
  return readObjectsWithIds(
    document,
    ({ id, key }) => {
      if (id === undefined) throw new Error(`${key} has no id`);
      return id;
    },
    globalTags,
  );
}

function readObjectsWithIds(
  document: ModelDocument,
  newId: (object: DocumentObject) => string,
  globalTags: GlobalTagIds,
  ids: Map<DocumentObject, string> = new Map(),
): [Model, ...AnyObject[]] {
  const scope = createScope(document, newId, globalTags, ids);
  // The type of an object follows from its fields.
  return [...readObject("model", document, modelFields, {}, scope)] as unknown as [Model, ...AnyObject[]];
}

interface DocumentObject {
  readonly id?: string;
  readonly key: string;
}

type Members = Readonly<Record<string, unknown>>;
type Ids = ReadonlyMap<string, string>;

/** Ids of referenced objects by `key:…`, for each kind. */
interface Scope {
  readonly type: Ids;
  readonly entity: Ids;
  readonly tag: Ids;
  readonly globalTag: Ids;
  /** Ids of attributes, by the ref of their entity. */
  readonly attributes: ReadonlyMap<string, Ids>;
  readonly assignId: (object: DocumentObject) => string;
  /** Returns increasing positions, so that attributes keep their order. */
  readonly nextOrder: () => number;
}

function createScope(
  { types, entities, localTags }: ModelDocument,
  newId: (object: DocumentObject) => string,
  globalTag: GlobalTagIds,
  ids: Map<DocumentObject, string>,
): Scope {
  let order = 0;
  const assignId = (object: DocumentObject) => {
    const id = ids.get(object) ?? newId(object);
    ids.set(object, id);
    return id;
  };
  const indexIds = (list: readonly DocumentObject[]): Ids =>
    new Map(list.map((one) => [`key:${one.key}`, assignId(one)]));
  return {
    type: indexIds(types),
    entity: indexIds(entities),
    tag: indexIds(localTags),
    globalTag,
    attributes: new Map(entities.map(({ key, attributes }) => [`key:${key}`, indexIds(attributes)])),
    assignId,
    nextOrder: () => order++,
  };
}

function* readObject(
  kind: KindName,
  object: DocumentObject,
  fields: Fields,
  owner: Members,
  scope: Scope,
): Generator<Members> {
  const id = scope.assignId(object);
  yield { kind, id, revision: 1, key: object.key, ...readMembers(object, fields, scope), ...owner };
  for (const [member, field] of Object.entries(fields)) {
    if (field.is !== "children" || KINDS[field.kind].ledger !== "model") continue;
    for (const child of getList(object, member)) {
      const own = field.kind === "attribute" ? { owner: id, order: scope.nextOrder() } : {};
      yield* readObject(field.kind, child, field.fields, own, scope);
    }
  }
}

function readMembers(object: DocumentObject, fields: Fields, scope: Scope): Members {
  return Object.assign(
    {},
    ...Object.entries(fields).map(([member, field]) => readMember(object, member, field, scope)),
  );
}

function readMember(object: DocumentObject, member: string, field: Field, scope: Scope): Members {
  const value = getMember(object, member);
  if (value === undefined) return {};
  switch (field.is) {
    case "value":
      return { [member]: value };
    case "json":
      return Object.keys(value as object).length === 0 ? {} : { [member]: toCanonicalJson(value) };
    case "ref":
      return { [member]: requireId(scope[field.to], value as string) };
    case "refs": {
      const entity = field.of === "itself" ? `key:${object.key}` : String(getMember(object, field.of));
      const ids = scope.attributes.get(entity) ?? new Map();
      return { [member]: (value as readonly string[]).map((ref) => requireId(ids, ref)) };
    }
    case "pairs": {
      const sides = getList(object, field.of).map((side) => scope.attributes.get(String(getMember(side, "entity"))));
      const pairs = value as readonly KeyPair[];
      if (pairs.length === 0) return {};
      return { [member]: pairs.map((pair) => pair.map((ref, i) => requireId(sides[i] ?? new Map(), ref))) };
    }
    case "tags":
      return readTagLinks(value as readonly string[], scope);
    case "nested":
      return {
        [member]: getList(object, member).map((inner) => ({
          id: scope.assignId(inner),
          key: inner.key,
          ...readMembers(inner, field.fields, scope),
        })),
      };
    case "children":
    case "internal":
      return {};
  }
}

function readTagLinks(refs: readonly string[], scope: Scope): Members {
  const tags = refs.flatMap((ref) => scope.tag.get(ref) ?? []).sort();
  const globalTags = refs.flatMap((ref) => scope.globalTag.get(ref) ?? []).sort();
  return { ...(tags.length > 0 && { tags }), ...(globalTags.length > 0 && { globalTags }) };
}

function getMember(object: DocumentObject, member: string): unknown {
  // A document has the members that its fields declare.
  return (object as unknown as Members)[member];
}

function getList(object: DocumentObject, member: string): readonly DocumentObject[] {
  return (getMember(object, member) ?? []) as readonly DocumentObject[];
}

function requireId(ids: Ids, ref: string) {
  const id = ids.get(ref);
  if (id === undefined) throw new Error(`unchecked document: ${ref} does not resolve`);
  return id;
}

interface ObjectProperties {
  readonly kind: KindName;
  readonly pointer: string;
  readonly properties: Properties;
}

interface Holder {
  readonly properties?: Properties;
}

/** Original positions of the objects in sorted lists of a document. */
export type FormerPositions = Readonly<Partial<Record<string, readonly number[]>>>;

/** Yields the document objects with properties, at their original positions. */
export function listProperties(document: ModelDocument, former: FormerPositions = {}): Generator<ObjectProperties> {
  return listObjectProperties(document, "model", modelFields, "", former);
}

function* listObjectProperties(
  holder: Holder,
  kind: KindName,
  fields: Fields,
  pointer: string,
  former: FormerPositions = {},
): Generator<ObjectProperties> {
  const { properties } = holder;
  if (properties) yield { kind, pointer, properties };
  for (const [member, field] of Object.entries(fields)) {
    if (field.is !== "children") continue;
    // A document has the lists that its fields declare.
    const list = (holder as Readonly<Record<string, readonly Holder[] | undefined>>)[member] ?? [];
    for (const [i, one] of list.entries())
      yield* listObjectProperties(one, field.kind, field.fields, `${pointer}/${member}/${former[member]?.[i] ?? i}`);
  }
}
