import { describe, expect, test } from "vitest";
import type { ImportNames } from "../../shared/actions/contract/ports.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { Problem } from "../../shared/domain/problems.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import { problemOf } from "./reading.ts";

/** Nothing that a source names is ever looked up: these would fail the test. */
const importer = createImporter({
  allowPrivate: true,
  resolve: (host) => expect.unreachable(`looked up ${host}`),
  dial: () => expect.unreachable("dialled"),
});
const read = (source: object, names: ImportNames = {}) =>
  importer.read({ content: JSON.stringify(source) }, { modelKey: "m", ...names });

const text = { type: "string" };
const members = <T>(count: number, make: (i: number) => T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}`, make(i)]));
const next = (i: number) => ({ $ref: `#/$defs/t${i + 1}` });

/** Expects a refusal while the objects were made, and not after all of them. */
function expectCounted({ code, message }: Problem) {
  const [, objects] = /^the source has (\d+) objects/.exec(message) ?? [];
  expect(code).toBe("too_large");
  expect(Number(objects)).toBeLessThanOrEqual(LIMITS.objectsPerJob + 100);
}

describe("a JSON Schema whose refs", () => {
  test("form a chain of 10,000 is resolved", async () => {
    const { document } = await read({
      properties: { a: { $ref: "#/$defs/t0" } },
      $defs: members(10_000, (i) => (i < 9_999 ? next(i) : { type: "string", maxLength: 7 })),
    });
    expect(document.entities[0]?.attributes).toMatchObject([{ key: "a", constraints: { maxLength: 7 } }]);
  });

  test("form a chain of 10,000 schemas with members is resolved", async () => {
    const { document } = await read({
      properties: { a: { $ref: "#/$defs/t0" } },
      $defs: members(10_000, (i) => (i < 9_999 ? { allOf: [next(i)], title: `${i}` } : text)),
    });
    expect(document.entities[0]?.attributes).toMatchObject([{ key: "a", name: "0" }]);
  });

  test("add more members than a model may have is refused with the number", async () => {
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`c${i}`, text]));
    const $defs = members(2_100, (i) => (i === 0 ? { properties: wide } : { allOf: [{ $ref: "#/$defs/t0" }] }));
    expectCounted(await problemOf(read({ $defs }, { format: "jsonschema" })));
  });

  test("make allOf copy a definition more often than the limit allows is refused", async () => {
    const wide = { properties: members(1_000, () => text) };
    const copies = (count: number) =>
      read({ $defs: { wide, a: { allOf: Array(count).fill({ $ref: "#/$defs/wide" }) } } }, { format: "jsonschema" });
    const most = LIMITS.copiedMembers / 1_000;
    expect((await copies(most)).document.entities.map(({ attributes }) => attributes.length)).toEqual([1_000, 1_000]);
    const { code, message } = await problemOf(copies(most + 1));
    expect([code, message]).toEqual(["too_large", expect.stringContaining(`${LIMITS.copiedMembers} properties`)]);
  });

  const ref = { $ref: "#/parts/a" };
  test.each<[string, Record<string, object>, readonly string[], number]>([
    ["an object in no definitions", { a: { properties: { p: ref } } }, ["q.p"], 1],
    ["two of them", { a: { properties: { p: { $ref: "#/parts/b" } } }, b: { properties: { p: ref } } }, ["q.p.p"], 1],
    ["itself beside other members", { a: { properties: { p: { ...ref, type: "object" } } } }, ["q.p"], 1],
    ["two of itself", { a: { properties: { p: ref, r: ref } } }, ["q.p", "q.r"], 2],
    // The list and the map keep the ref as what their items are.
    ["a list of itself", { a: { properties: { p: { items: ref } } } }, ["q.p"], 0],
    ["a map of itself", { a: { properties: { p: { additionalProperties: ref } } } }, ["q.p"], 0],
  ])("form a cycle through %s is read up to the cycle", async (_, parts, keys, told) => {
    const { document, warnings } = await read({ parts, properties: { q: ref } });
    expect(document.entities.flatMap(({ attributes }) => attributes.map(({ key }) => key))).toEqual(keys);
    const circles = warnings.filter(({ detail }) => detail.includes("cycle"));
    expect(circles.reduce((sum, { count }) => sum + count, 0)).toBe(told);
    expect(JSON.stringify(document.entities)).toContain("#/parts/a");
  });

  test("describe a list of lists of itself becomes an attribute", async () => {
    const { document } = await read({
      properties: { q: { $ref: "#/$defs/a" } },
      $defs: { a: { type: "array", items: { $ref: "#/$defs/a" } } },
    });
    expect(document.entities[0]?.attributes.map(({ key }) => key)).toEqual(["q"]);
  });

  test.each([
    [LIMITS.jsonDepth - 1, true],
    [LIMITS.jsonDepth + 2, false],
    [10_000, false],
  ])("nest objects in %d others: is read: %s", async (levels, isRead) => {
    const source = {
      properties: { q: { $ref: "#/parts/t0" } },
      parts: members(levels, (i) => ({ properties: { p: i + 1 < levels ? { $ref: `#/parts/t${i + 1}` } : text } })),
    };
    if (isRead) {
      expect((await read(source)).document.entities[0]?.attributes).toHaveLength(1);
      return;
    }
    expect((await problemOf(read(source))).message).toContain(
      `deeper than ${LIMITS.jsonDepth} levels with refs expanded`,
    );
  });

  test("double at each of 25 levels is refused with the number of objects", async () => {
    const twice = (i: number) => ({
      properties: { p: { $ref: `#/parts/t${i + 1}` }, q: { $ref: `#/parts/t${i + 1}` } },
    });
    const source = { properties: { q: { $ref: "#/parts/t0" } }, parts: { ...members(25, twice), t25: text } };
    expectCounted(await problemOf(read(source)));
  });

  test("are beside allOf keeps both", async () => {
    const { document } = await read({
      $defs: {
        a: { properties: { x: text } },
        b: { properties: { y: text } },
        c: { $ref: "#/$defs/a", allOf: [{ $ref: "#/$defs/b" }] },
      },
    });
    expect(document.entities.find(({ key }) => key === "c")?.attributes.map(({ key }) => key)).toEqual(["x", "y"]);
  });

  const outside = ["https://example.com/x.json", "file:///etc/passwd", "//example.com/x", "../x.json", "data:,{}"];
  test.each(outside)("point outside the document gets warnings, and %s is not fetched", async ($ref) => {
    const { warnings } = await read({ properties: { a: { $ref } } });
    expect(warnings.map(({ detail }) => detail)).toEqual([
      expect.stringContaining("refs to other documents are not resolved"),
    ]);
  });
});

describe("an OpenAPI document whose operations share", () => {
  const parameter = (i: number) => ({ in: "query", name: `q${i}`, schema: text });
  const parameters = Array.from({ length: 1_000 }, (_, i) => parameter(i));
  const headers = members(1_000, () => ({ schema: text }));

  test.each<[string, object, object]>([
    ["a list of parameters", { shared: { parameters, get: {} } }, { $ref: "#/shared" }],
    ["a list of headers", { shared: { headers } }, { get: { responses: { 200: { $ref: "#/shared" } } } }],
  ])("%s many times is refused for a comparison before it is expanded", async (_, shared, item) => {
    const paths = members(10_000, () => item);
    const began = performance.now();
    const problem = await problemOf(read({ openapi: "3.1.0", paths, ...shared }, { operations: true }));
    expect([problem.code, problem.message]).toEqual(["too_large", expect.stringContaining("split it")]);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
