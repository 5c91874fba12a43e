import type { AttributeDocument, EntityDocument } from "../document.ts";
import type { DocumentMatch, MatchedList } from "./match-documents.ts";

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
export function likelyRenames({ lists }: Pick<DocumentMatch, "lists">): readonly LikelyRename[] {
  return lists.flatMap((list): readonly LikelyRename[] => {
    const [left, right] = list.holders;
    if (!left || !right) return [];
    if (list.member === "entities") return alike(list, "entity", [], (one) => ofEntity(one as EntityDocument));
    if (list.member !== "attributes") return [];
    return alike(list, "attribute", [left.key], (one, side) => ofAttribute(one as AttributeDocument, list, side));
  });
}

function alike(
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

function ofEntity({ attributes }: EntityDocument): Likeness | undefined {
  if (attributes.length === 0) return undefined;
  const keys = attributes.map(({ key }) => key).sort();
  return { text: JSON.stringify(keys), reason: `both have the attributes ${keys.join(", ")} and no others` };
}

function ofAttribute(attribute: AttributeDocument, { holders }: MatchedList, side: 0 | 1): Likeness | undefined {
  const type = attribute.type.replace(/^key:/, "");
  // The holder of a list of attributes has such a list.
  const list = (holders[side] as EntityDocument | undefined)?.attributes ?? [];
  const place = list.indexOf(attribute) + 1;
  return { text: JSON.stringify([type, place]), reason: `both are of the type ${type} and come as number ${place}` };
}
