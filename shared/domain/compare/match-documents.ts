import type { ModelDocument } from "../document/document.ts";
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
