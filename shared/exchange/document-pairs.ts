import type { PairsField } from "../domain/fields/field.ts";
import type { KeyPair } from "../domain/key-pairs.ts";
import { checkCount, type Defined } from "./document-refs.ts";
import type { Findings } from "./findings.ts";

/**
 * Checks the pairs of attributes of an object of a document: that there are two objects whose entities have them, that each
 * names one of each entity, and that none comes twice.
 */
export function checkPairs(
  pairs: readonly KeyPair[],
  sides: readonly { readonly entity: string }[],
  { count }: PairsField,
  place: string,
  { attributes }: Defined,
  findings: Findings,
): void {
  checkCount(pairs, count, place, findings);
  if (sides.length !== 2) {
    findings.fault(place, `only a relationship with two roles has key pairs, and it has ${sides.length}`);
    return;
  }
  const seen = new Set<string>();
  for (const [i, pair] of pairs.entries()) {
    for (const [j, { entity }] of sides.entries()) {
      const known = attributes.get(entity)?.has(pair[j] ?? "") ?? true;
      if (!known) findings.fault(`${place}/${i}/${j}`, `${JSON.stringify(pair[j])} names no attribute of ${entity}`);
    }
    const name = JSON.stringify(pair);
    if (seen.has(name)) findings.fault(`${place}/${i}`, "the pair is in the list already");
    seen.add(name);
  }
}
