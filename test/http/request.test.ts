import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { Problem } from "../../shared/domain/problems.ts";
import { parseControls } from "../../shared/http/read-call.ts";
import {
  isApiPath,
  joinHeaders,
  listMethods,
  parseBearerToken,
  parseRoute,
  readQuery,
  writeQuery,
} from "../../shared/http/request.ts";

function catchProblem(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return `${error.code}: ${error.message}`;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("a path", () => {
  test("begins with a slash", () => {
    expect([parseRoute("/health"), parseRoute("x/health")]).toEqual([{ to: "health" }, undefined]);
  });

  test("of the API is not one of the web application", () => {
    const paths = ["/api", "/api/x", "/%61pi", "/health", "/.well-known/x", "/", "/apis", "/models/api", "/%ff", "api"];
    expect(paths.filter(isApiPath)).toEqual(["/api", "/api/x", "/%61pi", "/health", "/.well-known/x"]);
  });

  test("of an action that is not known to write has HEAD", () => {
    expect(listMethods({ to: "action", group: "g", name: "n" })).toEqual(["GET", "HEAD", "POST", "OPTIONS"]);
  });
});

describe("a query", () => {
  test("is written without absent values, with lists and objects as JSON", () => {
    const values = { a: "x y", b: undefined, c: null, d: "", e: 0, f: false, g: ["1"], h: { i: 2 } };
    expect(writeQuery(Object.entries(values))).toBe("a=x%20y&e=0&f=false&g=%5B%221%22%5D&h=%7B%22i%22%3A2%7D");
  });

  test("may have a pair without a name or without a value", () => {
    expect(readQuery("=x&a&b=")).toEqual([
      ["", "x"],
      ["a", ""],
      ["b", ""],
    ]);
  });

  test("with other characters than visible ASCII is refused, with at most 80 characters of it", () => {
    expect(catchProblem(() => readQuery("a=é"))).toMatch(/^bad_request: .* percent-encoded$/);
    const invalid = `%ff${"x".repeat(200)}`;
    expect(catchProblem(() => readQuery(invalid))).toContain(`"${invalid.slice(0, 80)}" in the query string`);
  });
});

describe("headers", () => {
  test("that were not sent are absent, and repeated ones are joined", () => {
    const pairs = [
      ["A", undefined],
      ["B", "1"],
      ["b", "2"],
    ] as const;
    expect(Object.entries(joinHeaders(pairs))).toEqual([["b", "1,2"]]);
  });

  test("without a token or with one of the longest length are read, and one character more is refused", () => {
    expect(parseBearerToken({})).toBeUndefined();
    const token = "x".repeat(LIMITS.tokenBytes);
    expect(parseBearerToken({ authorization: `Bearer ${token}` })).toBe(token);
    const refusal = catchProblem(() => parseBearerToken({ authorization: `Bearer ${token}x` }));
    expect(refusal).toBe(`not_signed_in: The access token is longer than ${LIMITS.tokenBytes} bytes`);
  });

  test("name a revision by a strong tag", () => {
    const tag = '"01890000-0000-7000-8000-000000000000-3"';
    const read = (header: string) => parseControls({ "if-match": header }, { asRows: false, takesGzip: false }).ifMatch;
    expect(read(tag)).toEqual([{ ledgerId: "01890000-0000-7000-8000-000000000000", revision: 3 }]);
    expect(catchProblem(() => read(`W/${tag}`))).toContain(`${tag} is a weak tag`);
    expect(catchProblem(() => read("*"))).toContain("* does not name a revision");
    expect(catchProblem(() => read(" x , y"))).toContain("If-Match: x , y is not an entity tag");
    expect(catchProblem(() => read(`${tag}, x`))).toContain("If-Match: x is not an entity tag");
    expect(catchProblem(() => read("x".repeat(9_000)))).toContain(`If-Match: ${"x".repeat(80)} is not an entity tag`);
  });
});
