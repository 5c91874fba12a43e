import type { PairsField } from "../domain/fields/field.ts";
import { jsonTypeOf } from "../domain/value-type.ts";
import type { Findings } from "./findings.ts";
import type { Refs } from "./model-json-refs.ts";

/**
 * The pairs of attributes in a list of a source, as refs `key:…`; a fault for what names none. Undefined where there are no
 * pairs. The holder is the document that is made of the source, with the objects whose entities have the attributes.
 */
export function readPairs(
  list: readonly unknown[],
  { of }: PairsField,
  holder: Readonly<Record<string, unknown>>,
  place: string,
  refs: Refs,
  findings: Findings,
): readonly (readonly string[])[] | undefined {
  if (list.length === 0) return undefined;
  const sides = (holder[of] ?? []) as readonly { readonly entity: string }[];
  if (sides.length !== 2) {
    findings.fault(place, `only a relationship with two roles has key pairs, and it has ${sides.length}`);
    return undefined;
  }
  return list.flatMap((pair: unknown, i) => {
    const here = `${place}/${i}`;
    if (Array.isArray(pair) && pair.length === 2) {
      // Without its entity there is one fault already.
      return [sides.map(({ entity }, j) => refs.resolveAttribute(entity, pair[j], `${here}/${j}`, findings) ?? "")];
    }
    const got = Array.isArray(pair) ? `a list of ${pair.length}` : jsonTypeOf(pair);
    findings.fault(here, `expected a list of two refs to attributes, got ${got}`);
    return [];
  });
}
