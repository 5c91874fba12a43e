import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { toJsonSchema } from "../../shared/actions/describe/json-schema.ts";
import { modelKeyPattern, timestamp } from "../../shared/domain/accounts/account-types.ts";
import { searchFilters } from "../../shared/domain/search/filter-types.ts";
import { batchEntries } from "../../shared/domain/values/batch-types.ts";
import type { ValueType } from "../../shared/domain/values/value-type.ts";
import { compareVersions, isVersion, singleLine } from "../../shared/domain/values/value-types.ts";

/** Versions in the order of Semantic Versioning 2.0 section 11, with more examples of each rule. */
const ASCENDING = [
  ...["0.0.1", "0.0.2", "0.0.10", "0.1.0", "1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-99999999999999999999"],
  ...["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11"],
  ...["1.0.0-rc.1", "1.0.0", "1.0.1-x", "1.10.0", "2.0.0", "10.0.0"],
];

test("compareVersions sorts versions by precedence", () => {
  expect(ASCENDING.every(isVersion)).toBe(true);
  for (const version of ASCENDING) expect(compareVersions(version, version)).toBe(0);
  fc.assert(
    fc.property(fc.shuffledSubarray(ASCENDING), (some) => {
      expect([...some].sort(compareVersions)).toEqual(ASCENDING.filter((version) => some.includes(version)));
    }),
  );
});

test.each<[ValueType<unknown>, readonly unknown[], readonly unknown[]]>([
  [singleLine, ["Café", " a "], ["", " ", "a\nb", "a\r", "a\u001b", 1]],
  [modelKeyPattern, ["crm_*", "a\\*", "\\\\"], ["", "a\\b", "a\\", "\u0085", 1]],
  [timestamp, ["2026-11-22", "2026-11-22T09:30:00.5+02:00"], ["22 November 2026", "2026-11-22T09:30:00", "2026"]],
  [searchFilters, [{}, { operator: "and" }, { operator: "or", items: [] }], [{ operator: "nor" }, { items: {} }]],
  [batchEntries, [[{ group: "tag", action: "x", payload: {} }]], [[], [{ group: "tag", action: "x", payload: [] }]]],
])("the type $id accepts and refuses the same values as its JSON Schema", (type, accepted, refused) => {
  const isDescribed = new Ajv2020({ strict: false }).compile(toJsonSchema(type as ValueType<never>));
  const isValid = (value: unknown) => z.safeParse<z.ZodMiniType<unknown>>(type.schema(), value).success;
  for (const isAccepted of [isValid, isDescribed]) {
    expect(accepted.filter((value) => !isAccepted(value))).toEqual([]);
    expect(refused.filter((value) => isAccepted(value))).toEqual([]);
  }
});

test.each([
  ["2026-11-22", "2026-11-22T00:00:00.000Z"],
  ["2026-11-22T09:30+02:00", "2026-11-22T07:30:00.000Z"],
  ["2024-02-29T23:59:59.1234Z", "2024-02-29T23:59:59.123Z"],
  ...["2026-02-29", "2026-02-29T10:00:00Z", "2026-13-01", "2026-11-22T24:30Z"].map((text) => [text]),
])("the text %s is the point in time %s", (text, time) => {
  expect(z.safeParse(timestamp.schema(), text).data).toBe(time);
});
