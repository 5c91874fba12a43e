import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import { documentOf, entity, joined } from "./diagram-parts.ts";

/** A shop: five entities, a relationship of an entity with itself, one of three roles, and an entity that stands alone. */
export const shop: ModelDocument = documentOf("shop", {
  entities: [
    entity("customer", ["id", "name", "referrer_id"], { name: "Customer", tags: ["key:people"] }),
    entity("order", ["id", "customer_id", "placed_at"], { tags: ["key:legal/retained", "key:sales"] }),
    entity("order_line", ["order_id", "product_id", "amount"], { primaryKey: ["key:order_id", "key:product_id"] }),
    entity("product", ["id", ...Array.from({ length: 20 }, (_, at) => `trait_${at}`), "maker_id"]),
    entity("note", ["id", "text"]),
  ],
  relationships: [
    joined("places", ["customer", "id", "one"], ["order", "customer_id", "many"]),
    joined("contains", ["order", "id", "one"], ["order_line", "order_id", "many"]),
    joined("names", ["order_line", "product_id", "many"], ["product", "id", "zeroOrOne"]),
    joined("refers", ["customer", "referrer_id", "many"], ["customer", "id", "zeroOrOne"]),
    {
      id: "id-of-delivery",
      key: "delivery",
      attributes: [],
      roles: [
        { id: "id-of-goods", key: "goods", entity: "key:product", cardinality: "many" },
        { id: "id-of-receiver", key: "receiver", entity: "key:customer", cardinality: "one" },
        { id: "id-of-reason", key: "reason", entity: "key:order", cardinality: "unknown" },
      ],
    },
  ],
  localTags: [{ key: "people", name: "People" }, { key: "sales" }, { key: "unused" }],
  tagGroups: [{ key: "legal", tags: [{ key: "retained" }] }],
});

/** A model of so many entities in groups of 25, of ten attributes each, that mostly refer to others of their group. */
export function largeModel(count: number): ModelDocument {
  const keyOf = (at: number) => `entity_${at}`;
  const attributes = Array.from({ length: 9 }, (_, at) => `attribute_${at}`);
  const referred = (at: number) => {
    const first = at - (at % 25);
    return at % 7 === 3 ? (at * 31) % at : first + Math.floor((at - first) / 2);
  };
  return documentOf("large", {
    entities: Array.from({ length: count }, (_, at) => entity(keyOf(at), ["id", ...attributes])),
    relationships: Array.from({ length: count }, (_, at) => at)
      .filter((at) => at % 25 > 0)
      .map((at) => joined(`line_${at}`, [keyOf(at), "attribute_0", "many"], [keyOf(referred(at)), "id", "one"])),
  });
}
