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

test("a quote in a name of PostgreSQL is doubled, and read back as one", async () => {
  const source = { name: "shop", resources: [{ name: 'say "hi"', schema: { fields: [{ name: 'a "b"' }] } }] };
  const { document } = await readContent(source);
  const [entity] = document.entities;
  const renamed = { ...document, entities: [{ ...entity, key: 'say "hi"', attributes: entity?.attributes ?? [] }] };
  const { content } = await createExporter().write(renamed as typeof document, "postgresql");
  expect(content).toContain('CREATE TABLE "say ""hi"""');
  expect((await readContent(content)).document.entities.map(({ name, key }) => name ?? key)).toEqual(['say "hi"']);
});
