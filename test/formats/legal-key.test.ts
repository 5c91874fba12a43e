import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFreeKey } from "../../shared/domain/refs.ts";
import { toLegalKey, toLegalKeys } from "../../shared/formats/common/legal-key.ts";

describe("a name becomes a key", () => {
  test.each([
    ["amount $", "amount $"],
    ["metal or nonmetal?", "metal or nonmetal?"],
    ["véhicules électriques", "vehicules electriques"],
    ["Straße", "Strasse"],
    ["Œuvre d'art", "OEuvre d_art"],
    ['it\'s "so"', "it_s _so_"],
    ["a\nb\tc", "a_b_c"],
    ["C:\\path`x`", "C:_path_x_"],
    ["Łódź", "Lodz"],
    ["数据", "unnamed"],
    ["数据 1", "_ 1"],
    ["😀", "unnamed"],
    ["ﬁeld ①", "field 1"],
    ["é".repeat(300), "e".repeat(128)],
  ])("%j -> %j", (name, key) => expect(toLegalKey(name)).toBe(key));

  test("every text becomes a valid key, and a valid key is unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 300 }), (name) => {
        const key = toLegalKey(name);
        expect(isFreeKey(key)).toBe(true);
        expect(toLegalKey(key)).toBe(key);
      }),
    );
  });
});

describe("names of one scope", () => {
  test("keep valid keys of the first objects; the others get a number", () =>
    expect(toLegalKeys(["é", "e", "e", "e_2", "è"])).toEqual(["e_3", "e", "e_4", "e_2", "e_5"]));

  test("are not longer than the limit, with their number", () => {
    const long = "x".repeat(128);
    expect(toLegalKeys([long, long, long])).toEqual([long, `${"x".repeat(126)}_2`, `${"x".repeat(126)}_3`]);
  });

  test("are different and valid, and valid first names are unchanged", () => {
    const names = fc.array(
      fc.oneof(fc.constantFrom("a", "á", "a_2", "ä", "'", "x".repeat(128)), fc.string({ minLength: 1 })),
    );
    fc.assert(
      fc.property(names, (given) => {
        const keys = toLegalKeys(given);
        expect(new Set(keys).size).toBe(given.length);
        for (const [i, key] of keys.entries()) {
          const name = given[i] ?? "";
          expect(isFreeKey(key)).toBe(true);
          if (isFreeKey(name) && given.indexOf(name) === i) expect(key).toBe(name);
        }
      }),
    );
  });

  test("are assigned to 20,000 equal names in linear time", () => {
    const start = performance.now();
    expect(new Set(toLegalKeys(Array.from({ length: 20_000 }, () => "é"))).size).toBe(20_000);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
