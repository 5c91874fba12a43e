import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { WELL_KNOWN } from "../../shared/domain/model/property-definitions.ts";
import { propertySchema } from "../../shared/domain/values/property-schema.ts";

test("the page of properties has a row for each built-in definition, and no other", () => {
  const page = readFileSync(new URL("../../docs/properties.md", import.meta.url), "utf8");
  expect([...page.matchAll(/^\| `([\w:]+)` \|/gm)].map(([, name]) => name)).toEqual(WELL_KNOWN.map(({ key }) => key));
});

test("built-in definitions are valid as user definitions, each with a different id", () => {
  for (const { key, schema } of WELL_KNOWN)
    expect(z.safeParse(propertySchema.schema(), schema).success, key).toBe(true);
  expect(new Set(WELL_KNOWN.map(({ id }) => id)).size).toBe(WELL_KNOWN.length);
});
