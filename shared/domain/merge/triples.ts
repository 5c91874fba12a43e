import { type DocumentObject, getList, listPartLists, mapObjects } from "../compare/document-members.ts";
import { matchDocuments } from "../compare/match-documents.ts";
import type { ModelDocument } from "../document/document.ts";
import type { ComparisonTerms, Fields } from "../fields/field.ts";
import { modelFields } from "../fields/model-fields.ts";

/** Imported document, with the ids of its objects in the model. */
export interface ImportBase {
  readonly document: ModelDocument;
  /** Ids in the model, in the order of `listObjects`; "" if an object is not in the model. */
  readonly ids: readonly string[];
}

/** Yields every object of a document, each before its parts, without tag groups. */
export function listObjects(document: ModelDocument): Generator<DocumentObject> {
  return listObjectsWithin(document, modelFields);
}

function* listObjectsWithin(object: DocumentObject, fields: Fields): Generator<DocumentObject> {
  yield object;
  for (const { member, fields: inner } of listPartLists(fields)) {
    for (const one of getList(object, member)) yield* listObjectsWithin(one, inner);
  }
}

interface Outline {
  readonly document: ModelDocument;
  readonly findOutline: (object: DocumentObject) => DocumentObject | undefined;
  readonly findObject: (outline: DocumentObject) => DocumentObject | undefined;
}

function createOutline(
  document: ModelDocument,
  marksOf: (object: DocumentObject) => Pick<DocumentObject, "id" | "renamedFrom"> | undefined,
): Outline {
  const outlines = new Map<DocumentObject, DocumentObject>();
  const objects = new Map<DocumentObject, DocumentObject>();
  const toOutline = (object: DocumentObject, fields: Fields): DocumentObject | undefined => {
    const identity = marksOf(object);
    if (!identity) return undefined;
    const lists = listPartLists(fields).map(({ member, fields: inner }) => [
      member,
      getList(object, member).flatMap((one) => toOutline(one, inner) ?? []),
    ]);
    const { key, origin } = object;
    const copy: DocumentObject = {
      key,
      ...(origin !== undefined && { origin }),
      ...identity,
      ...Object.fromEntries(lists),
    };
    outlines.set(object, copy);
    objects.set(copy, object);
    return copy;
  };
  return {
    // Matching only uses the lists and identifying members.
    document: toOutline(document, modelFields) as unknown as ModelDocument,
    findOutline: (object) => outlines.get(object),
    findObject: (copy) => objects.get(copy),
  };
}

/** Removes links to missing global tags, so that a later import adds them once the tags exist. */
export function removeUnmadeTagLinks(document: ModelDocument, isMade: (ref: string) => boolean): ModelDocument {
  const isKept = (ref: string) => !ref.includes("/") || isMade(ref);
  const getTags = ({ tags = [] }: { readonly tags?: readonly string[] }) => tags;
  const hasLoss = [...listObjects(document)].some((object) => !getTags(object as ModelDocument).every(isKept));
  if (!hasLoss) return document;
  return mapObjects(document, (object) =>
    "tags" in object ? { ...object, tags: getTags(object as ModelDocument).filter(isKept) } : object,
  );
}

/** Documents of a merge: the last import, the model, and the source. */
export type Side = "base" | "ours" | "theirs";

/** One object in each of the three documents. */
export interface Triple extends Readonly<Record<Side, DocumentObject | undefined>> {
  readonly name: string;
  readonly fields: Fields;
  /** Object type and location; undefined for the model itself. */
  readonly as: ComparisonTerms | undefined;
  readonly above: Triple | undefined;
  readonly member: string;
  readonly lists: Map<string, readonly Triple[]>;
}

export interface Triples {
  readonly model: Triple;
  readonly all: readonly Triple[];
  readonly findTriple: (object: DocumentObject) => Triple | undefined;
  readonly getByName: (name: string) => Triple | undefined;
}

/** Documents of a merge. Without a base, nothing was imported from the source before. */
export interface Documents {
  readonly base: ImportBase | undefined;
  readonly ours: ModelDocument;
  readonly theirs: ModelDocument;
}

