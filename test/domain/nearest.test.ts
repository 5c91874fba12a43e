import { describe, expect, test } from "vitest";
import { findNearest } from "../../shared/domain/text/suggestions.ts";

const REFS = ["modelRef", "relationshipRef", "relationshipRoleRef", "name"];

describe("the nearest name", () => {
  test.each([
    ["modlRef", REFS, "modelRef"],
    ["MODELREF", REFS, "modelRef"],
    ["roleRef", REFS, "relationshipRoleRef"],
    ["role_ref", REFS, "relationshipRoleRef"],
    ["roleref", REFS, undefined],
    ["refRole", REFS, undefined],
    ["relationship", REFS, "relationshipRef"],
    ["attribute", ["entityAttributeRef", "attributeKey"], "attributeKey"],
    ["entityName", ["name"], undefined],
    ["model/role_create", ["model/entity_create", "model/relationship_role_create"], "model/relationship_role_create"],
    ["id", ["idOfModel"], undefined],
    ["constructor", REFS, undefined],
    ["x", ["as"], undefined],
    ["in", ["as", "id"], "id"],
  ])("to %j of %j is %j", (word, candidates, found) => {
    expect(findNearest(word, candidates)).toBe(found);
  });
});
