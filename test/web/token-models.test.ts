import { expect, test } from "vitest";
import { formatModels } from "../../ui/screens/administration/tokens.tsx";

test("the models of a token are shown as keys and patterns, or as all models", () => {
  expect(formatModels({ models: ["crm*", "id:01a2"], modelsByKey: ["crm*", "key:sales"] }, "Everything")).toBe(
    "crm*, sales",
  );
  expect(formatModels({ models: ["crm*"] }, "Everything")).toBe("crm*");
  expect(formatModels({}, "Everything")).toBe("Everything");
});
