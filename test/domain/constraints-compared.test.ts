import { describe, expect, test } from "vitest";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import {
  type Constraints,
  KEYWORD_NAMES,
  KEYWORDS,
  type KeywordName,
} from "../../shared/domain/constraints/keywords.ts";
import type { Difference } from "../../shared/domain/differences.ts";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import { createChance, seedOf } from "../support/chance.ts";
import { JUDGED_PAIRS } from "./constraint-pairs.ts";

function constrained(constraints: object | undefined): ModelDocument {
  const attribute = { key: "code", type: "key:text", optional: true, ...(constraints && { constraints }) };
  return {
    ...{ $schema: "urn:metaction:model:2", key: "m", name: "M", version: "1.0.0", authority: "system" },
    types: [{ key: "text" }],
    entities: [{ key: "customer", attributes: [attribute], primaryKey: [] }],
    ...{ relationships: [], businessKeys: [], localTags: [], tagGroups: [] },
  };
}

function differences(before: object | undefined, after: object | undefined): readonly Difference[] {
  return compareModels(constrained(before), constrained(after), { sameModel: false, scope: "structural" });
}

describe("a change of constraints", () => {
  test.each(JUDGED_PAIRS.map((pair) => [pair[0], pair] as const))("%s", (_, pair) => {
    const [, before, after, [impact, reason], ...parts] = pair;
    const told = parts.map((part) => (typeof part === "string" ? `${part}: ${reason}` : `${part[0]}: ${part[1][1]}`));
    const reasons = told.length > 0 ? told : [reason];
    expect(differences(before, after)).toMatchObject([
      {
        ...{ status: "MODIFIED", objectType: "entityAttribute", attributeKey: "code", members: ["constraints"] },
        ...{ impact, reasons: reasons.map((text) => `constraints: ${text}`) },
      },
    ]);
  });

  test("every keyword has judged cases", () => {
    const judged = new Set(
      JUDGED_PAIRS.flatMap(([, ...sides]) => sides.slice(0, 2).flatMap((one) => Object.keys(one ?? {}))),
    );
    expect([...judged].sort()).toEqual([...KEYWORD_NAMES].sort());
    expect(JUDGED_PAIRS.length).toBeGreaterThanOrEqual(50);
  });

  test("is not reported if the constraints are equal, in any order of members", () => {
    expect(differences({ enum: [{ a: 1, b: 2 }], unit: "kg" }, { unit: "kg", enum: [{ b: 2, a: 1 }] })).toEqual([]);
    for (const [, before, after] of JUDGED_PAIRS)
      for (const one of [before, after]) expect(differences(one, one && JSON.parse(JSON.stringify(one)))).toEqual([]);
  });
});

const SEED = seedOf("constraints");
const chance = createChance(SEED);
const number = () => (chance.below(2_001) - 1_000) / chance.pick([1, 4, 10]);

const counts = (keyword: "minLength" | "maxLength" | "minItems" | "maxItems", outwards: 1 | -1) => ({
  [keyword]: (): readonly [Constraints, Constraints] => {
    const at = 20 + chance.below(100);
    return [{ [keyword]: at }, { [keyword]: at + outwards * (1 + chance.below(20)) }];
  },
});

/** A pair of values of a keyword with an order, the second of which allows more. */
const WIDENED: Partial<Record<KeywordName, () => readonly [Constraints, Constraints]>> = {
  enum: () => {
    const all = Array.from({ length: 2 + chance.below(5) }, (_, i) => chance.pick<unknown>([`v${i}`, i, { i }, [i]]));
    return [{ enum: all.slice(0, 1 + chance.below(all.length - 1)) }, { enum: all.toReversed() }];
  },
  const: () => [{ const: "a" }, { enum: ["b", "a"] }],
  ...bounds("minimum", "exclusiveMinimum", -1),
  ...bounds("maximum", "exclusiveMaximum", 1),
  multipleOf: () => {
    const step = chance.pick([0.001, 0.1, 0.3, 1, 7]);
    const times = 2 + chance.below(9);
    return [{ multipleOf: Number((step * times).toFixed(3)) }, { multipleOf: step }];
  },
  ...counts("minLength", -1),
  ...counts("maxLength", 1),
  ...counts("minItems", -1),
  ...counts("maxItems", 1),
  uniqueItems: () => [{ uniqueItems: true }, chance.pick([{ uniqueItems: false }, { minItems: 0 }])],
  unique: () => [{ unique: true }, chance.pick([{ unique: false }, { minItems: 0 }])],
};

function bounds(closed: "minimum" | "maximum", open: "exclusiveMinimum" | "exclusiveMaximum", outwards: 1 | -1) {
  const pair = (keyword: KeywordName) => (): readonly [Constraints, Constraints] => {
    const at = number();
    const beyond = at + outwards * (0.25 + chance.below(100));
    const wider: Constraints = chance.pick([{ [closed]: beyond }, { [open]: beyond }]);
    return [{ [keyword]: at }, keyword === open && chance.happens(0.2) ? { [closed]: at } : wider];
  };
  return { [closed]: pair(closed), [open]: pair(open) };
}

describe("widening and then narrowing back", () => {
  const ordered = KEYWORD_NAMES.filter((name) => WIDENED[name] !== undefined);
  /** Several records with one value are more than other values. */
  const toWidening = (name: KeywordName) => (KEYWORDS[name].order === "uniqueness" ? "behavioural" : "additive");

  test("is tested for every keyword with an order", () => {
    const unordered = ["none", "meaning", "fallback", "silent"];
    expect(ordered).toEqual(KEYWORD_NAMES.filter((name) => !unordered.includes(KEYWORDS[name].order)));
  });

  test.each(ordered)("is additive or behavioural, and narrowing is breaking: %s", (name) => {
    const others: readonly Constraints[] = [{}, { pattern: "^a" }, { unit: "kg", format: "x" }];
    for (let run = 0; run < 200; run++) {
      const [narrow, wide] = WIDENED[name]?.() ?? [];
      const beside = chance.pick(others);
      const [before, after] = [
        { ...beside, ...narrow },
        { ...beside, ...wide },
      ];
      const both = [differences(before, after), differences(after, before)].map((found) => found[0]?.impact);
      expect(both, `seed ${SEED}: ${JSON.stringify([before, after])}`).toEqual([toWidening(name), "breaking"]);
    }
  });

  test.each(ordered)("is so when the keyword is removed and added too: %s", (name) => {
    for (let run = 0; run < 50; run++) {
      const [narrow] = WIDENED[name]?.() ?? [];
      const both = [differences(narrow, undefined), differences(undefined, narrow)].map((found) => found[0]?.impact);
      expect(both, `seed ${SEED}: ${JSON.stringify(narrow)}`).toEqual([toWidening(name), "breaking"]);
    }
  });
});
