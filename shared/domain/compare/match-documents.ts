import type { AttributeDocument, EntityDocument, ModelDocument } from "../document/document.ts";
import type { Fields } from "../fields/field.ts";
import { modelFields } from "../fields/model-fields.ts";

/** The objects that two documents have in common. */
export interface DocumentMatch {
  /** The object on the right that an object of the left document is; undefined where there is none. */
  readonly findRight: (left: Matchable) => Matchable | undefined;
  /** The object on the left that an object of the right document is; undefined where there is none. */
  readonly findLeft: (right: Matchable) => Matchable | undefined;
  /** How the object on the left was recognised that an object of the right document is. */
  readonly getMatchedBy: (right: Matchable) => MatchedBy | undefined;
  /** The lists in which objects are on one side alone, with the two objects that have the lists. */
  readonly lists: readonly MatchedList[];
}

/** Two lists of one scope, matched. */
export interface MatchedList extends ListMatch<Matchable> {
  /** The member of the two holders that has the lists. */
  readonly member: string;
  /** The objects that have the lists; undefined where the other side lacks the object. */
  readonly holders: readonly [left: Matchable | undefined, right: Matchable | undefined];
}

/**
 * Matches all objects of two documents, list by list: those of the models, then attributes and roles of what was matched.
 * The two models are one; tag groups are no objects of a model. Unless `single` is false, a single entity is at last matched
 * with a single entity.
 */
export function matchDocuments(
  left: ModelDocument,
  right: ModelDocument,
  { single: mayBeSingle = true }: { readonly single?: boolean } = {},
): DocumentMatch {
  const toRight = new Map<Matchable, Matchable>([[left, right]]);
  const toLeft = new Map<Matchable, Matchable>([[right, left]]);
  const ways = new Map<Matchable, MatchedBy>();
  const lists: MatchedList[] = [];
  const match = (one: Matchable | undefined, other: Matchable | undefined, fields: Fields): void => {
    for (const [member, field] of Object.entries(fields)) {
      if ((field.is !== "nested" && field.is !== "children") || !field.compared) continue;
      const single = mayBeSingle && member === "entities";
      const matched = matchLists(getList(one, member), getList(other, member), { single });
      lists.push({ ...matched, member, holders: [one, other] });
      for (const { left: before, right: after, by } of matched.matches) {
        toRight.set(before, after);
        toLeft.set(after, before);
        ways.set(after, by);
        match(before, after, field.fields);
      }
      for (const before of matched.onlyLeft) match(before, undefined, field.fields);
      for (const after of matched.onlyRight) match(undefined, after, field.fields);
    }
  };
  match(left, right, modelFields);
  return {
    findRight: (object) => toRight.get(object),
    findLeft: (object) => toLeft.get(object),
    getMatchedBy: (object) => ways.get(object),
    lists,
  };
}

function getList(holder: Matchable | undefined, member: string): readonly Matchable[] {
  // A document has the lists that the fields declare.
  return ((holder as Readonly<Record<string, unknown>> | undefined)?.[member] ?? []) as readonly Matchable[];
}

/** An object of a document, as far as it tells which object on the other side it is. */
export interface Matchable {
  readonly id?: string;
  readonly key: string;
  readonly origin?: string;
  /** Of an object on the right: the key that it had on the left. */
  readonly renamedFrom?: string;
}

/** The way in which two objects were recognised as one. */
type MatchedBy = "id" | "origin" | "renamedFrom" | "key" | "single";

/** One object on both sides. */
interface Match<O> {
  readonly left: O;
  readonly right: O;
  readonly by: MatchedBy;
}

/** The objects of two lists: those that both have, and those that one has alone, each in the order of their list. */
interface ListMatch<O> {
  readonly matches: readonly Match<O>[];
  readonly onlyLeft: readonly O[];
  readonly onlyRight: readonly O[];
}

/**
 * Matches the objects of two lists of one scope: by id, then by origin, by the key that the right one says it had, and by
 * key. Where several objects would do, none is matched. With `single`, the only object of the one list is at last
 * matched with the only object of the other.
 */
export function matchLists<O extends Matchable>(
  left: readonly O[],
  right: readonly O[],
  { single = false }: { readonly single?: boolean } = {},
): ListMatch<O> {
  const matches: Match<O>[] = [];
  const free = { left: new Set(left), right: new Set(right) };
  const take = (one: O, other: O, by: MatchedBy): void => {
    free.left.delete(one);
    free.right.delete(other);
    matches.push({ left: one, right: other, by });
  };
  const takeEqual = (by: MatchedBy, of: (object: O) => string | undefined): void => {
    for (const [one, other] of pairByValue(free.left, free.right, of)) take(one, other, by);
  };
  takeEqual("id", ({ id }) => id);
  takeEqual("origin", ({ origin }) => origin);
  while (matchRenamed(free.left, free.right, take));
  takeEqual("key", ({ key }) => key);
  const [one, other] = [[...free.left], [...free.right]];
  const isSingle = single && left.length === 1 && right.length === 1;
  if (isSingle && one[0] && other[0]) take(one[0], other[0], "single");
  return { matches, onlyLeft: [...free.left], onlyRight: [...free.right] };
}

