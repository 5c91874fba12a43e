import type { Field, Fields } from "../fields/field.ts";
import { modelFields } from "../fields/model-fields.ts";
import { KINDS, type KindName } from "../kinds.ts";
import type { AnyObject, Model } from "../model/objects.ts";
import type { KeyPair } from "../refs.ts";
import { toCanonicalJson } from "../text/json-values.ts";
import type { Properties } from "../values/properties.ts";
import type { ModelDocument } from "./document.ts";

/** The source of fresh ids; the same call hands out the same ids again when it is repeated. */
export type NextId = () => string;

/** Ids of global tags by `key:<group>/<tag>`; links to others are left out. */
export type GlobalTagIds = ReadonlyMap<string, string>;

/**
 * New objects for everything in a checked document, the model first. Ids of the document are not used; refs inside it
 * must resolve, which the importers check before. `given` gets the id of each object of the document.
 */
export function readObjects(
  document: ModelDocument,
  nextId: NextId,
  globalTags: GlobalTagIds = new Map(),
  given: Map<DocumentObject, string> = new Map(),
): [Model, ...AnyObject[]] {
  return readObjectsWithIds(document, nextId, globalTags, given);
}

/** The objects of a document under the ids that it gives, which every object of it has. */
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
  newId: (written: DocumentObject) => string,
  globalTags: GlobalTagIds,
  given: Map<DocumentObject, string> = new Map(),
): [Model, ...AnyObject[]] {
  const scope = createScope(document, newId, globalTags, given);
  // The type of an object follows from the fields that the loop goes through.
  return [...readObject("model", document, modelFields, {}, scope)] as unknown as [Model, ...AnyObject[]];
}

/** An object of a document as a loop over its fields sees it. */
interface DocumentObject {
  readonly id?: string;
  readonly key: string;
}

type Members = Readonly<Record<string, unknown>>;
type Ids = ReadonlyMap<string, string>;

/** Ids by `key:…`, in the scope of each sort of object that a document refers to. */
interface Scope {
  readonly type: Ids;
  readonly entity: Ids;
  readonly tag: Ids;
  readonly globalTag: Ids;
  /** The ids of attributes, by the ref of their entity. */
  readonly attributes: ReadonlyMap<string, Ids>;
  readonly assignId: (written: DocumentObject) => string;
  /** Counts the attributes, which keep their order. */
  readonly nextOrder: () => number;
}

function createScope(
  { types, entities, localTags }: ModelDocument,
  newId: (written: DocumentObject) => string,
  globalTag: GlobalTagIds,
  ids: Map<DocumentObject, string>,
): Scope {
  let order = 0;
  const idOf = (written: DocumentObject): string => {
    const id = ids.get(written) ?? newId(written);
    ids.set(written, id);
    return id;
  };
  const idsOf = (list: readonly DocumentObject[]): Ids => new Map(list.map((one) => [`key:${one.key}`, idOf(one)]));
  return {
    type: idsOf(types),
    entity: idsOf(entities),
    tag: idsOf(localTags),
    globalTag,
    attributes: new Map(entities.map(({ key, attributes }) => [`key:${key}`, idsOf(attributes)])),
    assignId: idOf,
    nextOrder: () => order++,
  };
}

/** The object of a part of a document, followed by those of its children. */
function* readObject(
  kind: KindName,
  written: DocumentObject,
  fields: Fields,
  owner: Members,
  scope: Scope,
): Generator<Members> {
  const id = scope.assignId(written);
  yield { kind, id, revision: 1, key: written.key, ...readMembers(written, fields, scope), ...owner };
  for (const [member, field] of Object.entries(fields)) {
    if (field.is !== "children" || KINDS[field.kind].ledger !== "model") continue;
    for (const child of getList(written, member)) {
      const own = field.kind === "attribute" ? { owner: id, order: scope.nextOrder() } : {};
      yield* readObject(field.kind, child, field.fields, own, scope);
    }
  }
}

function readMembers(written: DocumentObject, fields: Fields, scope: Scope): Members {
  return Object.assign(
    {},
    ...Object.entries(fields).map(([member, field]) => readMember(written, member, field, scope)),
  );
}

/** The members of an object that one member of its document makes. */
function readMember(written: DocumentObject, member: string, field: Field, scope: Scope): Members {
  const value = getMember(written, member);
  if (value === undefined) return {};
  switch (field.is) {
    case "value":
      return { [member]: value };
    case "json":
      return Object.keys(value as object).length === 0 ? {} : { [member]: toCanonicalJson(value) };
    case "ref":
      return { [member]: requireId(scope[field.to], value as string) };
    case "refs": {
      const entity = field.of === "itself" ? `key:${written.key}` : String(getMember(written, field.of));
      const ids = scope.attributes.get(entity) ?? new Map();
      return { [member]: (value as readonly string[]).map((ref) => requireId(ids, ref)) };
    }
    case "pairs": {
      const sides = getList(written, field.of).map((side) => scope.attributes.get(String(getMember(side, "entity"))));
      const pairs = value as readonly KeyPair[];
      if (pairs.length === 0) return {};
      return { [member]: pairs.map((pair) => pair.map((ref, i) => requireId(sides[i] ?? new Map(), ref))) };
    }
    case "tags":
      return readTagLinks(value as readonly string[], scope);
    case "nested":
      return {
        [member]: getList(written, member).map((inner) => ({
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

function getMember(written: DocumentObject, member: string): unknown {
  // A document has the members that the fields declare.
  return (written as unknown as Members)[member];
}

function getList(written: DocumentObject, member: string): readonly DocumentObject[] {
  return (getMember(written, member) ?? []) as readonly DocumentObject[];
}

function requireId(ids: Ids, ref: string): string {
  const id = ids.get(ref);
  if (id === undefined) throw new Error(`unchecked document: ${ref} names nothing`);
  return id;
}

/** The properties of one object of a document. */
interface ObjectProperties {
  readonly kind: KindName;
  /** The JSON pointer of the object in the document. */
  readonly pointer: string;
  readonly properties: Properties;
}

interface Holder {
  readonly properties?: Properties;
}

/** The places that the objects of a document's own lists had before these were sorted; of lists that were not moved nothing. */
export type FormerPositions = Readonly<Partial<Record<string, readonly number[]>>>;

/** The objects of a document that have properties, one by one; pointers lead to where they were before it was sorted. */
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
    // A document has the lists that the fields declare.
    const list = (holder as Readonly<Record<string, readonly Holder[] | undefined>>)[member] ?? [];
    for (const [i, one] of list.entries())
      yield* listObjectProperties(one, field.kind, field.fields, `${pointer}/${member}/${former[member]?.[i] ?? i}`);
  }
}
