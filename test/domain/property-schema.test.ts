import { expect, test } from "vitest";
import * as z from "zod/mini";
import { constraints } from "../../shared/domain/constraints/check.ts";
import { properties } from "../../shared/domain/values/properties.ts";
import { propertySchema } from "../../shared/domain/values/property-schema.ts";

/** Every JSON value that is no object, and nothing at all. */
const OTHERS = [undefined, null, "x", 5, true, [], [1]];

test.each([
  constraints,
  properties,
  propertySchema,
])("a value of the type $id is an object, and anything else is refused", ({ schema }) => {
  for (const value of OTHERS) {
    const message = z.safeParse(schema() as z.ZodMiniType, value).error?.issues.map((issue) => issue.message);
    expect(message, JSON.stringify(value)).toEqual([expect.stringMatching(/^expected an object, got /)]);
  }
});