/** Matches the objects of three documents. */
export function createTriples({ base, ours, theirs }: Documents): Triples {
  const listPairs = pairDocuments({ base, ours, theirs });
  const all: Triple[] = [];
  const byObject = new Map<DocumentObject, Triple>();
  const join = (sides: Sides, fields: Fields, as?: ComparisonTerms, parent?: Triple, member = ""): Triple => {
    const triple: Triple = { ...sides, name: `#${all.length}`, fields, as, above: parent, member, lists: new Map() };
    all.push(triple);
    for (const side of [sides.base, sides.ours, sides.theirs]) if (side) byObject.set(side, triple);
    for (const { member: list, fields: inner, terms } of listPartLists(fields)) {
      const triples = listPairs(sides, list).map((one) => join(one, inner, terms, triple, list));
      triple.lists.set(list, triples);
    }
    return triple;
  };
  const model = join({ base: base?.document, ours, theirs }, modelFields);
  return {
    model,
    all,
    findTriple: (object) => byObject.get(object),
    getByName: (name) => all[Number(name.slice(1))],
  };
}

type Sides = Readonly<Record<Side, DocumentObject | undefined>>;

type ListPairs = (holders: Sides, member: string) => readonly Sides[];

function pairDocuments({ base, ours, theirs }: Documents): ListPairs {
  const ids = new Map<DocumentObject, string>();
  if (base) {
    let nth = 0;
    for (const object of listObjects(base.document)) ids.set(object, base.ids[nth++] ?? "");
  }
  const baseline = base && createOutline(base.document, (object) => toOptionalId(ids.get(object)));
  const ourMatch = baseline && matchDocuments(ours, baseline.document, { single: false });
  const theirMatch = base && matchDocuments(base.document, theirs);
  const findOursOfBase = (object: DocumentObject) => {
    const outline = baseline?.findOutline(object);
    return outline && ourMatch?.findLeft(outline);
  };
  const findBaseOfOurs = (object: DocumentObject) => {
    const outline = ourMatch?.findRight(object);
    return outline && baseline?.findObject(outline);
  };
  const findBaseOfTheirs = (object: DocumentObject) => theirMatch?.findLeft(object);
  const usedIds = new Set<string>();
  for (const object of listObjects(theirs)) {
    const match = findBaseOfTheirs(object);
    const id = match && findOursOfBase(match)?.id;
    if (id !== undefined) usedIds.add(id);
  }
  const source = createOutline(theirs, (object) => {
    const match = findBaseOfTheirs(object);
    if (match) {
      const id = findOursOfBase(match)?.id;
      // People deleted it, so it must not match another object.
      return id === undefined ? undefined : { id };
    }
    const { id, renamedFrom } = object;
    return { ...(id !== undefined && !usedIds.has(id) && { id }), ...(renamedFrom !== undefined && { renamedFrom }) };
  });
  const direct = matchDocuments(ours, source.document);
  const findTheirsOfOurs = (object: DocumentObject) => {
    const outline = direct.findRight(object);
    return outline && source.findObject(outline);
  };
  return (holders, member) => {
    const sides: Sides[] = getList(holders.ours, member).map((one) => ({
      base: findBaseOfOurs(one),
      ours: one,
      theirs: findTheirsOfOurs(one),
    }));
    const pairedObjects = new Set(sides.flatMap((one) => [one.base, one.theirs]));
    for (const one of getList(holders.base, member)) {
      if (pairedObjects.has(one)) continue;
      const other = theirMatch?.findRight(one);
      sides.push({ base: one, ours: undefined, theirs: other });
      pairedObjects.add(other);
    }
    for (const one of getList(holders.theirs, member)) {
      if (!pairedObjects.has(one)) sides.push({ base: undefined, ours: undefined, theirs: one });
    }
    return sides;
  };
}

function toOptionalId(id: string | undefined): { readonly id?: string } {
  return id === undefined || id === "" ? {} : { id };
}
