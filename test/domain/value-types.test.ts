import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { toJsonSchema } from "../../shared/actions/describe/json-schema.ts";
import { actionPath, modelKeyPattern, timestamp } from "../../shared/domain/accounts/account-types.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { searchFilters } from "../../shared/domain/search/filter-types.ts";
import { batchEntries } from "../../shared/domain/values/batch-types.ts";
import { REF_TYPES } from "../../shared/domain/values/ref-types.ts";
import type { ValueType } from "../../shared/domain/values/value-type.ts";
import {
  bootstrapSecret,
  compareVersions,
  createListType,
  isVersion,
  password,
  singleLine,
  uri,
} from "../../shared/domain/values/value-types.ts";

const UUID = "01890000-0000-7000-8000-000000000000";

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

const having = (condition: string, value?: unknown) => ({
  items: [{ type: "constraints", condition, ...(value !== undefined && { value }) }],
});

test.each<[ValueType<unknown>, readonly unknown[], readonly unknown[]]>([
  [singleLine, ["Café", " a "], ["", " ", "a\nb", "a\r", "a\u001b", 1]],
  [modelKeyPattern, ["crm_*", "a\\*", "\\\\"], ["", "a\\b", "a\\", "\u0085", 1]],
  [timestamp, ["2026-11-22", "2026-11-22T09:30:00.5+02:00"], ["22 November 2026", "2026-11-22T09:30:00", "2026"]],
  [
    searchFilters,
    [{}, { operator: "and" }, { operator: "or", items: [] }, having("anyOf", ["enum"]), having("empty")],
    [{ operator: "nor" }, { items: {} }, having("anyOf", ["enums"]), having("anyOf"), having("empty", [])],
  ],
  [
    REF_TYPES.UserRef as ValueType<unknown>,
    ["ada", "key:ada", `id:${UUID}`],
    ["ad", "ada lovelace", "key:Ada!", "id:x"],
  ],
  [actionPath, ["model/entity_create"], ["model", "Model/x", "a/b/c"]],
  [batchEntries, [[{ group: "tag", action: "x", payload: {} }]], [[], [{ group: "tag", action: "x", payload: [] }]]],
])("the type $id accepts and refuses the same values as its JSON Schema", (type, accepted, refused) => {
  const isDescribed = new Ajv2020({ strict: false }).compile(toJsonSchema(type as ValueType<never>));
  const isValid = (value: unknown) => z.safeParse<z.ZodMiniType<unknown>>(type.schema(), value).success;
  for (const isAccepted of [isValid, isDescribed]) {
    expect(accepted.filter((value) => !isAccepted(value))).toEqual([]);
    expect(refused.filter((value) => isAccepted(value))).toEqual([]);
  }
});

test("a type names its limits in its description and its messages, and a secret is one", () => {
  const faultOf = (type: ValueType<unknown>, value: unknown) =>
    z.safeParse<z.ZodMiniType<unknown>>(type.schema(), value).error?.issues[0]?.message;
  const entries = Array.from({ length: LIMITS.batchEntries + 1 }, () => ({ group: "tag", action: "x" }));
  expect(faultOf(batchEntries, entries)).toBe(`has more than ${LIMITS.batchEntries} entries`);
  expect(faultOf(password, "x".repeat(LIMITS.passwordBytes + 1))).toBe(`longer than ${LIMITS.passwordBytes} bytes`);
  expect(faultOf(uri, "x".repeat(LIMITS.urlCharacters + 1))).toContain(`at most ${LIMITS.urlCharacters} characters`);
  expect([password.secret, bootstrapSecret.secret, uri.secret]).toEqual([true, true, false]);
  expect(createListType(uri, 9, 1).description).toContain("1 to 9");
  expect(createListType(uri, 9).description).toContain("at most 9");
});

test.each([
  ["2026-11-22", "2026-11-22T00:00:00.000Z"],
  ["2026-11-22T09:30+02:00", "2026-11-22T07:30:00.000Z"],
  ["2024-02-29T23:59:59.1234Z", "2024-02-29T23:59:59.123Z"],
  ...["2026-02-29", "2026-02-29T10:00:00Z", "2026-13-01", "2026-11-22T24:30Z"].map((text) => [text]),
])("the text %s is the point in time %s", (text, time) =>
  expect(z.safeParse(timestamp.schema(), text).data).toBe(time));
