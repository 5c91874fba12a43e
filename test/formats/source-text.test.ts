import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { findIllFormed } from "../../shared/domain/text/characters.ts";
import { parseFile, parseJson, parseYaml } from "../../shared/formats/common/source-text.ts";
import { problemOf, readContent } from "./reading.ts";

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const file = (content: string | Uint8Array) =>
  parseFile({ url: new URL("https://example.com/x.json"), bytes: Buffer.from(content) });

describe("findIllFormed", () => {
  test("returns the path of the first unpaired surrogate, in values and in member names", () => {
    expect(findIllFormed({ a: ["x", { "b/c": "\ud800" }] })).toBe("/a/1/b~1c");
    expect(findIllFormed({ a: { "\udc00": 1 } })).toBe("/a");
    expect(findIllFormed("\ud83d")).toBe("");
  });

  test("accepts well-formed text", () => expect(findIllFormed({ a: ["😀", null, 1, true, "é"] })).toBeUndefined());
});

describe("a source", () => {
  test(`may have at most ${LIMITS.jsonDepth} levels, checked before it is parsed`, () => {
    expect(parseJson(nested(LIMITS.jsonDepth))).toHaveProperty("value");
    expect(parseJson(nested(LIMITS.jsonDepth + 1))).toMatch(/deeper than 32/);
    expect(parseJson("[".repeat(3_000_000))).toMatch(/deeper than 32/);
    expect(parseJson('{"a":'.repeat(10_000))).toMatch(/deeper than 32/);
  });

  test("may have at most jsonMembers members, checked before it is parsed", () => {
    const object = (members: number) => `{${Array.from({ length: members }, (_, i) => `"m${i}":0`).join(",")}}`;
    expect(parseJson(object(LIMITS.jsonMembers))).toHaveProperty("value");
    expect(parseJson(`${object(LIMITS.jsonMembers + 1)} and no JSON`)).toMatch(/more than 250000 members/);
  });

  test("with duplicate member names is refused", () =>
    expect(parseJson('{"fields":[{"name":"a","n\\u0061me":"b"}]}')).toMatch(/two members at \/fields\/0\/name/));

  test.each([
    ["<!doctype html><title>x</title>", /HTML or XML/],
    ["  \n<xml/>", /HTML or XML/],
    ["name,title\n1,2", /not JSON/],
    ["", /not JSON/],
    ["{'a':1}", /not JSON/],
  ])("that is %j is refused", async (text, reason) => expect(await file(text)).toMatch(reason));

  test("in a file may be UTF-16, as SQL Server writes it", async () =>
    expect(await file(Buffer.from('\ufeff{"a":"é"}', "utf16le"))).toEqual({ value: { a: "é" } }));

  test.each([
    ["Latin-1", Buffer.from('{"a":"é"}', "latin1")],
    ["UTF-16 in the other order", Buffer.from([0xfe, 0xff, 0, 0x41])],
    ["half a sign of UTF-16", Buffer.from([0xff, 0xfe, 0x41])],
  ])("is refused in an encoding other than these: %s", async (_, bytes) =>
    expect(await file(bytes)).toBe("it is not UTF-8 text"));

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

describe("a YAML text", () => {
  const many = (count: number, text: string) => text.repeat(count);

  test.each([
    ["nests without end", many(3_000, "["), /not YAML/],
    ["nests in maps", Array.from({ length: 40 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"), /deeper than 32 levels/],
    ["refers to itself", "a: &a [*a]", /deeper than 32 levels/],
    ["holds two documents", "a: 1\n---\nb: 2", /not YAML \(MULTIPLE_DOCS/],
    ["holds a member twice", "a: 1\nb: {c: 1, c: 2}", /two members named "c"/],
    ["holds a number without end", "a: .inf", /JSON does not have/],
    ["holds a date", "%YAML 1.1\n---\na: 2020-01-01", /JSON does not have/],
    ["holds binary data", "%YAML 1.1\n---\na: !!binary aGVsbG8=", /JSON does not have/],
    ["holds a set", "%YAML 1.1\n---\na: !!set {b, c}", /JSON does not have/],
    ["holds a date by its tag", "a: !!timestamp 2020-01-01", /JSON does not have/],
    ["holds binary data by its tag", "a: !!binary aGk=", /JSON does not have/],
    ["refers to nothing", "a: *a", /an undefined anchor/],
    ["is broken", "a: [1, 2", /not YAML/],
    ["is SQL", "CREATE TABLE a (b int);", /it is SQL/],
  ])("that %s is refused", async (_, text, reason) => expect(await parseYaml(text)).toMatch(reason));

  test("keeps dates and words as texts, resolves anchors and merges members", async () => {
    const text =
      "select (all): 1\na: &a {x: 2020-01-01, y: yes}\nb: *a\nc:\n  <<: *a\n  y: 1.0\nd: !unknown e\n__proto__: 1";
    const value = {
      "select (all)": 1,
      a: { x: "2020-01-01", y: "yes" },
      b: { x: "2020-01-01", y: "yes" },
      c: { x: "2020-01-01", y: 1 },
      d: "e",
    };
    expect(await parseYaml(text)).toEqual({
      value: JSON.parse(JSON.stringify(value).replace(/}$/, ',"__proto__":1}')),
    });
  });

  test(`may have at most ${LIMITS.yamlBytes} bytes`, async () => {
    const text = `a: "${"x".repeat(LIMITS.yamlBytes - 5)}"`;
    expect(await parseYaml(text)).toHaveProperty("value");
    expect(await parseYaml(`${text} `)).toMatch(/more than 500000 bytes/);
  });

  test(`may use an anchor at most ${LIMITS.yamlAliases} times`, async () => {
    const uses = (count: number) => `a: &a {x: 1}\nb: [${Array(count).fill("*a").join(",")}]`;
    expect(await parseYaml(uses(LIMITS.yamlAliases - 1))).toHaveProperty("value");
    expect(await parseYaml(uses(LIMITS.yamlAliases + 1))).toMatch(/one anchor more than 1000 times/);
    const laughs = "bcdefghij"
      .split("")
      .map((c, i) => `${c}: &${c} [${Array(9).fill(`*${"abcdefghij"[i]}`).join(",")}]`);
    expect(await parseYaml(`a: &a [x]\n${laughs.join("\n")}`)).toMatch(/one anchor more than/);
  });

  test(`may have at most ${LIMITS.yamlAnchors} anchors and aliases`, async () => {
    const pairs = (count: number) => Array.from({ length: count }, (_, i) => `- &a${i} {n: ${i}}\n- *a${i}\n`).join("");
    const { value } = (await parseYaml(pairs(LIMITS.yamlAnchors / 2))) as { readonly value: readonly object[] };
    const n = LIMITS.yamlAnchors / 2 - 1;
    expect(value.slice(-2)).toEqual([{ n }, { n }]);
    const more = await parseYaml(`- &b 1\n${pairs(LIMITS.yamlAnchors / 2)}`);
    expect(more).toBe("it has more than 5000 anchors and aliases; expand them");
  });

  test("may not expand by its aliases to more than a source may have, in members and in characters", async () => {
    const aliases = (text: string, count: number) => `a: &a ${text}\nb: [${Array(count).fill("*a").join(",")}]`;
    expect(await parseYaml(aliases("x".repeat(400_000), 60))).toHaveProperty("value");
    expect(await parseYaml(aliases("x".repeat(400_000), 70))).toMatch(
      /larger than 25000000 bytes with aliases expanded/,
    );
    expect(await parseYaml(aliases(`[${"1,".repeat(2_000)}]`, 200))).toMatch(/more than 250000 members or items/);
  });
});
