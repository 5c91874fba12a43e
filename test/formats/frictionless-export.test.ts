import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createExporter } from "../../shared/formats/exporter.ts";
import { readContent } from "./reading.ts";

const exporter = createExporter();

async function thereAndBack(source: object) {
  const { document, warnings } = await readContent(source);
  const { content, ...file } = await exporter.write(document, "frictionless");
  return { descriptor: JSON.parse(content), file, document, warnings };
}

const FIELDS = [
  {
    name: "id",
    title: "Id",
    type: "integer",
    constraints: { required: true, unique: true, minimum: 1, exclusiveMaximum: "100" },
    bareNumber: false,
    groupChar: ",",
  },
  { name: "prénom", type: "string", format: "email", description: "First\nname", rdfType: "http://schema.org/name" },
  { name: "state", type: "string", constraints: { enum: ["a", "b"], pattern: "^.$", jsonSchema: {} }, example: "a" },
  { name: "since", type: "date", format: "%d/%m/%Y", constraints: { minimum: "01/01/2020", maximum: "01/01/2030" } },
  { name: "flag", type: "boolean", trueValues: ["oui"], falseValues: ["non"], missingValues: ["-"] },
  { name: "rank", type: "list", itemType: "integer", delimiter: ";", categories: [1, 2], categoriesOrdered: true },
  { name: "price", type: "number", decimalChar: ",", custom: { deep: [null, "", 0] }, examples: ["1", "2"] },
];

const PACKAGE = {
  $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
  profile: "tabular-data-package",
  name: "shop",
  id: "doi:10.1/2",
  title: { "": "Boutique", en: "Shop" },
  description: "All of it.",
  homepage: "https://example.org",
  version: "v2.0.0",
  created: "2024-05-01T10:00:00Z",
  image: "shop.png",
  keywords: ["open data", "sales"],
  licenses: [{ name: "CC-BY-4.0", path: "https://creativecommons.org/licenses/by/4.0/" }],
  sources: [{ title: "Till", path: "https://example.org/till" }],
  contributors: [{ title: "Ada", roles: ["author"] }],
  languages: ["fr", "en"],
  countryCode: "FR",
  contact: { email: "ada@example.org" },
  resources: [
    {
      name: "customer",
      type: "table",
      path: ["customer-1.csv", "customer-2.csv"],
      title: "Customers",
      description: "Who buys",
      homepage: "https://example.org/customer",
      format: "csv",
      mediatype: "text/csv",
      encoding: "utf-8",
      bytes: 12,
      hash: "sha256:abc",
      licenses: [{ name: "ODbL" }],
      sources: [{ title: "CRM" }],
      keywords: ["people"],
      dialect: { delimiter: ";", header: true, quoteChar: "'" },
      primaryKeys: ["id"],
      schema: {
        $schema: "https://datapackage.org/profiles/2.0/tableschema.json",
        name: "customer schema",
        description: "Loses",
        licenses: [{ name: "MIT" }],
        custom: 1,
        fields: FIELDS,
        primaryKey: ["id"],
        uniqueKeys: [["prénom", "state"], ["price"]],
        missingValues: [{ value: "", label: "none" }],
        fieldsMatch: "subset",
        foreignKeys: [
          { fields: "id", reference: { resource: "order", fields: "buyer" }, predicate: "dct:references" },
          { fields: ["since"], reference: { resource: "", fields: ["since"] }, title: "Again" },
          { fields: "state", reference: { package: "https://example.org/p.json", resource: "state", fields: "code" } },
        ],
      },
    },
    {
      name: "order",
      path: "order.csv",
      schema: {
        fields: [
          { name: "no", type: "string" },
          { name: "buyer", type: "integer" },
        ],
        primaryKey: "no",
      },
    },
    { name: "readme", path: "README.md", title: "Read me", mediatype: "text/markdown" },
  ],
};

