import type { AttributeDocument, EntityDocument, ModelDocument } from "../document/document.ts";
import type { Fields } from "../fields/field.ts";
import { modelFields } from "../fields/model-fields.ts";
import { type DocumentObject, getList, listPartLists } from "./document-members.ts";

/** Matched objects of two documents. */
export interface DocumentMatch {
  readonly findRight: (left: DocumentObject) => DocumentObject | undefined;
  readonly findLeft: (right: DocumentObject) => DocumentObject | undefined;
  readonly getMatchedBy: (right: DocumentObject) => MatchedBy | undefined;
  readonly lists: readonly MatchedList[];
}

interface MatchedList extends ListMatch<DocumentObject> {
  readonly member: string;
  /** Matched objects that contain the lists. */
  readonly holders: readonly [left: DocumentObject, right: DocumentObject];
}

/** Matches the objects of two documents, list by list. Unless `single` is false, a single entity matches another. */
export function matchDocuments(
  left: ModelDocument,
  right: ModelDocument,
  { single: mayBeSingle = true }: { readonly single?: boolean } = {},
): DocumentMatch {
  const toRight = new Map<DocumentObject, DocumentObject>([[left, right]]);
  const toLeft = new Map<DocumentObject, DocumentObject>([[right, left]]);
  const matchedBy = new Map<DocumentObject, MatchedBy>();
  const lists: MatchedList[] = [];
  const match = (one: DocumentObject, other: DocumentObject, fields: Fields) => {
    for (const { member, fields: inner } of listPartLists(fields)) {
      const single = mayBeSingle && member === "entities";
      const result = matchLists(getList(one, member), getList(other, member), { single });
      lists.push({ ...result, member, holders: [one, other] });
      for (const { left: before, right: after, by } of result.matches) {
        toRight.set(before, after);
        toLeft.set(after, before);
        matchedBy.set(after, by);
        match(before, after, inner);
      }
    }
  };
  match(left, right, modelFields);
  return {
    findRight: (object) => toRight.get(object),
    findLeft: (object) => toLeft.get(object),
    getMatchedBy: (object) => matchedBy.get(object),
    lists,
  };
}

type MatchedBy = "id" | "origin" | "renamedFrom" | "key" | "single";

interface Match<O> {
  readonly left: O;
  readonly right: O;
  readonly by: MatchedBy;
}

interface ListMatch<O> {
  readonly matches: readonly Match<O>[];
  readonly onlyLeft: readonly O[];
  readonly onlyRight: readonly O[];
}

/** Matches two lists by id, origin, `renamedFrom` and key, if unambiguous; with `single`, also two only objects. */
export function matchLists<O extends DocumentObject>(
  left: readonly O[],
  right: readonly O[],
  { single = false }: { readonly single?: boolean } = {},
): ListMatch<O> {
  const matches: Match<O>[] = [];
  const free = { left: new Set(left), right: new Set(right) };
  const take = (one: O, other: O, by: MatchedBy) => {
    free.left.delete(one);
    free.right.delete(other);
    matches.push({ left: one, right: other, by });
  };
  const takeEqual = (by: MatchedBy, getValue: (object: O) => string | undefined) => {
    for (const [one, other] of pairByValue(free.left, free.right, getValue)) take(one, other, by);
  };
  takeEqual("id", ({ id }) => id);
  takeEqual("origin", ({ origin }) => origin);
  while (matchRenamed(free.left, free.right, take));
  takeEqual("key", ({ key }) => key);
  const [one, other] = [[...free.left], [...free.right]];
  const isSingle = single && left.length === 1 && right.length === 1;
  // An object that the document only refers to has a key that is meant.
  if (isSingle && one[0] && other[0] && other[0].expectedBy === undefined) take(one[0], other[0], "single");
  return { matches, onlyLeft: [...free.left], onlyRight: [...free.right] };
}

