import {
  type DocumentObject,
  getEntityRef,
  getList,
  indexByRef,
  isStated,
  listPartLists,
} from "../compare/document-members.ts";
import { matchDocuments } from "../compare/match-documents.ts";
import type { ModelDocument } from "../document/document.ts";
import type { Field, Fields } from "../fields/field.ts";
import { modelFields } from "../fields/model-fields.ts";
import { LIMITS } from "../limits.ts";
import { Problem } from "../problems.ts";

/** Object of the target model, with its versions in model and document. */
export interface Part {
  readonly left: DocumentObject | undefined;
  readonly right: DocumentObject | undefined;
  readonly fields: Fields;
  readonly above: Part | undefined;
  readonly id: string;
  readonly key: string;
  readonly lists: Map<string, readonly Part[]>;
}

export interface MatchedParts {
  readonly model: Part;
  readonly findPart: (object: DocumentObject) => Part | undefined;
}

export interface PartOptions {
  readonly prune: boolean;
  readonly nextId: () => string;
}

/** Matches the objects of a model with those of a document. */
export function matchParts(
  current: ModelDocument,
  target: ModelDocument,
  { prune, nextId }: PartOptions,
): MatchedParts {
  const { findRight: rightOf } = matchDocuments(current, target);
  const parts = new Map<object, Part>();
  const missing: Missing[] = [];
  const entities = {
    left: indexByRef(current.entities, (one) => one),
    right: indexByRef(target.entities, (one) => one),
  };

  const createPart = (
    left: DocumentObject | undefined,
    right: DocumentObject | undefined,
    fields: Fields,
    parent?: Part,
  ): Part => {
    const id = left?.id ?? nextId();
    // The caller chose the model, so it keeps its key.
    const key = (parent ? (right ?? left) : left)?.key ?? "";
    if (right?.expectedBy !== undefined && !left) missing.push({ key, pointer: right.expectedBy });
    const part: Part = { left, right, fields, above: parent, id, key, lists: new Map() };
    for (const object of [left, right]) if (object) parts.set(object, part);
    for (const { member, fields: inner } of listPartLists(fields)) {
      const list = matchList(part, member).map(([one, other]) => createPart(one, other, inner, part));
      part.lists.set(member, list);
    }
    return part;
  };

  const matchList = (holder: Part, member: string): readonly Entry[] => {
    const [before, after] = [getList(holder.left, member), getList(holder.right, member)];
    const isKey = member === "businessKeys";
    const keys = new Set(after.map(({ key }) => key));
    const matches = new Map<DocumentObject, DocumentObject>();
    for (const one of before) {
      const other = rightOf(one);
      if (other && !(isKey && findOwner(one, "left") !== findOwner(other, "right"))) matches.set(one, other);
    }
    const isPruned = prune && isStated(holder.right, member);
    // A business key is deleted with its entity, and another one may take its key.
    const isDeleted = (one: DocumentObject) => isPruned || (isKey && (keys.has(one.key) || !findOwner(one, "left")));
    const stay = before.filter((one) => matches.has(one) || !isDeleted(one));
    return mergeOrder(stay, after, matches);
  };

  const findOwner = (key: DocumentObject, side: "left" | "right") => {
    const entity = entities[side].get(getEntityRef(key, "entity"));
    return entity && parts.get(entity);
  };

  const model = createPart(current, target, modelFields);
  if (missing.length > 0) throw createMissingProblem(missing, "the model");
  return { model, findPart: (object) => parts.get(object) };
}

/** Object that a document refers to, and that exists nowhere. */
interface Missing {
  readonly key: string;
  readonly pointer: string;
}

/** Creates the problem for objects that are neither in the document nor in `place`. */
export function createMissingProblem(missing: readonly Missing[], place: string): Problem {
  const errors = missing.map(({ key, pointer }) => ({
    pointer,
    detail: `key:${key} is neither in the document nor in ${place}`,
  }));
  const rows = errors.slice(0, LIMITS.importProblems);
  return new Problem("invalid_content", "The document refers to objects that do not exist", { errors: rows });
}

type Entry = readonly [left: DocumentObject | undefined, right: DocumentObject | undefined];

/** Merges two lists in the order of the document; unmatched objects follow their predecessor. */
function mergeOrder(
  left: readonly DocumentObject[],
  right: readonly DocumentObject[],
  matches: ReadonlyMap<DocumentObject, DocumentObject>,
): readonly Entry[] {
  const followers = new Map<DocumentObject | undefined, DocumentObject[]>();
  let last: DocumentObject | undefined;
  for (const one of left) {
    const other = matches.get(one);
    // An object that the document only refers to has no position there.
    if (other && other.expectedBy === undefined) last = other;
    else followers.set(last, [...(followers.get(last) ?? []), one]);
  }
  const toUnmatched = (predecessor: DocumentObject | undefined): readonly Entry[] =>
    (followers.get(predecessor) ?? []).map((one) => [one, matches.get(one)]);
  const lefts = new Map([...matches].map(([one, other]) => [other, one]));
  return [
    ...toUnmatched(undefined),
    ...right.flatMap((other): readonly Entry[] =>
      other.expectedBy !== undefined && lefts.has(other) ? [] : [[lefts.get(other), other], ...toUnmatched(other)],
    ),
  ];
}

/** Throws `too_large` for more nested objects than a field allows. */
export function checkCount(key: string, length: number, field: Field): void {
  if (field.is !== "nested" || length <= field.count.most) return;
  const { noun, most, nouns } = field.count;
  throw new Problem("too_large", `${key} would have ${length} ${nouns}; ${noun} may have at most ${most}`);
}
