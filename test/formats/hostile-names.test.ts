import { expect, test } from "vitest";
import { createExporter } from "../../shared/formats/exporter.ts";
import { readContent } from "./reading.ts";

test("a key of spaces is written as a name that can be read back", async () => {
  const source = {
    name: "shop",
    resources: [{ name: " ", data: [], schema: { fields: [{ name: "  " }, { name: "a" }] } }],
  };
  const { document } = await readContent(source);
  const keysOf = ({ entities }: typeof document) =>
    entities.map(({ key, attributes }) => [key, attributes.map((a) => a.key)]);
  expect(keysOf(document)).toEqual([[" ", ["  ", "a"]]]);
  const { content } = await createExporter().write(document, "frictionless");
  expect(keysOf((await readContent(content)).document)).toEqual(keysOf(document));
});
