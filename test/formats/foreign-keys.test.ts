import { describe, expect, test } from "vitest";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { listParts, pointers, readContent } from "./reading.ts";

const required = { constraints: { required: true } };

/** A package with the table `book` (isbn, volume) and a table `loan` of these fields and foreign keys. */
function library(loan: object, book: object = {}) {
  const books = { fields: [{ name: "isbn" }, { name: "volume" }], primaryKey: ["isbn", "volume"], ...book };
  return {
    name: "library",
    resources: [
      { name: "book", schema: { ...books, fields: books.fields.map((f) => ({ ...f, ...required })) } },
      {
        name: "loan",
        schema: { fields: [{ name: "book", ...required }, { name: "volume" }, { name: "no" }], ...loan },
      },
    ],
  };
}

const listRelationships = (document: ModelDocument) => listParts({ ...document, entities: [], businessKeys: [] });

const toBook = (fields: unknown, referred: unknown) => ({ fields, reference: { resource: "book", fields: referred } });
const toOther = (reference: object) => ({ fields: "book", reference });

describe("a foreign key", () => {
  test("becomes a relationship of the two entities", async () => {
    const { document, warnings } = await readContent(library({ foreignKeys: [toBook("book", "isbn")] }));
    expect(listRelationships(document)).toEqual(["loan_book: book one - loan many (isbn = book)"]);
    expect(Object.keys(document.relationships[0] ?? {}).sort()).toEqual(["attributes", "key", "keyPairs", "roles"]);
    expect(warnings).toEqual([]);
  });

  test("of several fields becomes one relationship", async () => {
    const { document } = await readContent(library({ foreignKeys: [toBook(["book", "volume"], ["isbn", "volume"])] }));
    expect(listRelationships(document)).toEqual([
      "loan_book_volume: book zeroOrOne - loan many (isbn = book, volume = volume)",
    ]);
  });

  test.each([
    ["book", "one", "all its fields are required", { fields: [{ name: "book", ...required }] }, ["book"]],
    ["book", "zeroOrOne", "a field is not required", { fields: [{ name: "book" }] }, ["book"]],
    ["book", "zeroOrOne", "one of its fields is not required", {}, ["book", "volume"]],
    ["loan", "zeroOrOne", "a unique field", { fields: [{ name: "book", constraints: { unique: true } }] }, ["book"]],
    ["loan", "many", "no unique field", { fields: [{ name: "book", constraints: { unique: false } }] }, ["book"]],
    ["loan", "zeroOrOne", "the primary key", { primaryKey: "book" }, ["book"]],
    ["loan", "many", "part of the primary key", { primaryKey: ["book", "no"] }, ["book"]],
    ["loan", "zeroOrOne", "the primary key in another order", { primaryKey: ["volume", "book"] }, ["book", "volume"]],
    ["loan", "zeroOrOne", "more than the primary key", { primaryKey: "volume" }, ["book", "volume"]],
    ["loan", "zeroOrOne", "a unique key", { uniqueKeys: [["no"], ["book", "volume"]] }, ["book", "volume"]],
    ["loan", "zeroOrOne", "a unique key of one field", { uniqueKeys: ["book"] }, ["book"]],
    ["loan", "many", "part of a unique key", { uniqueKeys: [["book", "volume"]] }, ["book"]],
    ["loan", "many", "a unique key of an unknown field", { uniqueKeys: [["book", "x"], [], 5] }, ["book"]],
    ["loan", "many", "no key at all", {}, ["book"]],
  ])("has rows on the side of %s: %s, with %s", async (side, cardinality, _, loan, fields) => {
    const referred = ["isbn", "volume"].slice(0, fields.length);
    const { document } = await readContent(library({ ...loan, foreignKeys: [toBook(fields, referred)] }));
    expect(document.relationships[0]?.roles.find(({ key }) => key === side)?.cardinality).toBe(cardinality);
  });

  const itself = ["", null, undefined, "tree"];
  test.each(itself)("of a table to itself (%j) has two roles for one entity", async (resource) => {
    const { document, warnings } = await readContent({
      name: "tree",
      fields: [{ name: "id" }, { name: "parent" }],
      primaryKey: "id",
      foreignKeys: [{ fields: ["parent"], reference: { ...(resource !== undefined && { resource }), fields: ["id"] } }],
    });
    expect(listRelationships(document)).toEqual(["tree_parent: tree as parent zeroOrOne - tree many (id = parent)"]);
    expect(pointers(warnings)).toEqual(["/primaryKey"]);
  });

  test("numbers the second of two roles with the same key", async () => {
    const foreignKeys = [{ fields: "node", reference: { fields: "node" } }];
    const { document } = await readContent({ name: "node", fields: [{ name: "node" }], foreignKeys });
    expect(listRelationships(document)).toEqual(["node_node: node many - node as node_2 zeroOrOne (node = node)"]);
  });

  test("has a key and valid names, which is reported where they had to change", async () => {
    const long = "x".repeat(LIMITS.keyCharacters);
    const { document, warnings } = await readContent({
      name: "p",
      resources: [
        {
          name: "été",
          schema: {
            fields: ["l'an", long].map((name) => ({ name, ...required })),
            foreignKeys: [
              { fields: "l'an", reference: { resource: "été", fields: "l'an" } },
              { fields: ["l'an"], reference: { resource: "", fields: ["l'an"] } },
              { fields: long, reference: { resource: "", fields: long } },
            ],
          },
        },
      ],
    });
    expect(document.relationships.map((r) => r.key)).toEqual(["ete_l_an", "ete_l_an_2", `ete_${"x".repeat(124)}`]);
    const made = warnings.filter(({ pointers: places }) => places.some((place) => place.includes("foreignKeys")));
    expect(made.map(({ code, detail, pointers: places }) => [code, detail, ...places])).toEqual([
      ["key_made", 'the key is in use, so it became "ete_l_an_2"', "/resources/0/schema/foreignKeys/1"],
      ["key_made", `is not a valid key, so it became "ete_${"x".repeat(124)}"`, "/resources/0/schema/foreignKeys/2"],
    ]);
  });

  test("finds a resource by its name first, then by the name of its schema", async () => {
    const schema = (name: string) => ({ name, fields: [{ name: "id" }] });
    const foreignKeys = [
      { fields: "id", reference: { resource: "a", fields: "id" } },
      { fields: "id", reference: { resource: "inner", fields: "id" } },
    ];
    const { document } = await readContent({
      name: "p",
      resources: [
        { name: "b", schema: schema("a") },
        { name: "a", schema: schema("inner") },
        { name: "c", schema: { fields: [{ name: "id" }], foreignKeys } },
      ],
    });
    expect(listRelationships(document)).toEqual([
      "c_id: a zeroOrOne - c many (id = id)",
      "c_id_2: a zeroOrOne - c many (id = id)",
    ]);
  });
});

