import { expect, test } from "vitest";
import { createSearchReader, readNumber, readOneOf, readText, readTexts } from "../../ui/app/search-params.ts";

const read = createSearchReader({ q: readText, page: readNumber, sort: readOneOf("key", "name"), tags: readTexts });

test("an address has the values of its parsers, without invalid ones", () => {
  const given = { q: "a", page: 2, sort: "name", tags: ["x", "", "y"] };
  expect(read(given)).toEqual({ ...given, tags: ["x", "y"] });
  expect(read({ q: "", page: "two", sort: "size", tags: [], other: 1 })).toEqual({});
  expect(read({ q: 7, tags: "x" })).toEqual({ q: "7", tags: ["x"] });
});