/** The pairs of objects that have a value in common which no other object of either side has. */
function pairByValue<O>(
  left: ReadonlySet<O>,
  right: ReadonlySet<O>,
  of: (object: O) => string | undefined,
): readonly (readonly [O, O])[] {
  const [before, after] = [indexUnique(left, of), indexUnique(right, of)];
  return [...before].flatMap(([value, one]) => {
    const other = after.get(value);
    return one !== undefined && other !== undefined ? [[one, other] as const] : [];
  });
}

/** The objects by a value of theirs; undefined where several have it. */
function indexUnique<O>(
  objects: ReadonlySet<O>,
  of: (object: O) => string | undefined,
): ReadonlyMap<string, O | undefined> {
  const found = new Map<string, O | undefined>();
  for (const object of objects) {
    const value = of(object);
    if (value !== undefined) found.set(value, found.has(value) ? undefined : object);
  }
  return found;
}

/**
 * Matches the objects that say what key they had, where no free object has the key they have now: once a rename is done,
 * what it says is no news. False where there was none, as one rename may make way for another.
 */
function matchRenamed<O extends Matchable>(
  left: ReadonlySet<O>,
  right: ReadonlySet<O>,
  take: (one: O, other: O, by: MatchedBy) => void,
): boolean {
  const before = indexUnique(left, ({ key }) => key);
  const renamed = indexUnique(right, ({ key, renamedFrom }) => (before.has(key) ? undefined : renamedFrom));
  let found = false;
  for (const [key, other] of renamed) {
    const one = before.get(key);
    if (!one || !other) continue;
    take(one, other, "renamedFrom");
    found = true;
  }
  return found;
}

/** An object that is gone and one that is new, which look like one object under another key. */
export interface LikelyRename {
  readonly objectType: "entity" | "attribute";
  /** The keys of the owner, of an attribute, and of the object, as they are. */
  readonly from: readonly string[];
  /** The key that the other object has. */
  readonly to: string;
  readonly reason: string;
}

/** The way in which two objects are alike: equal texts for two that are, with the reason to take them for one. */
interface Likeness {
  readonly text: string;
  readonly reason: string;
}

/**
 * The objects of two documents that were matched with nothing and are alike: entities with the same attributes, attributes of one
 * type at one place. They are told and never taken for one; where several are alike, none is told.
 */
export function findLikelyRenames({ lists }: Pick<DocumentMatch, "lists">): readonly LikelyRename[] {
  return lists.flatMap((list): readonly LikelyRename[] => {
    const [left, right] = list.holders;
    if (!left || !right) return [];
    if (list.member === "entities")
      return pairAlike(list, "entity", [], (one) => describeEntity(one as EntityDocument));
    if (list.member !== "attributes") return [];
    return pairAlike(list, "attribute", [left.key], (one, side) =>
      describeAttribute(one as AttributeDocument, list, side),
    );
  });
}

function pairAlike(
  { onlyLeft, onlyRight }: MatchedList,
  objectType: LikelyRename["objectType"],
  above: readonly string[],
  likenessOf: (object: unknown, side: 0 | 1) => Likeness | undefined,
): readonly LikelyRename[] {
  const byText = (objects: MatchedList["onlyLeft"], side: 0 | 1) =>
    Map.groupBy(objects, (one) => likenessOf(one, side)?.text);
  const [before, after] = [byText(onlyLeft, 0), byText(onlyRight, 1)];
  return [...before].flatMap(([text, [one, another]]): readonly LikelyRename[] => {
    const [other, rival] = after.get(text) ?? [];
    const likeness = one && likenessOf(one, 0);
    if (!one || another || !other || rival || !likeness) return [];
    return [{ objectType, from: [...above, one.key], to: other.key, reason: likeness.reason }];
  });
}

function describeEntity({ attributes }: EntityDocument): Likeness | undefined {
  if (attributes.length === 0) return undefined;
  const keys = attributes.map(({ key }) => key).sort();
  return { text: JSON.stringify(keys), reason: `both have the attributes ${keys.join(", ")} and no others` };
}

function describeAttribute(attribute: AttributeDocument, { holders }: MatchedList, side: 0 | 1): Likeness | undefined {
  const type = attribute.type.replace(/^key:/, "");
  // The holder of a list of attributes has such a list.
  const list = (holders[side] as EntityDocument | undefined)?.attributes ?? [];
  const place = list.indexOf(attribute) + 1;
  return { text: JSON.stringify([type, place]), reason: `both are of the type ${type} and come as number ${place}` };
}
