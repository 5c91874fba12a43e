import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareVersions, isVersion } from "../../shared/domain/values/value-types.ts";

/** Versions in the order of Semantic Versioning 2.0 section 11, with more examples of each rule. */
const ASCENDING = [
  ...["0.0.1", "0.0.2", "0.0.10", "0.1.0", "1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-99999999999999999999"],
  ...["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11"],
  ...["1.0.0-rc.1", "1.0.0", "1.0.1-x", "1.10.0", "2.0.0", "10.0.0"],
];

describe("compareVersions", () => {
  test("sorts versions by precedence", () => {
    expect(ASCENDING.every(isVersion)).toBe(true);
    fc.assert(
      fc.property(fc.shuffledSubarray(ASCENDING), (some) => {
        const wanted = ASCENDING.filter((version) => some.includes(version));
        expect([...some].sort(compareVersions)).toEqual(wanted);
      }),
    );
  });

  test("treats equal versions as equal", () => {
    for (const version of ASCENDING) expect(compareVersions(version, version)).toBe(0);
  });
});
