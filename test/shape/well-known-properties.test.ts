import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { WELL_KNOWN } from "../../shared/domain/model/property-definitions.ts";
import { propertySchema } from "../../shared/domain/values/property-schema.ts";

test("the page of properties has a row for each that comes with the service, and no other", () => {
  const page = readFileSync(new URL("../../docs/properties.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `([\w:]+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(WELL_KNOWN.map(({ key }) => key));
});

test("what comes with the service is defined as anybody could define it, each under an id of its own", () => {
  for (const { key, schema } of WELL_KNOWN)
    expect(z.safeParse(propertySchema.schema(), schema).success, key).toBe(true);
  expect(new Set(WELL_KNOWN.map(({ id }) => id)).size).toBe(WELL_KNOWN.length);
});
