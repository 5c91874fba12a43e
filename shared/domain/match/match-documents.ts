import type { ModelDocument } from "../document.ts";
import type { Fields } from "../fields/field.ts";
import { modelFields } from "../fields/model.ts";
import { type ListMatch, type Matchable, type MatchedBy, matchLists } from "./match-list.ts";

/** The objects that two documents have in common. */
export interface DocumentMatch {
  /** The object on the right that an object of the left document is; undefined where there is none. */
  readonly rightOf: (left: Matchable) => Matchable | undefined;
  /** The object on the left that an object of the right document is; undefined where there is none. */
  readonly leftOf: (right: Matchable) => Matchable | undefined;
  /** How the object on the left was recognised that an object of the right document is. */
  readonly matchedBy: (right: Matchable) => MatchedBy | undefined;
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
      const matched = matchLists(listIn(one, member), listIn(other, member), { single });
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
    rightOf: (object) => toRight.get(object),
    leftOf: (object) => toLeft.get(object),
    matchedBy: (object) => ways.get(object),
    lists,
  };
}

function listIn(holder: Matchable | undefined, member: string): readonly Matchable[] {
  // A document has the lists that the fields declare.
  return ((holder as Readonly<Record<string, unknown>> | undefined)?.[member] ?? []) as readonly Matchable[];
}
