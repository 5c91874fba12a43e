import { expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { createExporter } from "../../../shared/formats/exporter.ts";
import { readContent } from "../reading.ts";

/** What is said of the diagram of so many entities, with so many relationships between the first two. */
async function warningsOf(entities: number, relationships: number): Promise<readonly string[]> {
  const { document } = await readContent({
    $schema: "urn:metaction:model:2",
    key: "m",
    entities: Array.from({ length: entities }, (_, i) => ({ key: `e${i}` })),
    relationships: Array.from({ length: relationships }, (_, i) => ({
      key: `r${i}`,
      roles: [
        { key: "a", entity: "key:e0", cardinality: "many" },
        { key: "b", entity: "key:e1", cardinality: "one" },
      ],
    })),
  });
  const { content, warnings } = await createExporter().write(document, "svg");
  // However it is laid out, everything is in it.
  for (let i = 0; i < entities; i++) expect(content).toContain(`>e${i}<`);
  return warnings.map(({ detail }) => detail);
}

const PACKED = "the diagram is too large for a layout by relationships";

test("a diagram of at most diagramBoxes boxes is laid out by its lines, and a larger one in rows", async () => {
  expect(LIMITS.diagramBoxes).toBe(400);
  expect(await warningsOf(LIMITS.diagramBoxes, 1)).toEqual([]);
  expect(await warningsOf(LIMITS.diagramBoxes + 1, 1)).toEqual([PACKED]);
});

test("a diagram of at most diagramLines lines is laid out by them, and one with more in rows", async () => {
  expect(LIMITS.diagramLines).toBe(800);
  expect(await warningsOf(2, LIMITS.diagramLines)).toEqual([]);
  expect(await warningsOf(2, LIMITS.diagramLines + 1)).toEqual([PACKED]);
});
