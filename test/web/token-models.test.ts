import { expect, test } from "vitest";
import { modelsOf } from "../../ui/screens/administration/tokens.tsx";

test("the models of a token read as keys and patterns, and as everything where it is for all", () => {
  expect(modelsOf({ models: ["crm*", "id:01a2"], modelsByKey: ["crm*", "key:sales"] }, "Everything")).toBe(
    "crm*, sales",
  );
  expect(modelsOf({ models: ["crm*"] }, "Everything")).toBe("crm*");
  expect(modelsOf({}, "Everything")).toBe("Everything");
});
