import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { findIllFormed } from "../../shared/domain/text/characters.ts";
import { parseFile, parseJson } from "../../shared/formats/common/source-text.ts";
import { problemOf, readContent } from "./reading.ts";

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const file = (content: string | Uint8Array) =>
  parseFile({ url: new URL("https://example.com/x.json"), bytes: Buffer.from(content) });

describe("firstIllFormed", () => {
  test("returns the path of the first unpaired surrogate, in values and in member names", () => {
    expect(findIllFormed({ a: ["x", { "b/c": "\ud800" }] })).toBe("/a/1/b~1c");
    expect(findIllFormed({ a: { "\udc00": 1 } })).toBe("/a");
    expect(findIllFormed("\ud83d")).toBe("");
  });

  test("accepts well-formed text", () => {
    expect(findIllFormed({ a: ["😀", null, 1, true, "é"] })).toBeUndefined();
  });
});

describe("a source", () => {
  test(`may have at most ${LIMITS.jsonDepth} levels, checked before it is parsed`, () => {
    expect(parseJson(nested(LIMITS.jsonDepth))).toHaveProperty("value");
    expect(parseJson(nested(LIMITS.jsonDepth + 1))).toMatch(/deeper than 32/);
    expect(parseJson("[".repeat(3_000_000))).toMatch(/deeper than 32/);
  });

  test("may have at most jsonMembers members, checked before it is parsed", () => {
    const object = (members: number) => `{${Array.from({ length: members }, (_, i) => `"m${i}":0`).join(",")}}`;
    expect(parseJson(object(LIMITS.jsonMembers))).toHaveProperty("value");
    expect(parseJson(`${object(LIMITS.jsonMembers + 1)} and no JSON`)).toMatch(/more than 250000 members/);
  });

  test("with duplicate member names is refused", () => {
    expect(parseJson('{"fields":[{"name":"a","n\\u0061me":"b"}]}')).toMatch(/two members at \/fields\/0\/name/);
  });

  test("may begin with a byte order mark", () => {
    expect(parseJson('\ufeff{"a":1}')).toEqual({ value: { a: 1 } });
  });

  test.each([
    ["<!doctype html><title>x</title>", /HTML or XML/],
    ["  \n<xml/>", /HTML or XML/],
    ["name,title\n1,2", /not JSON/],
    ["", /not JSON/],
    ["{'a':1}", /not JSON/],
  ])("that is %j is refused", async (text, reason) => {
    expect(await file(text)).toMatch(reason);
  });

  test("is refused in an encoding other than UTF-8", async () => {
    expect(await file(Buffer.from('{"a":"é"}', "latin1"))).toBe("it is not UTF-8 text");
  });

  test("as content has the same limits of depth and form", async () => {
    const deep = JSON.parse(`{"fields":${nested(LIMITS.jsonDepth)}}`);
    expect(await problemOf(readContent(deep))).toMatchObject({ code: "invalid_content" });
    const illFormed = await problemOf(readContent({ fields: [{ name: "a\ud800" }] }));
    expect(illFormed).toMatchObject({ code: "invalid_content", members: { errors: [{ pointer: "/fields/0/name" }] } });
  });

  test.each([
    [[], /not an object/],
    [null, /not an object/],
    ["text", /not an object in YAML/],
    [{ name: "x" }, /neither a Table Schema/],
    [{ $schema: "urn:metaction:model:3" }, /another version/],
    [{ $schema: "https://example.org/schemas/medatarun-model-2.0.json" }, /another version/],
  ])("%j is not a source", async (content, reason) => {
    const problem = await problemOf(readContent(content));
    expect(problem.code).toBe("source_not_recognised");
    expect(problem.message).toMatch(reason);
  });
});
