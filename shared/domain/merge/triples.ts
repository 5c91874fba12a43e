import { type DocumentObject, getList } from "../apply/parts.ts";
import { type Matchable, matchDocuments } from "../compare/match-documents.ts";
import type { ModelDocument } from "../document/document.ts";
import type { ComparisonTerms, Fields } from "../fields/field.ts";
import { modelFields } from "../fields/model-fields.ts";

/** A document as it was imported from a source, with the objects of the model that its objects became. */
export interface ImportBase {
  readonly document: ModelDocument;
  /** The ids in the model of the objects of the document, in the order of `objectsWithin`; "" for one that it did not become. */
  readonly ids: readonly string[];
}

/** Every object of a document that is one of a model: the model first, each before those inside it. Tags of groups are none. */
export function listObjects(document: ModelDocument): Generator<DocumentObject> {
  return listObjectsWithin(document, modelFields);
}

function* listObjectsWithin(object: DocumentObject, fields: Fields): Generator<DocumentObject> {
  yield object;
  for (const [member, inner] of listFieldsOfLists(fields)) {
    for (const one of getList(object, member)) yield* listObjectsWithin(one, inner);
  }
}

/** The lists of objects in an object, with the fields of those. */
function listFieldsOfLists(fields: Fields): readonly (readonly [member: string, fields: Fields])[] {
  return Object.entries(fields).flatMap(([member, field]) =>
    (field.is === "nested" || field.is === "children") && field.compared ? [[member, field.fields] as const] : [],
  );
}

/** A document as far as its objects are recognised by it, and the object that each of its objects stands for. */
interface Outline {
  readonly document: ModelDocument;
  readonly findOutline: (object: DocumentObject) => Matchable | undefined;
  readonly findObject: (outline: Matchable) => DocumentObject | undefined;
}