describe("a foreign key that does not become a relationship", () => {
  test.each([
    ["another package", toOther({ package: "https://x", resource: "b", fields: "c" }), "/reference/package"],
    ["another package, by its older name", toOther({ datapackage: "x", resource: "b" }), "/reference/datapackage"],
    ["an unknown resource", toOther({ resource: "shelf", fields: "id" }), "/reference/resource"],
    ["a resource that is no text", toOther({ resource: 5, fields: "id" }), "/reference/resource"],
    ["an unknown field", toBook("author", "isbn"), "/fields"],
    ["an unknown field in a list", toBook(["book", "author"], ["isbn", "volume"]), "/fields/1"],
    ["a field that is no text", toBook([5], "isbn"), "/fields/0"],
    ["an unknown field there", toBook("book", "title"), "/reference/fields"],
    ["another number of fields there", toBook(["book", "volume"], "isbn"), "/reference/fields"],
    ["no fields", { reference: { resource: "book", fields: "isbn" } }, "/fields"],
    ["no fields there", toOther({ resource: "book" }), "/reference/fields"],
    ["too many fields", toBook(Array(LIMITS.primaryKeyAttributes + 1).fill("book"), "isbn"), "/fields"],
    ["no reference", { fields: "book" }, "/reference"],
    ["a reference that is a text", { fields: "book", reference: "book" }, "/reference"],
    ["no object", "book", ""],
  ])("is a warning with its pointer, and a property: %s", async (_, foreignKey, place) => {
    const { document, warnings } = await readContent(library({ foreignKeys: [foreignKey] }));
    expect(document.relationships).toEqual([]);
    expect(pointers(warnings)).toEqual([`/resources/1/schema/foreignKeys/0${place}`]);
    expect(warnings[0]?.detail).toMatch(/so the foreign key is kept as a property$/);
    const loan = document.entities.find((e) => e.key === "loan");
    expect(loan?.properties).toMatchObject({ "frictionless:foreignKeys": [foreignKey] });
  });

  test("is one warning if the keys are not a list", async () => {
    const { warnings } = await readContent(library({ foreignKeys: { fields: "book" } }));
    expect(pointers(warnings)).toEqual(["/resources/1/schema/foreignKeys"]);
  });

  test("may refer to a resource without a schema", async () => {
    const { resources, ...rest } = library({ foreignKeys: [toBook("book", "isbn")] });
    const { warnings } = await readContent({ ...rest, resources: [{ name: "book" }, resources[1]] });
    expect(pointers(warnings)).toEqual(["/resources/0", "/resources/1/schema/foreignKeys/0/reference/resource"]);
  });
});