describe("a Frictionless descriptor that is imported and exported", () => {
  test("is unchanged: a Data Package with every member of the profiles", async () => {
    const { descriptor, file, document, warnings } = await thereAndBack(PACKAGE);
    expect(descriptor).toEqual(PACKAGE);
    expect(file).toEqual({
      format: "frictionless",
      mediaType: "application/json",
      fileName: "datapackage.json",
      warnings: [],
    });
    expect(warnings.filter((w) => w.code === "not_carried_over")).toEqual([]);
    expect(document.relationships.map((r) => r.key)).toEqual(["customer_id", "customer_since"]);
    expect(document.businessKeys.map((k) => k.key)).toEqual(["customer_id", "customer_prenom_state", "customer_price"]);
  });

  const schema = {
    $schema: "https://frictionlessdata.io/schemas/table-schema.json",
    name: "offices",
    title: "offices",
    description: "",
    version: "0.0.1",
    keywords: ["b", " a ", "b"],
    lastModified: "2024-01-01",
    resources: [{ title: "Example", path: "https://example.org/x.csv" }],
    path: "https://example.org/schema.json",
    fields: [{ name: "a", type: "any", title: "a", description: "" }],
    missingValues: [""],
    primaryKey: ["a"],
  };
  const both = { "é x": 1, custom: { a: 1 }, "it's": [] };
  const inner = { ...both, $schema: "s", keywords: ["b"], version: "1", fields: [{ name: "a", type: "string", é: 0 }] };

  test.each<[title: string, fileName: string, source: object]>([
    ["a Table Schema with further members", "schema.json", schema],
    ["a Table Schema without a name", "schema.json", { title: "T", fields: [{ name: "a", type: "string" }] }],
    [
      "members of a schema and its resource with the same names, and with invalid names of properties",
      "datapackage.json",
      {
        name: "p",
        "é x": 0,
        resources: [
          { name: "r", path: "r.csv", $schema: "r", keywords: ["a"], ...both, schema: inner },
          { name: "s", path: "s.csv", schema: { ü: true, plain: 1, fields: [{ name: "a", type: "string" }] } },
        ],
      },
    ],
    [
      "a table and a field whose names are spaces",
      "datapackage.json",
      {
        name: "shop",
        resources: [{ name: " ", data: [], schema: { fields: ["  ", "a"].map((name) => ({ name, type: "any" })) } }],
      },
    ],
  ])("is unchanged: %s", async (_, fileName, source) => {
    const { descriptor, file } = await thereAndBack(source);
    expect(descriptor).toEqual(source);
    expect(file).toMatchObject({ fileName, warnings: [] });
  });

  const text = fc.string({ unit: fc.constantFrom("a", "B", "é", "'", "_", "2", " "), minLength: 1, maxLength: 4 });
  const name = text.filter((t) => t.trim() !== "");
  const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.constant(""));
  const json = fc.oneof(leaf, fc.array(leaf, { maxLength: 2 }), fc.dictionary(text, leaf, { maxKeys: 2 }));
  const field = fc.record(
    {
      name,
      type: fc.constantFrom("string", "integer", "date", "any", "list"),
      title: fc.oneof(text, fc.constant(""), fc.record({ en: name })),
      description: text,
      format: fc.constantFrom("email", "%Y", "x\ny"),
      constraints: fc.record(
        {
          required: fc.constant(true),
          unique: fc.boolean(),
          minimum: fc.oneof(fc.integer(), fc.constantFrom("1", "2020-01-01")),
          maximum: fc.integer(),
          minLength: fc.integer({ min: -1, max: 3 }),
          enum: fc.array(fc.constantFrom("a", "b", 1)),
          pattern: text,
          odd: json,
        },
        { requiredKeys: [] },
      ),
      rdfType: text,
      "é x": json,
    },
    { requiredKeys: ["name", "type"] },
  );
  const names = (fields: readonly { readonly name: string }[]) =>
    fc.subarray([...new Set(fields.map((f) => f.name))].slice(0, 2), { minLength: 1 });
  const oneOrList = (list: readonly string[], alone: boolean) => (alone && list.length === 1 ? list[0] : list);
  const randomSchema = fc.array(field, { minLength: 1, maxLength: 4 }).chain((fields) =>
    fc
      .tuple(names(fields), fc.array(names(fields), { maxLength: 2 }), names(fields), fc.boolean(), fc.boolean())
      .map(([key, unique, foreign, alone, isKeyed]) => ({
        fields,
        ...(isKeyed && { primaryKey: oneOrList(key, alone) }),
        ...(unique.length > 0 && { uniqueKeys: unique }),
        ...(alone && {
          foreignKeys: [{ fields: oneOrList(foreign, isKeyed), reference: { resource: "", fields: foreign } }],
        }),
      })),
  );

  test("is unchanged: random Table Schemas and packages", async () => {
    const seen = { kept: 0, business: 0 };
    const head = fc.record(
      {
        name,
        title: text,
        description: text,
        version: fc.constantFrom("1.0.0", "v1.0.0", "x"),
        keywords: fc.array(text),
        licenses: json,
      },
      { requiredKeys: ["name"] },
    );
    const resources = fc.array(
      fc.tuple(head, randomSchema).map(([own, table]) => ({ ...own, path: "x.csv", schema: table })),
      { minLength: 1, maxLength: 3 },
    );
    const descriptor = fc.oneof(
      fc.tuple(head, randomSchema).map(([own, table]) => ({ ...own, ...table })),
      fc.tuple(head, resources).map(([own, list]) => ({ ...own, resources: list })),
    );
    await fc.assert(
      fc.asyncProperty(descriptor, async (source) => {
        const { descriptor: back, document } = await thereAndBack(source);
        expect(normal(back)).toEqual(normal(source));
        seen.kept += Object.keys(document.properties ?? {}).length;
        seen.business += document.businessKeys.length;
      }),
      { numRuns: 300 },
    );
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(50);
  }, 60_000);
});

