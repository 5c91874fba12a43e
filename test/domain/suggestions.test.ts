import { expect, test } from "vitest";
import { findMisspelling } from "../../shared/domain/text/suggestions.ts";

const KNOWN = ["name", "type", "title", "constraints", "fields", "primaryKey", "licenses", "format", "sources", "path"];

test.each([
  ["contraints", "constraints"],
  ["constrains", "constraints"],
  ["constraint", "constraints"],
  ["cosntraints", "constraints"],
  ["Title", "title"],
  ["titel", "title"],
  ["feilds", "fields"],
  ["field", "fields"],
  ["primarykey", "primaryKey"],
  ["primaryKeys", "primaryKey"],
  ["license", "licenses"],
  ["source", "sources"],
  ["fromat", "format"],
])("%s is a misspelling of %s", (word, meant) => {
  expect(findMisspelling(word, KNOWN)).toBe(meant);
});

test.each([
  "constraints",
  "names",
  "date",
  "note",
  "contact",
  "countryCode",
  "custom_checks",
  "lastModified",
  "id",
  "unit",
])("%s is not a misspelling", (word) => {
  expect(findMisspelling(word, KNOWN)).toBeUndefined();
});
