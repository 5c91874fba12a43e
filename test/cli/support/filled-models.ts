import { readFileSync } from "node:fs";
import { join } from "node:path";

type Call = readonly [action: string, payload: object];

const LONG =
  "Whoever has bought from us, in a shop or on the web, or has asked for an offer. One row for each person or company; " +
  "somebody who moves keeps the number. See [the rules](https://wiki.example.com/crm/customers).";

/** The property that all models share. */
export const VOCABULARY: readonly Call[] = [
  [
    "property/definition_create",
    {
      ...{ key: "retentionDays", name: "Days until deletion", kinds: ["entity", "attribute"], impact: "breaking" },
      ...{ description: "How long it is kept once nobody needs it.", schema: { type: "integer", minimum: 0 } },
    },
  ],
];

const text = (key: string, name: string, more: object = {}) => ({
  key,
  name,
  type: "key:text",
  optional: true,
  ...more,
});

/** A model made by hand, with whatever a model can have. */
export const CRM = {
  $schema: "urn:metaction:model:2",
  ...{ key: "crm", name: "Customer relationship management", description: LONG, version: "1.4.0" },
  documentationHome: "https://wiki.example.com/crm",
  properties: { owner: "Sales", classification: "confidential", steward: "mary.shelley@example.com" },
  tags: ["key:privacy/personal", "key:draft"],
  tagGroups: [
    {
      ...{ key: "privacy", name: "Privacy", description: "Who may see what, as the policy of 2026 says." },
      tags: [
        { key: "personal", description: "Data about a person who can be told." },
        { key: "special-category", name: "Special category" },
      ],
    },
  ],
  localTags: [
    { key: "draft", name: "Draft", description: "Not agreed yet." },
    { key: "deprecated_since_2025", name: "Deprecated since 2025" },
  ],
  types: [
    { key: "text", name: "Text" },
    { key: "date" },
    { key: "money", name: "Amount of money", description: "In the currency of the country, with two decimals." },
  ],
  entities: [
    {
      ...{
        key: "customer",
        name: "Customer",
        description: LONG,
        documentationHome: "https://wiki.example.com/crm/customer",
      },
      attributes: [
        text("customer_number", "Customer number", {
          optional: false,
          constraints: { pattern: "^C[0-9]{6}$", unique: true },
        }),
        text("email", "E-mail address", {
          description: "Where invoices go; nobody gets advertisements without consent.",
          ...{ constraints: { format: "email", maxLength: 254 }, tags: ["key:privacy/personal"] },
          properties: { owner: "Sales", retentionDays: 730 },
        }),
        text("preferred_language", "Preferred language", { constraints: { enum: ["de", "en", "fr", "it", "rm"] } }),
        text("date_of_birth", "Date of birth", { type: "key:date", tags: ["key:privacy/personal", "key:draft"] }),
      ],
      primaryKey: ["key:customer_number"],
      tags: ["key:privacy/personal", "key:privacy/special-category"],
      properties: { owner: "Sales", retentionDays: 730 },
    },
    {
      ...{ key: "purchase_order", name: "Purchase order", description: "An order, from the offer to the invoice." },
      attributes: [
        text("number", "Number", { optional: false }),
        text("ordering_customer_number", "Ordering customer", { optional: false }),
        text("total_amount", "Total amount", { type: "key:money", constraints: { minimum: 0 } }),
      ],
      primaryKey: ["key:number"],
    },
    { key: "unknown_yet" },
    { key: "country", attributes: [text("code", "ISO 3166 code", { optional: false })], primaryKey: ["key:code"] },
  ],
  relationships: [
    {
      ...{ key: "customer_places_purchase_order", name: "A customer places purchase orders" },
      description: "Who gets the goods is another matter.",
      roles: [
        { key: "ordering_customer", entity: "key:customer", cardinality: "one" },
        { key: "placed_order", entity: "key:purchase_order", cardinality: "many" },
      ],
      keyPairs: [["key:customer_number", "key:ordering_customer_number"]],
      attributes: [text("sales_channel", "Sales channel", { constraints: { enum: ["shop", "web", "telephone"] } })],
      tags: ["key:draft"],
    },
  ],
  businessKeys: [
    { key: "customer_email", name: "One address, one customer", entity: "key:customer", participants: ["key:email"] },
    {
      ...{ key: "customer_identity", entity: "key:customer" },
      participants: ["key:email", "key:date_of_birth", "key:preferred_language"],
    },
  ],
};

export const SHOP = readFileSync(join(import.meta.dirname, "../../../examples/shop/shop.sql"), "utf8");

const customer = { modelRef: "key:crm", entityRef: "key:customer" };
const email = { ...customer, attributeRef: "key:email" };

/** What people did to that model since it was made, which its history tells. */
export const CRM_WORK: readonly Call[] = [
  ["model/model_release", { modelRef: "key:crm", value: "2.0.0" }],
  ["model/entity_attribute_update_type", { ...customer, attributeRef: "key:date_of_birth", value: "key:text" }],
  ["model/entity_attribute_update_constraints", { ...email, value: { format: "email", maxLength: 320 } }],
  [
    "model/entity_update_description",
    { ...customer, value: `${LONG} Whoever has not bought for ten years is no customer any more.` },
  ],
  ["model/entity_update_property", { ...customer, property: "retentionDays", value: 365 }],
  [
    "model/entity_update_property",
    { ...customer, property: "lineage", value: { system: "SAP", tables: ["KNA1", "KNVV"], since: 2019 } },
  ],
  ["model/entity_attribute_create", { ...customer, attributeKey: "loyalty_level", type: "key:text", optional: true }],
  ["model/entity_attribute_update_key", { ...customer, attributeRef: "key:preferred_language", value: "language" }],
  ["model/entity_delete", { modelRef: "key:crm", entityRef: "key:country" }],
  [
    "model/relationship_attribute_add_tag",
    {
      ...{ modelRef: "key:crm", relationshipRef: "key:customer_places_purchase_order" },
      ...{ attributeRef: "key:sales_channel", tagRef: "key:privacy/personal" },
    },
  ],
];