/** A descriptor without what only its order or a default tells: the order of resources and of keys, nulls and empty constraints. */
function normal(value: unknown, member = ""): unknown {
  if (Array.isArray(value)) {
    const list = value.map((one) => normal(one));
    return ["resources", "uniqueKeys", "foreignKeys", "keywords"].includes(member)
      ? list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : list;
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value)
    .map(([name, inner]) => [name, normal(inner, name)] as const)
    .filter(([name, inner]) => !(name === "constraints" && JSON.stringify(inner) === "{}"));
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describe("a model without a source", () => {
  const document = {
    $schema: "urn:metaction:model:2",
    key: "crm",
    name: "CRM",
    version: "1.2.0",
    tags: ["key:pii", "key:g/t"],
    properties: { owner: "Ada", "dbt:meta": { a: 1 }, resources: "clash" },
    types: [{ key: "text", description: "Text." }, { key: "integer" }],
    localTags: [{ key: "pii", name: "Personal", description: "Data of people." }],
    tagGroups: [{ key: "g", tags: [{ key: "t" }] }],
    entities: [
      {
        key: "customer",
        name: "Customer",
        attributes: [
          { key: "id", type: "key:integer", optional: false, constraints: { unit: "kg", minimum: 1 } },
          { key: "email", type: "key:text", optional: true, tags: ["key:pii"] },
        ],
        primaryKey: ["key:id"],
      },
      { key: "order", attributes: [{ key: "buyer", type: "key:integer", optional: true }], primaryKey: [] },
    ],
    relationships: [
      {
        key: "buys",
        name: "Buys",
        roles: [
          { key: "a", name: "Buyer", entity: "key:customer", cardinality: "one" },
          { key: "b", entity: "key:order", cardinality: "many" },
        ],
        keyPairs: [["key:id", "key:buyer"]],
        attributes: [],
      },
      {
        key: "knows",
        roles: [
          { key: "a", entity: "key:customer", cardinality: "many" },
          { key: "b", entity: "key:customer", cardinality: "many" },
        ],
        attributes: [],
      },
    ],
    businessKeys: [{ key: "mail", name: "Mail", entity: "key:customer", participants: ["key:email"] }],
  };

  test("becomes a Data Package, which is unchanged after an import", async () => {
    const { descriptor } = await thereAndBack(document);
    expect(descriptor).toEqual({
      $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
      name: "crm",
      title: "CRM",
      version: "1.2.0",
      owner: "Ada",
      "dbt:meta": { a: 1 },
      keywords: ["Personal"],
      resources: [
        {
          name: "customer",
          title: "Customer",
          data: [],
          schema: {
            fields: [
              { name: "id", type: "integer", constraints: { required: true, unit: "kg", minimum: 1 } },
              { name: "email", type: "string" },
            ],
            primaryKey: "id",
            uniqueKeys: [["email"]],
          },
        },
        {
          name: "order",
          data: [],
          schema: {
            fields: [{ name: "buyer", type: "integer" }],
            foreignKeys: [
              { name: "buys", title: "Buys", fields: "buyer", reference: { resource: "customer", fields: "id" } },
            ],
          },
        },
      ],
    });
    const again = await thereAndBack(descriptor);
    expect(again.descriptor).toEqual(descriptor);
    expect(again.document.relationships[0]).toMatchObject({
      key: "buys",
      name: "Buys",
      keyPairs: [["key:id", "key:buyer"]],
    });
  });

  test("follows changes after the import, and drops the source's notation of changed members", async () => {
    const { document: imported } = await readContent({
      name: "t",
      title: { "": "Old", en: "Old too" },
      version: "v1.0.0",
      fields: [{ name: "été", type: "integer", constraints: { minimum: "1", jsonSchema: {} } }],
    });
    const [entity] = imported.entities;
    const changed = {
      ...imported,
      version: "1.1.0",
      entities: [
        { ...entity, name: "New", attributes: entity?.attributes.map((a) => ({ ...a, constraints: { minimum: 2 } })) },
      ],
    };
    const { descriptor, file } = await thereAndBack(changed);
    expect(descriptor).toEqual({
      name: "t",
      title: "New",
      version: "1.1.0",
      fields: [{ name: "été", type: "integer", constraints: { minimum: 2, jsonSchema: {} } }],
    });
    expect(file.warnings.map(({ detail }) => detail)).toEqual([
      "a Table Schema has the name of its entity, which differs from the model",
    ]);
  });
});
