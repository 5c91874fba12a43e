import { type ChangeName, toEffect } from "../change-kinds.ts";
import { assessConstraints } from "../constraints/assess.ts";
import type { Constraints } from "../constraints/keywords.ts";
import type { Effect, RuleName } from "../differences.ts";
import { isSameValue } from "../text/json-values.ts";
import type { Cardinality } from "../values/model-types.ts";
import type { ChangeRule, ComparedSides } from "./compared-object.ts";
import { assessDefault } from "./defaults.ts";

/** Creates a rule by which all changes are of one kind. */
export function createRule(name: ChangeName): ChangeRule {
  return () => [toEffect(name)];
}

/** Rules of the fields. */
export const RULES: Readonly<Record<RuleName, ChangeRule>> = {
  type: createRule("typeChanged"),
  entity: createRule("entityChanged"),
  move: createRule("orderChanged"),
  optional: (_, after) => [toEffect(after === true ? "becameOptional" : "becameRequired")],
  // The fields have values of these types.
  constraints: (before, after, sides) => {
    const [{ default: oldDefault, ...old }, { default: newDefault, ...fresh }] = [before ?? {}, after ?? {}] as [
      Constraints,
      Constraints,
    ];
    const effects = [
      ...(isSameValue(oldDefault, newDefault) ? [] : assessDefault(sides)),
      ...(isSameValue(old, fresh) ? [] : assessConstraints(old, fresh)),
    ];
    return effects.length > 0 ? effects : [toEffect("valuesUnchanged")];
  },
  cardinality: (before, after, sides) => assessCardinality(before as Cardinality, after as Cardinality, sides),
  keyPairs: (before, after) => [
    toEffect(classifyKeyPairs((before ?? []) as readonly unknown[], after as readonly unknown[])),
  ],
  primaryKey: (before, after, { before: entity }) => {
    const [old, fresh] = [before, after] as [readonly string[], readonly string[]];
    if (old.length > 0) return [toEffect(isSameSet(old, fresh) ? "keyReordered" : "primaryKeyChanged")];
    const attributes = new Set(entity.sequences.attributes?.map(({ identity }) => identity));
    return [toEffect(fresh.every((one) => attributes.has(one)) ? "primaryKeyAdded" : "primaryKeyAddedWithAttribute")];
  },
  participants: (before, after) => {
    const [old, fresh] = [new Set(before as readonly string[]), new Set(after as readonly string[])];
    if (isSameSet([...old], [...fresh])) return [toEffect("keyReordered")];
    if (old.size === 0 || fresh.size === 0) return [toEffect(old.size === 0 ? "addedUnique" : "removedUnique")];
    if (fresh.isSubsetOf(old)) return [toEffect("uniqueNarrowed")];
    return [toEffect(old.isSubsetOf(fresh) ? "uniqueWidened" : "uniqueChanged")];
  },
};

function isSameSet(one: readonly string[], other: readonly string[]) {
  return new Set(one).symmetricDifference(new Set(other)).size === 0;
}

/** The number of instances that each cardinality requires, and allows. */
const COUNTS: Readonly<Record<Exclude<Cardinality, "unknown">, readonly [least: number, most: number]>> = {
  zeroOrOne: [0, 1],
  one: [1, 1],
  many: [0, Number.POSITIVE_INFINITY],
};

function assessCardinality(before: Cardinality, after: Cardinality, { after: role }: ComparedSides): readonly Effect[] {
  if (before === "unknown") return [toEffect("cardinalityAdded")];
  if (after === "unknown") return [toEffect("cardinalityChanged")];
  const [[oldLeast, oldMost], [least, most]] = [COUNTS[before], COUNTS[after]];
  // Without a join by values, a single object becomes a list of them.
  if (oldMost !== most && !role.isJoined) return [toEffect("cardinalityChanged")];
  const names: readonly (ChangeName | false)[] = [
    least < oldLeast && "minimumLowered",
    least > oldLeast && "minimumRaised",
    most > oldMost && "maximumRaised",
    most < oldMost && "maximumLowered",
  ];
  return names.flatMap((name) => (name ? [toEffect(name)] : []));
}

/** Returns the kind of a change of key pairs. Their order has no meaning, because every join uses all of them. */
function classifyKeyPairs(before: readonly unknown[], after: readonly unknown[] = []): ChangeName {
  if (before.length === 0) return "keyPairsAdded";
  if (after.length === 0) return "keyPairsRemoved";
  const [old, fresh] = [before, after].map((pairs) => pairs.map((pair) => JSON.stringify(pair)));
  return isSameSet(old ?? [], fresh ?? []) ? "keyPairsReordered" : "keyPairsChanged";
}
