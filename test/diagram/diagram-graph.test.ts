import { describe, expect, test } from "vitest";
import { isDiamond, isLoop } from "../../shared/diagram/diagram-graph.ts";
import {
  createEntityBox,
  createLines,
  findNodesWithin,
  findRowMiddle,
  MAX_ROWS,
} from "../../shared/diagram/diagram-nodes.ts";
import { fitText, measureText } from "../../shared/diagram/diagram-text.ts";
import { createGraph } from "../../shared/diagram/graph-of-model.ts";
import { shop } from "./support/diagram-models.ts";
import { documentOf, entity, joined } from "./support/diagram-parts.ts";

const graph = createGraph(shop);
const entityIn = (key: string) => {
  const found = graph.entities.find((one) => one.key === key);
  if (!found) throw new Error(`no entity ${key}`);
  return found;
};

describe("the graph of a model", () => {
  test("marks attributes of the primary key and of joins", () =>
    expect(entityIn("order_line").attributes.map(({ key, inKey, inPair }) => [key, inKey, inPair])).toEqual([
      ["order_id", true, true],
      ["product_id", true, true],
      ["amount", false, false],
    ]));

  test("connects the ends of a relationship to the rows of its key pairs, in the order of its roles", () => {
    const places = graph.relationships.find(({ key }) => key === "places");
    expect(places?.ends.map(({ entity: id, attributes, cardinality }) => [id, attributes, cardinality])).toEqual([
      ["id-of-customer", ["id"], "one"],
      ["id-of-order", ["customer_id"], "many"],
    ]);
  });

  test("has only used tags, those of groups too, and omits a line without its entity", () => {
    expect(graph.tags.map(({ ref, name }) => [ref, name])).toEqual([
      ["key:legal/retained", undefined],
      ["key:people", "People"],
      ["key:sales", undefined],
    ]);
    const relationships = [joined("r", ["a", "id", "one"], ["gone", "id", "many"])];
    const torn = documentOf("torn", { entities: [entity("a", ["id"])], relationships });
    expect(createGraph(torn).relationships).toEqual([]);
  });

  test("recognises loops and diamonds, and has a line for each role of a diamond", () => {
    expect(graph.relationships.filter(isLoop).map(({ key }) => key)).toEqual(["refers"]);
    expect(graph.relationships.filter(isDiamond).map(({ key }) => key)).toEqual(["delivery"]);
    const lines = createLines(graph).filter(({ relationship }) => relationship.key === "delivery");
    expect(lines.map(({ id, from, to }) => [id, from.node, to.node, to.role])).toEqual([
      ["id-of-delivery/0", "diamond:id-of-delivery", "id-of-product", "goods"],
      ["id-of-delivery/1", "diamond:id-of-delivery", "id-of-customer", "receiver"],
      ["id-of-delivery/2", "diamond:id-of-delivery", "id-of-order", "reason"],
    ]);
  });

  test("labels the roles whose name differs from their entity", () => {
    const told = createLines(graph).map(({ id, from, to }) => [id, from.isInformative, to.isInformative]);
    expect(told).toContainEqual(["id-of-places", false, false]);
    expect(told).toContainEqual(["id-of-refers", false, false]);
    expect(told).toContainEqual(["id-of-delivery/0", undefined, true]);
  });
});

describe("the box of an entity", () => {
  test("shows a limited number of attributes, keys and joins first, and counts the others", () => {
    const attributes = entityIn("product").attributes.map((a) => ({ ...a, inPair: a.key === "maker_id" }));
    const box = createEntityBox({ ...entityIn("product"), attributes });
    const traits = Array.from({ length: 10 }, (_, at) => `trait_${at}`);
    expect(box.rows.map(({ key }) => key)).toEqual(["id", ...traits, "maker_id"]);
    expect([box.rows.length, box.excess]).toEqual([MAX_ROWS, 10]);
  });

  test("is as high as its rows, and a row is found by its attribute", () => {
    const box = createEntityBox(entityIn("order"));
    expect(box.height).toBe(34 + 3 * 22 + 6);
    expect(findRowMiddle(box, "customer_id")).toBe(34 + 22 + 11);
    expect(findRowMiddle(box, undefined)).toBe(17);
    expect(findRowMiddle(createEntityBox(entityIn("product")), "trait_19")).toBe(34 + 12 * 22 + 11);
    expect(createEntityBox(entityIn("customer")).headerHeight).toBe(50);
  });

  test("keeps to its widths, however long a key is", () => {
    const entities = [entity("k".repeat(128), ["a".repeat(128)]), entity("b", ["c"])];
    const long = createGraph(documentOf("m", { entities }));
    expect(long.entities.map((one) => createEntityBox(one).width)).toEqual([304, 176]);
  });
});

test("a text with a maximum width is shortened with an ellipsis only if it does not fit", () => {
  const face = { size: 12, mono: true };
  expect(fitText("short", face, 100)).toBe("short");
  const cut = fitText("a_very_long_name_of_a_column", face, 100);
  expect(cut).toMatch(/^a_very.*…$/);
  expect(measureText(cut, face)).toBeLessThanOrEqual(100 + 12);
});

describe("the neighbours of an entity", () => {
  const within = (key: string, distance: number) => [...findNodesWithin(graph, `id-of-${key}`, distance)].sort();

  test("are reached over a number of relationships, with the diamonds whose roles are all shown", () => {
    expect(within("note", 3)).toEqual(["id-of-note"]);
    expect(within("order_line", 1)).toEqual(["id-of-order", "id-of-order_line", "id-of-product"]);
    expect(within("order_line", 2)).toEqual([
      "diamond:id-of-delivery",
      "id-of-customer",
      "id-of-order",
      "id-of-order_line",
      "id-of-product",
    ]);
    expect(within("customer", 1)).toEqual(["diamond:id-of-delivery", "id-of-customer", "id-of-order", "id-of-product"]);
  });
});
