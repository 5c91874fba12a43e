import { expect, test } from "vitest";
import { findMisspelling, findNearest } from "../../shared/domain/text/suggestions.ts";

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
  ["lisenzes", "licenses"],
  ["source", "sources"],
  ["fromat", "format"],
])("%s is a misspelling of %s", (word, meant) => expect(findMisspelling(word, KNOWN)).toBe(meant));

test.each([
  ...["constraints", "names", "date", "note", "contact", "countryCode", "custom_checks", "lastModified", "id"],
  "unit",
])("%s is not a misspelling", (word) => expect(findMisspelling(word, KNOWN)).toBeUndefined());

const REFS = ["modelRef", "relationshipRef", "relationshipRoleRef", "name"];

test.each([
  ["modlRef", REFS, "modelRef"],
  ["MODELREF", REFS, "modelRef"],
  ["roleRef", REFS, "relationshipRoleRef"],
  ["role_ref", REFS, "relationshipRoleRef"],
  ["--role--ref", REFS, "relationshipRoleRef"],
  ["roleref", REFS, undefined],
  ["refRole", REFS, undefined],
  ["relationship", REFS, "relationshipRef"],
  ["attribute", ["entityAttributeRef", "attributeKey"], "attributeKey"],
  ["attribute", ["attributeRef", "attributeKey"], "attributeRef"],
  ["entityName", ["name"], undefined],
  ["role", ["roleNames", "roleKey", "roleRef"], "roleKey"],
  ["model/role_create", ["model/entity_create", "model/relationship_role_create"], "model/relationship_role_create"],
  ["id", ["idOfModel"], undefined],
  ["constructor", REFS, undefined],
  ["x", ["as"], undefined],
  ["in", ["as", "id"], "id"],
])("the nearest name to %j of %j is %j", (word, candidates, found) =>
  expect(findNearest(word, candidates)).toBe(found));

test("a long word is not compared with short names", () => {
  // A million letters by ten thousand names would take minutes.
  expect(findNearest("m".repeat(1_000_000), Array(10_000).fill("modelRef"))).toBeUndefined();
});
