import { expect, test } from "vitest";
import { DIFFERENCE_FORMATS, EXPORT_FORMATS } from "../../shared/domain/values/export-formats.ts";
import { listChoices } from "../../ui/api/description.ts";
import { describedService } from "./support/described-service.ts";

const service = await describedService();

test.each([
  ["model/model_export_as", EXPORT_FORMATS],
  ["model/model_compare_as", DIFFERENCE_FORMATS],
])("the description of %s lists its formats with their texts", (action, formats) => {
  const expected = Object.entries(formats).map(([value, { text }]) => ({ value, text }));
  expect(listChoices(service, action, "format")).toEqual(expected);
});

test("a choice without a text has an empty one, and a parameter without a description has none", () => {
  expect(listChoices(service, "model/model_compare", "scope")).toContainEqual({ value: "structural", text: "" });
  expect(listChoices(service, "model/model_compare", "nothing")).toEqual([]);
  expect(listChoices(service, "model/nothing", "format")).toEqual([]);
});
