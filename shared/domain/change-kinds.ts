import type { Effect, Impact, Verdict } from "./differences.ts";

type Row = readonly [impact: Impact, readers: Verdict, writers: Verdict, reason: string];

/**
 * Kinds of changes, each with its class, its verdicts for readers of the old definition and for writers by it, and the
 * reason. Changes of types are in `LACK_RULES`. A change with an unclear effect breaks each side that it can affect.
 */
export const CHANGES = {
  // Objects
  added: ["additive", "safe", "safe", "added; no consumer uses it yet"],
  addedWithOwner: ["additive", "safe", "safe", "added together with its owner"],
  addedTag: ["cosmetic", "safe", "safe", "added; documentation only"],
  addedRequired: ["breaking", "safe", "breaks", "added and required: writers that do not set it will fail"],
  addedWithDefault: ["additive", "safe", "safe", "added and required, with a value for writers that do not set it"],
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
  orderChanged: ["cosmetic", "safe", "safe", "the order changed"],
  documentationChanged: ["cosmetic", "safe", "safe", "documentation only"],
  declaredBreaking: ["breaking", "breaks", "breaks", "the definition of the property declares its changes as breaking"],
  // Presence and values
  becameOptional: ["breaking", "breaks", "safe", "readers may find records without it"],
  becameRequired: ["breaking", "safe", "breaks", "writers that omit it will fail"],
  typeChanged: ["breaking", "breaks", "breaks", "the type of its values changed"],
  valuesNarrowed: ["breaking", "safe", "breaks", "fewer values are allowed"],
  valuesWidened: ["additive", "risk", "safe", "more values are allowed"],
  valuesUnclear: ["breaking", "breaks", "breaks", "it is unclear whether all former values are still allowed"],
  valuesUnchanged: ["cosmetic", "safe", "safe", "they have the same meaning"],
  meaningAdded: ["additive", "safe", "safe", "it was not specified before"],
  meaningUnclear: ["breaking", "breaks", "breaks", "it is unclear whether values still have the same meaning"],
  // Defaults and computed values
  defaultAddedToRequired: ["additive", "safe", "safe", "writers may leave it out now"],
  defaultChanged: ["behavioural", "risk", "risk", "records written without it get another value"],
  defaultRemovedFromRequired: ["breaking", "safe", "breaks", "writers that leave it out will fail"],
  becameComputed: ["breaking", "risk", "breaks", "it is computed now: writers that set it will fail"],
  computationChanged: ["behavioural", "risk", "safe", "its values are computed in another way"],
  computationRemoved: ["behavioural", "risk", "risk", "the database stops computing it: writers have to set it"],
  // Identity and references
  primaryKeyAdded: ["breaking", "safe", "breaks", "a primary key was added: duplicates are refused"],
  primaryKeyAddedWithAttribute: ["additive", "safe", "safe", "a primary key was added with a new attribute"],
  primaryKeyChanged: ["breaking", "breaks", "breaks", "the primary key changed"],
  keyReordered: ["operational", "safe", "safe", "only the order of its attributes changed"],
  uniqueNarrowed: ["breaking", "safe", "breaks", "fewer attributes have to differ: more duplicates are refused"],
  uniqueWidened: ["behavioural", "risk", "safe", "more attributes may differ: former duplicates are possible"],
  uniqueChanged: ["breaking", "risk", "breaks", "the attributes of the business key changed"],
  entityChanged: ["breaking", "breaks", "breaks", "the entity changed"],
  cardinalityAdded: ["additive", "safe", "safe", "the cardinality was unknown before"],
  cardinalityChanged: ["breaking", "breaks", "breaks", "the cardinality changed"],
  minimumLowered: ["breaking", "breaks", "safe", "readers may find none"],
  minimumRaised: ["breaking", "safe", "breaks", "writers that omit it will fail"],
  maximumRaised: ["behavioural", "risk", "safe", "readers may find several"],
  maximumLowered: ["breaking", "safe", "breaks", "writers that give several will fail"],
  keyPairsAdded: ["additive", "safe", "safe", "key pairs were added"],
  keyPairsChanged: ["breaking", "breaks", "breaks", "the key pairs changed"],
  keyPairsRemoved: ["breaking", "breaks", "breaks", "the key pairs were removed"],
  keyPairsReordered: ["cosmetic", "safe", "safe", "only the order of the key pairs changed"],
  // Facts of a database
  checkAdded: ["breaking", "safe", "breaks", "a new check refuses values"],
  checkRemoved: ["additive", "risk", "safe", "a check is gone: values that it refused are possible"],
  checkChanged: ["breaking", "risk", "breaks", "other values are refused"],
  actionChanged: ["behavioural", "risk", "risk", "changes of one record have other effects on others"],
  collationChanged: ["behavioural", "risk", "risk", "other values are equal, or sort in another order"],
  charsetChanged: ["behavioural", "risk", "risk", "other characters are possible"],
  queryChanged: ["behavioural", "risk", "safe", "the view has other rows or values"],
  kindChanged: ["breaking", "risk", "breaks", "a table can be written in another way than a view"],
  storageChanged: ["operational", "safe", "safe", "only how the database stores and finds it"],
} as const satisfies Readonly<Record<string, Row>>;

export type ChangeName = keyof typeof CHANGES;

/** Returns the effect of a change: the class, the verdicts and the reason, which begins with the detail. */
export function toEffect(name: ChangeName, detail?: string): Effect {
  const [impact, readers, writers, reason] = CHANGES[name];
  return { impact, readers, writers, reason: detail === undefined ? reason : `${detail}: ${reason}` };
}
