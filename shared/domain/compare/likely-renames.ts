import type { AttributeDocument, EntityDocument, ModelDocument } from "../document/document.ts";
import { LIMITS } from "../limits.ts";
import { isSameValue } from "../text/json-values.ts";
import { findLogicalType } from "../types/find-logical-type.ts";
import type { DocumentObject } from "./document-members.ts";
import { type DocumentMatch, matchDocuments } from "./match-documents.ts";

/** Deleted and added object that look like one renamed object. */
export interface LikelyRename {
  readonly objectType: "entity" | "attribute";
  /** Old path: the key of the owner (for an attribute), and the key of the object. */
  readonly from: readonly string[];
  readonly to: string;
  /** From `LEAST_CONFIDENCE` to 1. */
  readonly confidence: number;
  readonly reason: string;
  /** Member that declares a rename. */
  readonly declaredBy: "renamedFrom";
}

/** Weights of what two objects can have in common. Those of each type are 1 together. */
const WEIGHTS = {
  entity: { attributes: 0.55, name: 0.2, "primary key": 0.15, relationships: 0.1 },
  attribute: { name: 0.35, type: 0.25, position: 0.15, neighbours: 0.15, "part in keys": 0.1 },
} as const;

/** Lowest reported confidence, and its least distance from the confidence of other pairs of the same objects. */
const [LEAST_CONFIDENCE, MARGIN] = [0.55, 0.1];
/** Share of a likeness from which the reason names it. */
const NAMED = 0.5;

/** Likeness from 0 to 1 by what it is of. */
type Likenesses<T extends keyof typeof WEIGHTS> = Readonly<Record<keyof (typeof WEIGHTS)[T], number>>;

/** One model, with what the likeness of its objects depends on. */
interface Side {
  readonly model: ModelDocument;
  /** Refs of the entities that each entity has relationships with, by its ref. */
  readonly related: ReadonlyMap<string, ReadonlySet<string>>;
  readonly describeKeyParts: (owner: Owner, attribute: AttributeDocument) => string;
}

/** An entity, or a relationship with attributes, which has no primary key. */
type Owner = Pick<EntityDocument, "key" | "attributes"> & Partial<Pick<EntityDocument, "primaryKey">>;

/** Returns unmatched objects of two models that look alike. None of them is ever taken for renamed without being declared so. */
export function findLikelyRenames(
  left: ModelDocument,
  right: ModelDocument,
  match: DocumentMatch = matchDocuments(left, right),
): readonly LikelyRename[] {
  const sides = [readSide(left), readSide(right)] as const;
  const names = new Map(
    left.entities.map((entity) => [`key:${entity.key}`, `key:${match.findRight(entity)?.key ?? entity.key}`]),
  );
  let pairs: number = LIMITS.likelyRenamePairs;
  return match.lists.flatMap(({ member, holders, onlyLeft, onlyRight }): readonly LikelyRename[] => {
    pairs -= onlyLeft.length * onlyRight.length;
    if (pairs < 0 || onlyLeft.length * onlyRight.length === 0) return [];
    // The lists of these members have documents of these kinds.
    const lists: unknown = [onlyLeft, onlyRight];
    if (member === "entities") {
      const compare = (one: EntityDocument, other: EntityDocument) => compareEntities(one, other, sides, names);
      return pairAlike("entity", [], lists as Lists<EntityDocument>, compare);
    }
    if (member !== "attributes") return [];
    const compare = createAttributeComparison(holders, sides, match);
    return pairAlike("attribute", [holders[0].key], lists as Lists<AttributeDocument>, compare);
  });
}

type Lists<O> = readonly [before: readonly O[], after: readonly O[]];

function readSide(model: ModelDocument): Side {
  const related = new Map<string, Set<string>>();
  for (const { roles } of model.relationships) {
    for (const { entity } of roles) {
      const others = related.get(entity) ?? new Set();
      for (const other of roles) if (other.entity !== entity) others.add(other.entity);
      related.set(entity, others);
    }
  }
  return { model, related, describeKeyParts: readKeyParts(model) };
}

function pairAlike<T extends keyof typeof WEIGHTS, O extends DocumentObject>(
  objectType: T,
  path: readonly string[],
  [before, after]: Lists<O>,
  compare: (one: O, other: O) => Likenesses<T> | undefined,
): readonly LikelyRename[] {
  const scores = before.map((one) => after.map((other) => weigh(objectType, compare(one, other))));
  const isBest = (i: number, j: number, score: number) =>
    scores[i]?.every((other, at) => at === j || other.score <= score - MARGIN) &&
    scores.every((row, at) => at === i || (row[j]?.score ?? 0) <= score - MARGIN);
  return before.flatMap((one, i) =>
    after.flatMap((other, j): readonly LikelyRename[] => {
      const { score, reason } = scores[i]?.[j] ?? { score: 0, reason: "" };
      if (score < LEAST_CONFIDENCE || !isBest(i, j, score)) return [];
      const confidence = Math.round(score * 100) / 100;
      return [{ objectType, from: [...path, one.key], to: other.key, confidence, reason, declaredBy: "renamedFrom" }];
    }),
  );
}