/** The outline of a document in which objects have other marks; those that get none are left out, with all inside them. */
function createOutline(
  document: ModelDocument,
  marksOf: (object: DocumentObject) => Pick<Matchable, "id" | "renamedFrom"> | undefined,
): Outline {
  const outlines = new Map<DocumentObject, Matchable>();
  const objects = new Map<Matchable, DocumentObject>();
  const outline = (object: DocumentObject, fields: Fields): Matchable | undefined => {
    const marks = marksOf(object);
    if (!marks) return undefined;
    const lists = listFieldsOfLists(fields).map(([member, inner]) => [
      member,
      getList(object, member).flatMap((one) => outline(one, inner) ?? []),
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
    findOutline: (object) => outlines.get(object),
    findObject: (made) => objects.get(made),
  };
}

/** A document without its links to tags of groups that were not made, so that they come in once they are. */
export function removeUnmadeTagLinks(document: ModelDocument, isMade: (ref: string) => boolean): ModelDocument {
  const isKept = (ref: string): boolean => !ref.includes("/") || isMade(ref);
  const linksOf = ({ tags = [] }: { readonly tags?: readonly string[] }): readonly string[] => tags;
  const changed = [...listObjects(document)].some((object) => !linksOf(object as ModelDocument).every(isKept));
  if (!changed) return document;
  const copied = (object: DocumentObject, fields: Fields): DocumentObject => ({
    ...object,
    ...("tags" in object && { tags: linksOf(object as ModelDocument).filter(isKept) }),
    ...Object.fromEntries(
      listFieldsOfLists(fields).map(([member, inner]) => [
        member,
        getList(object, member).map((one) => copied(one, inner)),
      ]),
    ),
  });
  return copied(document, modelFields) as ModelDocument;
}

/** The three documents of a merge: as the source was, as the model is, and as the source is. */
export type Side = "base" | "ours" | "theirs";

/** One object as each of the three documents has it. */
export interface Triple extends Readonly<Record<Side, DocumentObject | undefined>> {
  /** The text by which other objects refer to it. */
  readonly name: string;
  readonly fields: Fields;
  /** The sort of the object; undefined for the model itself. */
  readonly as: ComparisonTerms | undefined;
  readonly above: Triple | undefined;
  /** The member of the object above that it lies in. */
  readonly member: string;
  /** The objects in its lists, by member. */
  readonly lists: Map<string, readonly Triple[]>;
}

/** All objects of three documents. */
export interface Triples {
  readonly model: Triple;
  /** All of them, each before those inside it. */
  readonly all: readonly Triple[];
  /** The triple that an object of one of the documents is in. */
  readonly findTriple: (written: DocumentObject) => Triple | undefined;
  /** The triple of a name. */
  readonly getByName: (name: string) => Triple | undefined;
}

/** The documents of a merge; without a base nothing was imported from the source yet. */
export interface Documents {
  readonly base: ImportBase | undefined;
  readonly ours: ModelDocument;
  readonly theirs: ModelDocument;
}

/**
 * Joins three documents object by object: base and model by the ids that the base's objects got, base and source as
 * `matchDocuments` does, and so what is new in the source and the rest of the model.
 */
export function createTriples({ base, ours, theirs }: Documents): Triples {
  const pairs = pairDocuments({ base, ours, theirs });
  const all: Triple[] = [];
  const byObject = new Map<DocumentObject, Triple>();
  const join = (sides: Sides, fields: Fields, as?: ComparisonTerms, above?: Triple, member = ""): Triple => {
    const triple: Triple = { ...sides, name: `#${all.length}`, fields, as, above, member, lists: new Map() };
    all.push(triple);
    for (const side of [sides.base, sides.ours, sides.theirs]) if (side) byObject.set(side, triple);
    for (const [list, inner] of listFieldsOfLists(fields)) {
      const field = fields[list];
      const sort = field?.is === "nested" || field?.is === "children" ? field.compared : undefined;
      triple.lists.set(
        list,
        pairs.listPairs(sides, list).map((one) => join(one, inner, sort, triple, list)),
      );
    }
    return triple;
  };
  const model = join({ base: base?.document, ours, theirs }, modelFields);
  return {
    model,
    all,
    findTriple: (written) => byObject.get(written),
    getByName: (name) => all[Number(name.slice(1))],
  };
}

type Sides = Readonly<Record<Side, DocumentObject | undefined>>;

/** The objects that the documents have in common. */
interface Pairs {
  /** The objects of one list, those of the model first. */
  readonly listPairs: (holders: Sides, member: string) => readonly Sides[];
}

function pairDocuments({ base, ours, theirs }: Documents): Pairs {
  const ids = new Map<DocumentObject, string>();
  if (base) {
    let nth = 0;
    for (const object of listObjects(base.document)) ids.set(object, base.ids[nth++] ?? "");
  }
  const imported = base && createOutline(base.document, (object) => toOptionalId(ids.get(object)));
  const here = imported && matchDocuments(ours, imported.document, { single: false });
  const there = base && matchDocuments(base.document, theirs);
  const oursOfBase = (object: DocumentObject): DocumentObject | undefined => {
    const outline = imported?.findOutline(object);
    return outline && (here?.findLeft(outline) as DocumentObject | undefined);
  };
  const baseOfOurs = (object: DocumentObject): DocumentObject | undefined => {
    const outline = here?.findRight(object);
    return outline && imported?.findObject(outline);
  };
  const baseOfTheirs = (object: DocumentObject): DocumentObject | undefined =>
    there?.findLeft(object) as DocumentObject | undefined;
  const taken = new Set<string>();
  for (const object of listObjects(theirs)) {
    const known = baseOfTheirs(object);
    const id = known && oursOfBase(known)?.id;
    if (id !== undefined) taken.add(id);
  }
  const source = createOutline(theirs, (object) => {
    const known = baseOfTheirs(object);
    if (known) {
      const id = oursOfBase(known)?.id;
      // People deleted it, so that it is nothing else of theirs.
      return id === undefined ? undefined : { id };
    }
    const { id, renamedFrom } = object;
    return { ...(id !== undefined && !taken.has(id) && { id }), ...(renamedFrom !== undefined && { renamedFrom }) };
  });
  const direct = matchDocuments(ours, source.document);
  const theirsOfOurs = (object: DocumentObject): DocumentObject | undefined => {
    const outline = direct.findRight(object);
    return outline && source.findObject(outline);
  };
  return {
    listPairs: (holders, member) => {
      const made: Sides[] = getList(holders.ours, member).map((one) => ({
        base: baseOfOurs(one),
        ours: one,
        theirs: theirsOfOurs(one),
      }));
      const seen = new Set(made.flatMap((one) => [one.base, one.theirs]));
      for (const one of getList(holders.base, member)) {
        if (seen.has(one)) continue;
        const other = there?.findRight(one) as DocumentObject | undefined;
        made.push({ base: one, ours: undefined, theirs: other });
        seen.add(other);
      }
      for (const one of getList(holders.theirs, member)) {
        if (!seen.has(one)) made.push({ base: undefined, ours: undefined, theirs: one });
      }
      return made;
    },
  };
}

function toOptionalId(id: string | undefined): { readonly id?: string } {
  return id === undefined || id === "" ? {} : { id };
}