test("a reference from or to an unknown table is a warning, and a property with its name if its table is known", async () => {
  const lent = { name: "lent", from: ["a.b"], to: ["gone.c"] };
  const schema = [{ name: "a", properties: [{ name: "b" }], relationships: [lent, { from: ["gone.c"], to: ["a.b"] }] }];
  const { document, warnings } = await readContent({ kind: "DataContract", apiVersion: "v3.1.0", name: "n", schema });
  expect(document.entities[0]?.properties).toMatchObject({ "odcs:references": [{ name: "lent", to: "gone" }] });
  expect(warnings.map(({ code }) => code)).toEqual(["kept_as_property", "not_carried_over"]);
});

test.each([0, 1])("a reference joins at most as many columns as a relationship: %i more", async (more) => {
  const columns = Array.from({ length: LIMITS.keyPairs + more }, (_, i) => `c${i}`);
  const text = `CREATE TABLE a (${columns.join(" int, ")} int, FOREIGN KEY (${columns}) REFERENCES a (${columns}));`;
  const { document } = await readContent(text, { format: "sql", modelKey: "m" });
  expect(document.relationships).toHaveLength(1 - more);
});

test("further members of a foreign key are its texts and properties", async () => {
  const foreignKey = { ...toBook("book", "isbn"), title: "Lent book", description: "Which one.", onDelete: "cascade" };
  const reference = { ...foreignKey.reference, match: "full" };
  const whole = { ...foreignKey, reference, predicate: "dct:references", name: "lending" };
  const { document, warnings } = await readContent(library({ foreignKeys: [whole] }));
  expect(warnings).toEqual([]);
  expect(document.relationships).toMatchObject([
    {
      key: "lending",
      name: "Lent book",
      description: "Which one.",
      properties: {
        onDelete: "cascade",
        "frictionless:predicate": "dct:references",
        "frictionless:reference": reference,
      },
    },
  ]);
});

describe("a unique field or key", () => {
  test("becomes a business key, each set of fields once", async () => {
    const unique = { unique: true };
    const { document, warnings } = await readContent({
      name: "t",
      fields: [{ name: "a", constraints: unique }, { name: "b", constraints: unique }, { name: "c" }],
      uniqueKeys: [["a"], ["b", "c"], ["c", "b"]],
    });
    expect(document.businessKeys).toEqual([
      { key: "t_a", entity: "key:t", participants: ["key:a"] },
      { key: "t_b", entity: "key:t", participants: ["key:b"] },
      { key: "t_b_c", entity: "key:t", participants: ["key:b", "key:c"] },
    ]);
    expect(document.entities[0]?.attributes[0]?.constraints).toEqual({ unique: true });
    expect(pointers(warnings)).toEqual([]);
  });

  test("with an unknown field is kept as a property with a warning", async () => {
    const uniqueKeys = [["a"], ["x"]];
    const { document, warnings } = await readContent({ name: "t", fields: [{ name: "a" }], uniqueKeys });
    expect(document.businessKeys.map((k) => k.key)).toEqual(["t_a"]);
    expect(document.entities[0]?.properties).toEqual({ "frictionless:uniqueKeys": uniqueKeys });
    expect(pointers(warnings)).toEqual(["/uniqueKeys"]);
  });
});