function weigh<T extends keyof typeof WEIGHTS>(
  objectType: T,
  likenesses: Likenesses<T> | undefined,
): { readonly score: number; readonly reason: string } {
  if (!likenesses) return { score: 0, reason: "" };
  const weights: Readonly<Record<string, number>> = WEIGHTS[objectType];
  const parts = Object.entries<number>(likenesses);
  const score = parts.reduce((sum, [name, share]) => sum + share * (weights[name] ?? 0), 0);
  const named = parts
    .filter(([, share]) => share >= NAMED)
    .map(([name, share]) => (share < 1 ? `similar ${name}` : `the same ${name}`));
  return { score, reason: `both have ${named.join(", ")}` };
}

/** Compares two entities. `names` has the refs on the right of the entities on the left. */
function compareEntities(
  one: EntityDocument,
  other: EntityDocument,
  [left, right]: readonly [Side, Side],
  names: ReadonlyMap<string, string>,
): Likenesses<"entity"> | undefined {
  if (one.attributes.length === 0 || other.attributes.length === 0) return undefined;
  const keys = new Set(one.attributes.map(({ key }) => key));
  const common = other.attributes.filter(({ key }) => keys.has(key)).length;
  const related = new Set([...(left.related.get(`key:${one.key}`) ?? [])].map((ref) => names.get(ref) ?? ref));
  const otherRelated = right.related.get(`key:${other.key}`) ?? new Set();
  return {
    attributes: (2 * common) / (one.attributes.length + other.attributes.length),
    name: measureLikeness(one.key, other.key),
    "primary key": isSameValue(one.primaryKey, other.primaryKey) ? 1 : 0,
    relationships: related.symmetricDifference(otherRelated).size === 0 ? 1 : 0,
  };
}

function createAttributeComparison(
  owners: readonly [DocumentObject, DocumentObject],
  [left, right]: readonly [Side, Side],
  match: DocumentMatch,
): (one: AttributeDocument, other: AttributeDocument) => Likenesses<"attribute"> {
  // The holder of a list of attributes has this list.
  const [holder, otherHolder] = owners as unknown as readonly [Owner, Owner];
  const positions = new Map([holder, otherHolder].flatMap(({ attributes }) => attributes.map((one, i) => [one, i])));
  return (one, other) => {
    const [i, j] = [positions.get(one) ?? -1, positions.get(other) ?? -1];
    const isNeighbour = (step: -1 | 1) => {
      const [before, after] = [holder.attributes[i + step], otherHolder.attributes[j + step]];
      return before && after ? match.findRight(before) === after : before === after;
    };
    const [type, otherType] = [findLogicalType(one, left.model), findLogicalType(other, right.model)];
    const isSameType = type && otherType ? isSameValue(type, otherType) : one.type === other.type;
    const isSameKind = type !== undefined && type.type === otherType?.type;
    const hasSameParts = left.describeKeyParts(holder, one) === right.describeKeyParts(otherHolder, other);
    return {
      name: measureLikeness(one.key, other.key),
      type: isSameType ? 1 : isSameKind ? NAMED : 0,
      position: i === j ? 1 : 0,
      neighbours: (Number(isNeighbour(-1)) + Number(isNeighbour(1))) / 2,
      "part in keys": hasSameParts ? 1 : 0,
    };
  };
}

/** Returns a function that describes the keys and references that an attribute is part of. */
function readKeyParts({ businessKeys = [], relationships = [] }: Partial<ModelDocument>): Side["describeKeyParts"] {
  const unique = new Set(
    businessKeys.flatMap(({ entity, participants }) => participants.map((one) => `${entity} ${one}`)),
  );
  const joined = new Set(
    relationships.flatMap(({ roles, keyPairs = [] }) =>
      keyPairs.flatMap((pair) => pair.map((one, side) => `${roles[side]?.entity} ${one}`)),
    ),
  );
  return (owner, { key }) => {
    const name = `key:${owner.key} key:${key}`;
    return [owner.primaryKey?.includes(`key:${key}`) ?? false, unique.has(name), joined.has(name)].join();
  };
}

/** Measures the likeness of two names from 0 to 1: the words or the pairs of letters that they have in common. */
export function measureLikeness(one: string, other: string): number {
  return Math.max(...[listWords, listLetterPairs].map((list) => measureOverlap(list(one), list(other))));
}

function measureOverlap(one: readonly string[], other: readonly string[]) {
  const left = [...other];
  const common = one.filter((part) => {
    const at = left.indexOf(part);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return one.length + other.length === 0 ? 0 : (2 * common.length) / (one.length + other.length);
}

function listWords(name: string) {
  const words = name.split(/[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u);
  return words.filter((word) => word !== "").map((word) => word.toLowerCase());
}

function listLetterPairs(name: string) {
  const letters = [...name.toLowerCase()].filter((letter) => /[\p{L}\p{N}]/u.test(letter));
  return letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
}
