import { listIn, type Written } from "../apply/parts.ts";
import type { ModelDocument } from "../document.ts";
import type { Fields } from "../fields/field.ts";
import { modelFields } from "../fields/model.ts";
import type { Matchable } from "../match/match-list.ts";

/** A document as it was imported from a source, with the objects of the model that its objects became. */
export interface ImportBase {
  readonly document: ModelDocument;
  /** The ids in the model of the objects of the document, in the order of `objectsWithin`; "" for one that it did not become. */
  readonly ids: readonly string[];
}

/** Every object of a document that is one of a model: the model first, each before those inside it. Tags of groups are none. */
export function objectsWithin(document: ModelDocument): Generator<Written> {
  return within(document, modelFields);
}

function* within(object: Written, fields: Fields): Generator<Written> {
  yield object;
  for (const [member, inner] of listsOf(fields)) {
    for (const one of listIn(object, member)) yield* within(one, inner);
  }
}

/** The lists of objects in an object, with the fields of those. */
export function listsOf(fields: Fields): readonly (readonly [member: string, fields: Fields])[] {
  return Object.entries(fields).flatMap(([member, field]) =>
    (field.is === "nested" || field.is === "children") && field.compared ? [[member, field.fields] as const] : [],
  );
}

/** A document as far as its objects are recognised by it, and the object that each of its objects stands for. */
export interface Outline {
  readonly document: ModelDocument;
  readonly outlineOf: (object: Written) => Matchable | undefined;
  readonly objectOf: (outline: Matchable) => Written | undefined;
}

/** The outline of a document in which objects have other marks; those that get none are left out, with all inside them. */
export function outlined(
  document: ModelDocument,
  marksOf: (object: Written) => Pick<Matchable, "id" | "renamedFrom"> | undefined,
): Outline {
  const outlines = new Map<Written, Matchable>();
  const objects = new Map<Matchable, Written>();
  const outline = (object: Written, fields: Fields): Matchable | undefined => {
    const marks = marksOf(object);
    if (!marks) return undefined;
    const lists = listsOf(fields).map(([member, inner]) => [
      member,
      listIn(object, member).flatMap((one) => outline(one, inner) ?? []),
    ]);
    const { origin } = object as Matchable;
    const made: Matchable = {
      key: object.key,
      ...(origin !== undefined && { origin }),
      ...marks,
      ...Object.fromEntries(lists),
    };
    outlines.set(object, made);
    objects.set(made, object);
    return made;
  };
  return {
    // Nothing but the lists and the marks of their objects is asked of it.
    document: outline(document, modelFields) as unknown as ModelDocument,
    outlineOf: (object) => outlines.get(object),
    objectOf: (made) => objects.get(made),
  };
}

/** A document without its links to tags of groups that were not made, so that they come in once they are. */
export function linkedAsMade(document: ModelDocument, isMade: (ref: string) => boolean): ModelDocument {
  const isKept = (ref: string): boolean => !ref.includes("/") || isMade(ref);
  const linksOf = ({ tags = [] }: { readonly tags?: readonly string[] }): readonly string[] => tags;
  const changed = [...objectsWithin(document)].some((object) => !linksOf(object as ModelDocument).every(isKept));
  if (!changed) return document;
  const copied = (object: Written, fields: Fields): Written => ({
    ...object,
    ...("tags" in object && { tags: linksOf(object as ModelDocument).filter(isKept) }),
    ...Object.fromEntries(
      listsOf(fields).map(([member, inner]) => [member, listIn(object, member).map((one) => copied(one, inner))]),
    ),
  });
  return copied(document, modelFields) as ModelDocument;
}
