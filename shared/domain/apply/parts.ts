import { matchDocuments } from "../compare/match-documents.ts";
import type { ModelDocument } from "../document/document.ts";
import type { Fields, ObjectIdentity, ReaderNotes } from "../fields/field.ts";
import { modelFields } from "../fields/model-fields.ts";

/** An object of a document as a loop over its fields sees it. */
export interface DocumentObject extends ObjectIdentity, ReaderNotes {
  readonly key: string;
}

/** An object of the model to be: as the model has it, as the document says it, or both. */
export interface Part {
  readonly left: DocumentObject | undefined;
  readonly right: DocumentObject | undefined;
  readonly fields: Fields;
  readonly above: Part | undefined;
  readonly id: string;
  readonly key: string;
  /** The objects in its lists, by member. */
  readonly lists: Map<string, readonly Part[]>;
}

/** All objects of the model to be, and those of either document by what they become. */
export interface MatchedParts {
  readonly model: Part;
  /** The part that an object of the model or of the document became; undefined for one that goes. */
  readonly findPart: (written: DocumentObject) => Part | undefined;
}

/** How the parts are found. */
export interface PartOptions {
  /** True where objects of the model go that the document lacks. */
  readonly prune: boolean;
  /** A new id for an object that the model does not have. */
  readonly nextId: () => string;
}

/** Joins a model with what a document says of it, object by object. */
export function matchParts(
  current: ModelDocument,
  wanted: ModelDocument,
  { prune, nextId }: PartOptions,
): MatchedParts {
  const { findRight: rightOf } = matchDocuments(current, wanted);
  const parts = new Map<object, Part>();
  const entities = { left: indexByRef(current.entities), right: indexByRef(wanted.entities) };

  const partOf = (
    left: DocumentObject | undefined,
    right: DocumentObject | undefined,
    fields: Fields,
    above?: Part,
  ): Part => {
    const id = left?.id ?? nextId();
    // Whoever addresses a model says which one is meant, so that it keeps its key.
    const key = (above ? (right ?? left) : left)?.key ?? "";
    const part: Part = { left, right, fields, above, id, key, lists: new Map() };
    for (const written of [left, right]) if (written) parts.set(written, part);
    for (const [member, field] of Object.entries(fields)) {
      if ((field.is !== "nested" && field.is !== "children") || !field.compared) continue;
      const entries = entriesOf(part, member);
      const list = entries.map(([one, other]) => partOf(one, other, field.fields, part));
      part.lists.set(member, list);
    }
    return part;
  };

  const entriesOf = (holder: Part, member: string): readonly Entry[] => {
    const [before, after] = [getList(holder.left, member), getList(holder.right, member)];
    const isKey = member === "businessKeys";
    const keys = new Set(after.map(({ key }) => key));
    const matched = new Map<DocumentObject, DocumentObject>();
    for (const one of before) {
      const other = rightOf(one);
      if (other && !(isKey && ownerOf(one, "left") !== ownerOf(other, "right")))
        matched.set(one, other as DocumentObject);
    }
    const isPruned = prune && isStated(holder.right, member);
    // A business key identifies one entity: it goes with that, and another one may take its key.
    const goes = (one: DocumentObject): boolean => isPruned || (isKey && (keys.has(one.key) || !ownerOf(one, "left")));
    const stay = before.filter((one) => matched.has(one) || !goes(one));
    return mergeOrder(stay, after, matched);
  };

  const ownerOf = (key: DocumentObject, side: "left" | "right"): Part | undefined => {
    const entity = entities[side].get(String(getMember(key, "entity")));
    return entity && parts.get(entity);
  };

  const model = partOf(current, wanted, modelFields);
  return { model, findPart: (written) => parts.get(written) };
}

/** Objects by the refs that documents name them with. */
export function indexByRef<O extends { readonly key: string }>(objects: readonly O[]): ReadonlyMap<string, O> {
  return new Map(objects.map((one) => [`key:${one.key}`, one]));
}

/** True where a document says something of a member of an object. */
export function isStated(right: DocumentObject | undefined, member: string): boolean {
  if (!right || right.leftOut?.includes(member)) return false;
  return getMember(right, member) !== undefined || (right.cleared?.includes(member) ?? false);
}

/** The value of a member of an object. */
export function getMember(written: DocumentObject | undefined, member: string): unknown {
  // A document has the members that the fields declare.
  return (written as Readonly<Record<string, unknown>> | undefined)?.[member];
}

/** The objects in a list of an object. */
export function getList(written: DocumentObject | undefined, member: string): readonly DocumentObject[] {
  return (getMember(written, member) ?? []) as readonly DocumentObject[];
}

type Entry = readonly [left: DocumentObject | undefined, right: DocumentObject | undefined];

/** The objects of a document in their order, each of the others behind the one that it stood behind. */
function mergeOrder(
  left: readonly DocumentObject[],
  right: readonly DocumentObject[],
  matched: ReadonlyMap<DocumentObject, DocumentObject>,
): readonly Entry[] {
  const followers = new Map<DocumentObject | undefined, DocumentObject[]>();
  let last: DocumentObject | undefined;
  for (const one of left) {
    const other = matched.get(one);
    if (other) last = other;
    else followers.set(last, [...(followers.get(last) ?? []), one]);
  }
  const alone = (behind: DocumentObject | undefined): readonly Entry[] =>
    (followers.get(behind) ?? []).map((one) => [one, undefined]);
  const lefts = new Map([...matched].map(([one, other]) => [other, one]));
  return [
    ...alone(undefined),
    ...right.flatMap((other): readonly Entry[] => [[lefts.get(other), other], ...alone(other)]),
  ];
}