function pairByValue<O>(
  left: ReadonlySet<O>,
  right: ReadonlySet<O>,
  getValue: (object: O) => string | undefined,
): readonly (readonly [O, O])[] {
  const [before, after] = [indexUnique(left, getValue), indexUnique(right, getValue)];
  return [...before].flatMap(([value, one]) => {
    const other = after.get(value);
    return one !== undefined && other !== undefined ? [[one, other] as const] : [];
  });
}

/** Indexes objects by a value; undefined if several have it. */
function indexUnique<O>(
  objects: ReadonlySet<O>,
  getValue: (object: O) => string | undefined,
): ReadonlyMap<string, O | undefined> {
  const index = new Map<string, O | undefined>();
  for (const object of objects) {
    const value = getValue(object);
    if (value !== undefined) index.set(value, index.has(value) ? undefined : object);
  }
  return index;
}

/** Matches by `renamedFrom`. Returns true if any matched: one rename can free a key for the next, so call again. */
function matchRenamed<O extends DocumentObject>(
  left: ReadonlySet<O>,
  right: ReadonlySet<O>,
  take: (one: O, other: O, by: MatchedBy) => void,
) {
  const before = indexUnique(left, ({ key }) => key);
  const renames = indexUnique(right, ({ key, renamedFrom }) => (before.has(key) ? undefined : renamedFrom));
  let hasMatch = false;
  for (const [key, other] of renames) {
    const one = before.get(key);
    if (!one || !other) continue;
    take(one, other, "renamedFrom");
    hasMatch = true;
  }
  return hasMatch;
}

/** Deleted and added object that look like one renamed object. */
export interface LikelyRename {
  readonly objectType: "entity" | "attribute";
  /** Old path: the key of the owner (for an attribute), and the key of the object. */
  readonly from: readonly string[];
  readonly to: string;
  readonly reason: string;
}

interface Likeness {
  readonly text: string;
  readonly reason: string;
}

/** Returns unmatched objects that look alike. */
export function findLikelyRenames({ lists }: Pick<DocumentMatch, "lists">): readonly LikelyRename[] {
  return lists.flatMap((list): readonly LikelyRename[] => {
    if (list.member === "entities")
      return pairAlike(list, "entity", [], (one) => describeEntity(one as EntityDocument));
    if (list.member !== "attributes") return [];
    return pairAlike(list, "attribute", [list.holders[0].key], (one, side) =>
      describeAttribute(one as AttributeDocument, list, side),
    );
  });
}

function pairAlike(
  { onlyLeft, onlyRight }: MatchedList,
  objectType: LikelyRename["objectType"],
  path: readonly string[],
  likenessOf: (object: unknown, side: 0 | 1) => Likeness | undefined,
): readonly LikelyRename[] {
  const compareTexts = (objects: MatchedList["onlyLeft"], side: 0 | 1) =>
    Map.groupBy(objects, (one) => likenessOf(one, side)?.text);
  const [before, after] = [compareTexts(onlyLeft, 0), compareTexts(onlyRight, 1)];
  return [...before].flatMap(([text, [one, second]]): readonly LikelyRename[] => {
    const [other, rival] = after.get(text) ?? [];
    const likeness = one && likenessOf(one, 0);
    if (!one || second || !other || rival || !likeness) return [];
    return [{ objectType, from: [...path, one.key], to: other.key, reason: likeness.reason }];
  });
}

function describeEntity({ attributes }: EntityDocument): Likeness | undefined {
  if (attributes.length === 0) return undefined;
  const keys = attributes.map(({ key }) => key).sort();
  return { text: JSON.stringify(keys), reason: `both have exactly the attributes ${keys.join(", ")}` };
}

function describeAttribute(attribute: AttributeDocument, { holders }: MatchedList, side: 0 | 1): Likeness | undefined {
  const type = attribute.type.replace(/^key:/, "");
  // The holder of a list of attributes has this list.
  const list = (holders[side] as EntityDocument).attributes;
  const position = list.indexOf(attribute) + 1;
  return { text: JSON.stringify([type, position]), reason: `both have the type ${type} at position ${position}` };
}
