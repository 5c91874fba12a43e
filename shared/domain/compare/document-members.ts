import type { ModelDocument } from "../document/document.ts";
import type { ComparisonTerms, Field, Fields, ObjectIdentity, ReaderNotes } from "../fields/field.ts";
import { modelFields } from "../fields/model-fields.ts";
import type { KeyPair } from "../refs.ts";

/** Members of a document object that the loops over its fields read. */
export interface DocumentObject extends ObjectIdentity, ReaderNotes {
  readonly key: string;
  readonly origin?: string;
}

/** Returns the value of a member. */
export function getMember(object: DocumentObject | undefined, member: string): unknown {
  // A document has the members that its fields declare.
  return (object as Readonly<Record<string, unknown>> | undefined)?.[member];
}

/** Returns the objects of a list member. */
export function getList(object: DocumentObject | undefined, member: string): readonly DocumentObject[] {
  return (getMember(object, member) ?? []) as readonly DocumentObject[];
}

/** Tests whether a document sets or clears a member of an object. */
export function isStated(object: DocumentObject | undefined, member: string): boolean {
  if (!object || object.leftOut?.includes(member)) return false;
  return getMember(object, member) !== undefined || (object.cleared?.includes(member) ?? false);
}

interface PartList {
  readonly member: string;
  readonly fields: Fields;
  readonly terms: ComparisonTerms;
}

/** Returns the lists of objects that comparisons include, which are all but tag groups. */
export function listPartLists(fields: Fields): readonly PartList[] {
  return Object.entries(fields).flatMap(([member, field]) =>
    (field.is === "nested" || field.is === "children") && field.terms
      ? [{ member, fields: field.fields, terms: field.terms }]
      : [],
  );
}

/** Returns a document with the result of `change` for each object, called for an object before its parts. */
export function mapObjects(document: ModelDocument, change: (object: DocumentObject) => DocumentObject): ModelDocument {
  const copyObject = (object: DocumentObject, fields: Fields): DocumentObject => ({
    ...change(object),
    ...Object.fromEntries(
      listPartLists(fields).flatMap(({ member, fields: inner }) =>
        getMember(object, member) === undefined
          ? []
          : [[member, getList(object, member).map((one) => copyObject(one, inner))]],
      ),
    ),
  });
  return copyObject(document, modelFields) as ModelDocument;
}

/** Indexes the values of objects by the refs of the objects in documents. */
export function indexByRef<O extends DocumentObject, V>(
  objects: readonly O[],
  getValue: (object: O) => V,
): ReadonlyMap<string, V> {
  return new Map(objects.map((one) => [`key:${one.key}`, getValue(one)]));
}

/** Values of the objects that refs of one document name. */
export interface RefIndex<V> {
  readonly type: ReadonlyMap<string, V>;
  readonly entity: ReadonlyMap<string, V>;
  readonly tag: ReadonlyMap<string, V>;
  /** Values of attributes, by the ref of their entity. */
  readonly attributes: ReadonlyMap<string, ReadonlyMap<string, V>>;
}

/** Indexes the objects of a document by their refs. */
export function indexRefs<V>(
  { types, entities, localTags }: ModelDocument,
  getValue: (object: DocumentObject) => V,
): RefIndex<V> {
  return {
    type: indexByRef(types, getValue),
    entity: indexByRef(entities, getValue),
    tag: indexByRef(localTags, getValue),
    attributes: indexByRef(entities, ({ attributes }) => indexByRef(attributes, getValue)),
  };
}

/** Returns the ref of the entity whose attributes a field lists. */
export function getEntityRef(object: DocumentObject | undefined, target: "itself" | "entity"): string {
  return target === "itself" ? `key:${object?.key}` : String(getMember(object, target));
}

/** Replaces refs, except links to tags, by names. */
export function replaceRefs(
  value: unknown,
  field: Field | undefined,
  object: DocumentObject,
  names: RefIndex<string>,
  getName: (object: DocumentObject) => string,
): unknown {
  const nameAttribute = (entity: string, ref: string) => names.attributes.get(entity)?.get(ref) ?? ref;
  switch (field?.is) {
    case "ref":
      return names[field.to].get(String(value)) ?? value;
    case "refs": {
      const entity = getEntityRef(object, field.of);
      return (value as readonly string[]).map((ref) => nameAttribute(entity, ref));
    }
    case "pairs": {
      const roles = getList(object, field.of);
      return (value as readonly KeyPair[]).map((pair) =>
        roles
          .map((role, i) => [getName(role), nameAttribute(getEntityRef(role, "entity"), pair[i] ?? "")] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      );
    }
    default:
      return value;
  }
}
