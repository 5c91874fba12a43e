import { byKey } from "../../domain/content.ts";
import type { RelationshipDocument } from "../../domain/document.ts";
import { pairsByRoleKey } from "../../domain/key-pairs.ts";
import { legalKeys } from "../legal-key.ts";
import { LAYOUT } from "./entity-properties.ts";

/** The two sides of a foreign key: refs of entities, and refs of their attributes in the same order. */
export interface Sides {
  readonly from: string;
  readonly to: string;
  readonly attributes: readonly string[];
  readonly referred: readonly string[];
  /** The place of the referring role. */
  readonly fromRole: 0 | 1;
}

/** The sides of a relationship with key pairs, the referring one first; undefined for any other relationship. */
export function sidesOf({ key, roles, keyPairs = [], properties = {} }: RelationshipDocument): Sides | undefined {
  const [first, second] = roles;
  if (!first || !second || roles.length !== 2 || keyPairs.length === 0) return undefined;
  const side = (i: 0 | 1): Sides => ({
    from: (i === 0 ? first : second).entity,
    to: (i === 0 ? second : first).entity,
    attributes: keyPairs.map((pair) => pair[i]),
    referred: keyPairs.map((pair) => pair[i === 0 ? 1 : 0]),
    fromRole: i,
  });
  const candidates = [side(0), side(1)] as const;
  const [one, other] = candidates;
  const said = properties[LAYOUT.referring];
  if (said === first.key) return one;
  if (said === second.key) return other;
  if ((first.cardinality === "many") !== (second.cardinality === "many"))
    return first.cardinality === "many" ? one : other;
  const isCalled = ({ from, attributes }: Sides): boolean => isMadeOf(key, keyOf(from, attributes));
  return isCalled(other) && !isCalled(one) ? other : one;
}

/** True where the sides of a relationship whose roles are sorted begin with that role. */
export function isReferring(relationship: RelationshipDocument, role: string): boolean {
  const roles = relationship.roles.toSorted(byKey);
  const keyPairs = pairsByRoleKey(relationship.roles, relationship.keyPairs ?? []);
  const sides = sidesOf({ ...relationship, roles, keyPairs });
  const [first] = relationship.roles;
  return (
    role === first?.key &&
    sides?.from === first.entity &&
    String(sides.attributes) === String(relationship.keyPairs?.map(([one]) => one))
  );
}

/** True for a key that is another one, or that one with a number. */
export function isMadeOf(key: string, made: string): boolean {
  return key === made || (key.startsWith(`${made}_`) && /^_\d+$/.test(key.slice(made.length)));
}

/** The key that an import gives to the relationship of a foreign key. */
export function keyOf(from: string, attributes: readonly string[]): string {
  const bare = (ref: string): string => ref.replace(/^key:/, "");
  return legalKeys([[from, ...attributes].map(bare).join("_")])[0] ?? "";
}
