import { describe, expect, test } from "vitest";
import { mergeComparison, type Side } from "../../shared/diagram/compared-model.ts";
import { createGraph } from "../../shared/diagram/graph-of-model.ts";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import { shop } from "./support/diagram-models.ts";
import { entity, joined } from "./support/diagram-parts.ts";

/** The shop later: an entity and a relationship are gone, another is new, one is renamed, one has lost an attribute. */
const later: ModelDocument = {
  ...shop,
  entities: [
    ...shop.entities
      .filter(({ key }) => key !== "note" && key !== "product")
      .map((one) => (one.key === "order" ? { ...one, key: "purchase" } : one))
      .map((one) => (one.key === "purchase" ? { ...one, attributes: one.attributes.slice(0, 2) } : one)),
    entity("parcel", ["id", "order_id"]),
  ],
  relationships: [
    joined("places", ["customer", "id", "one"], ["purchase", "customer_id", "many"]),
    joined("contains", ["purchase", "id", "zeroOrOne"], ["order_line", "order_id", "many"]),
    joined("refers", ["customer", "referrer_id", "many"], ["customer", "id", "zeroOrOne"]),
    joined("sends", ["purchase", "id", "one"], ["parcel", "order_id", "many"]),
  ],
};

function signsOf(base: ModelDocument, side: Side): Readonly<Record<string, string>> {
  const entries = compareModels(shop, later, { sameModel: true, scope: "complete" });
  const { document, signs } = mergeComparison(base, entries, side);
  const graph = createGraph(document, signs);
  const told: [string, string][] = [];
  for (const { key, sign, attributes } of graph.entities) {
    if (sign) told.push([key, sign]);
    for (const row of attributes)
      if (row.sign && sign !== "added" && sign !== "removed") told.push([`${key}.${row.key}`, row.sign]);
  }
  for (const { key, sign, ends } of graph.relationships) if (sign) told.push([`${key} of ${ends.length}`, sign]);
  return Object.fromEntries(told.sort());
}

describe("two sides of a comparison in one diagram", () => {
  test.each([
    ["right", later, "purchase"],
    ["left", shop, "order"],
  ] as const)("shows objects of one side only as removed or added, next to the %s side", (side, base, renamed) =>
    expect(signsOf(base, side)).toEqual({
      note: "removed",
      parcel: "added",
      product: "removed",
      [renamed]: "changed",
      [`${renamed}.placed_at`]: "removed",
      "contains of 2": "changed",
      "delivery of 3": "removed",
      "names of 2": "removed",
      "places of 2": "changed",
      "sends of 2": "added",
    }));

  test("keeps the attributes and the primary key of a removed entity", () => {
    const entries = compareModels(shop, later, { sameModel: true, scope: "complete" });
    const { document, signs } = mergeComparison(later, entries);
    const product = createGraph(document, signs).entities.find(({ key }) => key === "product");
    expect(product?.attributes.filter(({ inKey }) => inKey).map(({ key }) => key)).toEqual(["id"]);
    expect(product?.attributes).toHaveLength(22);
  });

  test("distinguishes a removed entity from a new one of the same key", () => {
    const entities = shop.entities.map((one) => (one.key === "note" ? { ...one, id: "another" } : one));
    const swapped = { ...shop, entities };
    const entries = compareModels(shop, swapped, { sameModel: true, scope: "complete" });
    const { document, signs } = mergeComparison(swapped, entries);
    const notes = createGraph(document, signs).entities.filter(({ key }) => key === "note");
    expect(notes.map(({ sign }) => sign).sort()).toEqual(["added", "removed"]);
  });
});
