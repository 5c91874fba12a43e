import { matchDocuments } from "../compare/match-documents.ts";
import type { ModelDocument } from "../document/document.ts";
import type { Fields, Identifying, ReaderNotes } from "../fields/field.ts";
import { modelFields } from "../fields/model-fields.ts";

/** An object of a document as a loop over its fields sees it. */
export interface Written extends Identifying, ReaderNotes {
  readonly key: string;
}

/** An object of the model to be: as the model has it, as the document says it, or both. */
export interface Part {
  readonly left: Written | undefined;
  readonly right: Written | undefined;
  readonly fields: Fields;
  readonly above: Part | undefined;
  readonly id: string;
  readonly key: string;
  /** The objects in its lists, by member. */
  readonly lists: Map<string, readonly Part[]>;
}

/** All objects of the model to be, and those of either document by what they become. */
export interface Parts {
  readonly model: Part;
  /** The part that an object of the model or of the document became; undefined for one that goes. */
  readonly of: (written: Written) => Part | undefined;
}

/** How the parts are found. */
export interface PartTerms {
  /** True where objects of the model go that the document lacks. */
  readonly prune: boolean;
  /** A new id for an object that the model does not have. */
  readonly nextId: () => string;
}

/** Joins a model with what a document says of it, object by object. */
export function partsOf(current: ModelDocument, wanted: ModelDocument, { prune, nextId }: PartTerms): Parts {
  const { rightOf } = matchDocuments(current, wanted);
  const parts = new Map<object, Part>();
  const entities = { left: byRef(current.entities), right: byRef(wanted.entities) };

  const partOf = (left: Written | undefined, right: Written | undefined, fields: Fields, above?: Part): Part => {
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
    const [before, after] = [listIn(holder.left, member), listIn(holder.right, member)];
    const isKey = member === "businessKeys";
    const keys = new Set(after.map(({ key }) => key));
    const matched = new Map<Written, Written>();
    for (const one of before) {
      const other = rightOf(one);
      if (other && !(isKey && ownerOf(one, "left") !== ownerOf(other, "right"))) matched.set(one, other as Written);
    }
    const isPruned = prune && says(holder.right, member);
    // A business key identifies one entity: it goes with that, and another one may take its key.
    const goes = (one: Written): boolean => isPruned || (isKey && (keys.has(one.key) || !ownerOf(one, "left")));
    const stay = before.filter((one) => matched.has(one) || !goes(one));
    return inOrder(stay, after, matched);
  };

  const ownerOf = (key: Written, side: "left" | "right"): Part | undefined => {
    const entity = entities[side].get(String(valueIn(key, "entity")));
    return entity && parts.get(entity);
  };

  const model = partOf(current, wanted, modelFields);
  return { model, of: (written) => parts.get(written) };
}

/** Objects by the refs that documents name them with. */
export function byRef<O extends { readonly key: string }>(objects: readonly O[]): ReadonlyMap<string, O> {
  return new Map(objects.map((one) => [`key:${one.key}`, one]));
}

/** True where a document says something of a member of an object. */
export function says(right: Written | undefined, member: string): boolean {
  if (!right || right.leftOut?.includes(member)) return false;
  return valueIn(right, member) !== undefined || (right.cleared?.includes(member) ?? false);
}

/** The value of a member of an object. */
export function valueIn(written: Written | undefined, member: string): unknown {
  // A document has the members that the fields declare.
  return (written as Readonly<Record<string, unknown>> | undefined)?.[member];
}

/** The objects in a list of an object. */
export function listIn(written: Written | undefined, member: string): readonly Written[] {
  return (valueIn(written, member) ?? []) as readonly Written[];
}

type Entry = readonly [left: Written | undefined, right: Written | undefined];

/** The objects of a document in their order, each of the others behind the one that it stood behind. */
function inOrder(
  left: readonly Written[],
  right: readonly Written[],
  matched: ReadonlyMap<Written, Written>,
): readonly Entry[] {
  const followers = new Map<Written | undefined, Written[]>();
  let last: Written | undefined;
  for (const one of left) {
    const other = matched.get(one);
    if (other) last = other;
    else followers.set(last, [...(followers.get(last) ?? []), one]);
  }
  const alone = (behind: Written | undefined): readonly Entry[] =>
    (followers.get(behind) ?? []).map((one) => [one, undefined]);
  const lefts = new Map([...matched].map(([one, other]) => [other, one]));
  return [
    ...alone(undefined),
    ...right.flatMap((other): readonly Entry[] => [[lefts.get(other), other], ...alone(other)]),
  ];
}
