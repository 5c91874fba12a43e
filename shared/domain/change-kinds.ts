import type { Effect, Impact, Verdict } from "./differences.ts";

type Row = readonly [impact: Impact, readers: Verdict, writers: Verdict, reason: string];

/**
 * Kinds of changes, each with its class, its verdicts for readers of the old definition and for writers by it, and the
 * reason. Changes of types are in `LACK_RULES`. What cannot be told breaks each side that the member can affect.
 */
export const CHANGES = {
  // Objects
  added: ["additive", "safe", "safe", "added; no consumer uses it yet"],
  addedWithOwner: ["additive", "safe", "safe", "added together with its owner"],
  addedTag: ["cosmetic", "safe", "safe", "added; documentation only"],
  addedRequired: ["breaking", "safe", "breaks", "added and required: writers that do not set it will fail"],
  addedWithValue: ["additive", "safe", "safe", "added and required, with a value for writers that do not set it"],
  addedRole: ["breaking", "breaks", "breaks", "instances of the relationship need an additional role"],
  addedReference: ["breaking", "safe", "breaks", "added: values that refer to nothing are refused"],
  addedUnique: ["breaking", "safe", "breaks", "added: duplicates are refused"],
  removed: ["breaking", "breaks", "breaks", "removed; consumers that use it will fail"],
  removedWithOwner: ["cosmetic", "safe", "safe", "removed together with its owner"],
  removedTag: ["cosmetic", "safe", "safe", "removed; documentation only"],
  removedType: ["cosmetic", "safe", "safe", "removed; changes of attributes that used it are listed separately"],
  removedReference: ["behavioural", "risk", "safe", "removed: values may refer to nothing"],
  removedUnique: ["behavioural", "risk", "safe", "removed: duplicates are possible"],
  renamed: ["breaking", "breaks", "breaks", "consumers that refer to the old key will fail"],
  temporaryKey: ["cosmetic", "safe", "safe", "temporary key, because another object takes the current one"],
  moved: ["cosmetic", "safe", "safe", "the order changed"],
  documented: ["cosmetic", "safe", "safe", "documentation only"],
  declared: ["breaking", "breaks", "breaks", "the definition of the property declares its changes as breaking"],
  // Presence and values
  becameOptional: ["breaking", "breaks", "safe", "readers may find records without it"],
  becameRequired: ["breaking", "safe", "breaks", "writers that omit it will fail"],
  typeUnclear: ["breaking", "breaks", "breaks", "the type of its values changed"],
  fewerValues: ["breaking", "safe", "breaks", "fewer values are allowed"],
  moreValues: ["additive", "risk", "safe", "more values are allowed"],
  otherValues: ["breaking", "breaks", "breaks", "it is unclear whether all former values are still allowed"],
  sameValues: ["cosmetic", "safe", "safe", "they have the same meaning"],
  newMeaning: ["additive", "safe", "safe", "it was not specified before"],
  otherMeaning: ["breaking", "breaks", "breaks", "it is unclear whether values still have the same meaning"],
  // Defaults and computed values
  defaultOfRequired: ["additive", "safe", "safe", "writers may leave it out now"],
  defaultChanged: ["behavioural", "risk", "risk", "records written without it get another value"],
  defaultNeeded: ["breaking", "safe", "breaks", "writers that leave it out will fail"],
  becameComputed: ["breaking", "risk", "breaks", "it is computed now: writers that set it will fail"],
  computedOtherwise: ["behavioural", "risk", "safe", "its values are computed in another way"],
  noLongerComputed: ["behavioural", "risk", "risk", "it is no longer computed: writers have to set it"],
  // Identity and references
  newIdentity: ["breaking", "safe", "breaks", "a primary key was added: duplicates are refused"],
  newIdentityWithAttribute: ["additive", "safe", "safe", "a primary key was added with a new attribute"],
  otherIdentity: ["breaking", "breaks", "breaks", "the primary key changed"],
  reorderedKey: ["operational", "safe", "safe", "only the order of its attributes changed"],
  smallerUnique: ["breaking", "safe", "breaks", "fewer attributes have to differ: more duplicates are refused"],
  largerUnique: ["behavioural", "risk", "safe", "more attributes may differ: former duplicates are possible"],
  otherUnique: ["breaking", "risk", "breaks", "the attributes of the business key changed"],
  otherEntity: ["breaking", "breaks", "breaks", "the entity changed"],
  newCardinality: ["additive", "safe", "safe", "the cardinality was unknown before"],
  otherCardinality: ["breaking", "breaks", "breaks", "the cardinality changed"],
  fewerRequired: ["breaking", "breaks", "safe", "readers may find none"],
  moreRequired: ["breaking", "safe", "breaks", "writers that omit it will fail"],
  severalPossible: ["behavioural", "risk", "safe", "readers may find several"],
  onePossible: ["breaking", "safe", "breaks", "writers that give several will fail"],
  newJoin: ["additive", "safe", "safe", "key pairs were added"],
  otherJoin: ["breaking", "breaks", "breaks", "the key pairs changed"],
  noJoin: ["breaking", "breaks", "breaks", "the key pairs were removed"],
  reorderedJoin: ["cosmetic", "safe", "safe", "only the order of the key pairs changed"],
  // Facts of a database
  newCheck: ["breaking", "safe", "breaks", "a new check refuses values"],
  noCheck: ["additive", "risk", "safe", "a check is gone: values that it refused are possible"],
  otherCheck: ["breaking", "risk", "breaks", "other values are refused"],
  otherEffect: ["behavioural", "risk", "risk", "changes of one record have other effects on others"],
  otherEquality: ["behavioural", "risk", "risk", "other values are equal, or sort in another order"],
  otherCharacters: ["behavioural", "risk", "risk", "other characters are possible"],
  otherQuery: ["behavioural", "risk", "safe", "the view has other rows or values"],
  otherKind: ["breaking", "risk", "breaks", "a table can be written in another way than a view"],
  otherStorage: ["operational", "safe", "safe", "only how the database stores and finds it"],
} as const satisfies Readonly<Record<string, Row>>;

export type ChangeName = keyof typeof CHANGES;

/** Returns the effect of a change: the class, the verdicts and the reason, which begins with the detail. */
export function toEffect(name: ChangeName, detail?: string): Effect {
  const [impact, readers, writers, reason] = CHANGES[name];
  return { impact, readers, writers, reason: detail === undefined ? reason : `${detail}: ${reason}` };
}
