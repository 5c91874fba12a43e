import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { createExporter } from "../../shared/formats/exporter.ts";
import { getDetails, listParts, pointers, problemOf, readContent } from "./reading.ts";

const TEXT = `// A shop
Project shop {
  database_type: 'PostgreSQL'
  Note: 'What is sold.'
}
Enum state {
  new [note: 'Just made']
  done
}
TablePartial stamped {
  made timestamp [default: \`now()\`, not null]
}
Table "the users" as U [headercolor: #aabbcc] {
  id int [pk, increment]
  name varchar(50) [not null, unique, note: 'As people say it']
  Note: 'People.'
}
Table sale {
  ~stamped
  shop int
  no int
  state state [default: 'new']
  price decimal(10,2) [not null, default: 5]
  by int [not null, ref: > U.id]
  receipt int [ref: - receipt.id]
  indexes {
    (shop, no) [pk]
    (by, made) [unique]
    price [name: 'by', type: hash]
    \`a + b\` [unique]
  }
}
Table receipt {
  id int [pk]
  of int [ref: <> U.id]
}
Ref again: sale.(shop, no) < line.(shop, no) [delete: cascade]
Table line {
  shop int [pk]
  no int [pk]
  row int [pk]
}
TableGroup core {
  sale
  line
}
Note hint {
  'Look here'
}
`;

describe("a DBML text", () => {
  test("becomes a model with its keys, enums and relationships", async () => {
    const { document, recognised, warnings } = await readContent(TEXT, { source: "s" });
    expect(recognised).toMatchObject({ format: "dbml", sure: "certain", others: [] });
    expect(document).toMatchObject({
      ...{ key: "shop", description: "What is sold." },
      properties: { "dbml:database_type": "PostgreSQL", "dbml:notes": [{ name: "hint", content: "Look here" }] },
    });
    expect(listParts(document)).toEqual([
      "line (shop int, no int, row int) shop+no+row",
      "receipt (id int, of int?) id",
      "sale (shop int, no int, state state?, price decimal, by int, receipt int?, made timestamp) shop+no",
      "the users (id int, name varchar) id",
      "again: line many - sale one (shop = shop, no = no)",
      "receipt_of: receipt many - the users many (of = id)",
      "sale_by: sale many - the users one (by = id)",
      "sale_receipt: receipt zeroOrOne - sale zeroOrOne (id = receipt)",
      "unique sale_by_made: by+made",
      "unique the users_name: name",
    ]);
    expect(getDetails(document)).toEqual({
      line: { tags: ["key:core"] },
      sale: {
        properties: {
          "dbml:indexes": [
            { columns: ["price"], name: "by", type: "hash" },
            { columns: [{ expression: "a + b" }], unique: true },
          ],
          "dbml:partials": ["stamped"],
        },
        tags: ["key:core"],
      },
      "sale/state": { constraints: { enum: ["new", "done"], default: "new" } },
      "sale/price": { constraints: { default: 5 }, properties: { "dbml:precision": 10, "dbml:scale": 2 } },
      "sale/made": { properties: { "dbml:default": "now()" } },
      "the users": { description: "People.", properties: { "dbml:alias": "U", "dbml:headerColor": "#aabbcc" } },
      "the users/id": { properties: { "dbml:increment": true } },
      "the users/name": { description: "As people say it", constraints: { maxLength: 50, unique: true } },
      again: { properties: { "dbml:onDelete": "cascade" } },
      "type state": { properties: { "dbml:values": [{ name: "new", note: "Just made" }, { name: "done" }] } },
    });
    expect(document.entities[3]?.origin).toBe("s#/the%20users");
    expect(warnings).toEqual([]);
  });

  test("is written again with its own settings, and no warning about them", async () => {
    const { document } = await readContent("Table a [headercolor: #aabbcc] {\n  id int [pk, increment]\n}");
    const { content, warnings } = await createExporter().write(document, "dbml");
    expect([content.includes("Table a [headercolor: #aabbcc] {"), warnings]).toEqual([true, []]);
  });

  test("is written again with its indexes and a warning about notes of values that a type no longer has", async () => {
    const { document } = await readContent(TEXT);
    const text = JSON.stringify(document).replace('["new","done"]', '["new"]').replace('"now()"', "5");
    const less = text.replace("#aabbcc", "red").replace('"key":"sale_by"', '"key":"sale_by","name":"sale\\"by"');
    const { content, warnings } = await createExporter().write(JSON.parse(less), "dbml");
    for (const one of ["(price) [name: 'by', type: hash]\n", "(`a + b`) [unique]\n", 'Ref "sale\\"by": ', "of int\n"])
      expect(content).toContain(one);
    expect(content).not.toMatch(/\{\s*\}/);
    expect(pointers(warnings)).toEqual([
      ...["/entities/2/properties/dbml:partials", "/types/2/properties/dbml:values"],
      ...["/entities/2/attributes/6/properties/dbml:default", "/entities/3/properties/dbml:headerColor"],
    ]);
  });

  test.each([
    ["is broken", "Table a {\n id int [pk\n}", /line \d: /],
    ["refers to nothing", "Table a {\n id int [ref: > b.id]\n}", /line 2: Table 'b' does not exist/],
    ["uses another file", "Table a {\n id int\n}\nuse { table z } from './other'", /line 4: /],
    ["nests without end", `Table a {\n id int [default: ${"(".repeat(10_000)}]\n}`, /nested too deep/],
  ])("that %s is refused with the line", async (_, text, words) => {
    const problem = await problemOf(readContent(text));
    expect(problem.code).toBe("invalid_content");
    expect(JSON.stringify(problem.members.errors)).toMatch(words);
  });

  test(`may have at most ${LIMITS.dbmlBytes} bytes`, async () => {
    const table = "Table a {\n  id int\n}\n";
    const text = `${table}//${"x".repeat(LIMITS.dbmlBytes - table.length - 2)}`;
    const { document } = await readContent(text, { modelKey: "m" });
    const description = "x".repeat(LIMITS.dbmlBytes);
    expect(pointers((await createExporter().write({ ...document, description }, "dbml")).warnings)).toEqual([""]);
    const problem = await problemOf(readContent(`${text}x`, { modelKey: "m" }));
    expect(JSON.stringify(problem.members.errors)).toContain(`more than ${LIMITS.dbmlBytes} bytes`);
  });

  const partials = (tables: number, columns: number, partial = "p", use = partial) =>
    `TablePartial ${partial} {\n${Array.from({ length: columns }, (_, i) => `c${i} a\n`).join("")}}\n${Array.from(
      { length: tables },
      (_, i) => `Table t${i} {\n~${use}\n}\n`,
    ).join("")}`;

  test.each([
    ["a name", partials(3_200, 3_200)],
    ["a quoted name", partials(3_200, 3_200, '"p q"')],
    ["a name in another spelling", partials(3_200, 3_200, '"p"', '"\\p"')],
    ["other cases of keywords", partials(3_200, 3_200).replaceAll("Table", "TABLE")],
    [
      "many references of one column",
      `TablePartial p {\nc a [${Array(4_000).fill("ref: > z.a").join()}]\n}\n${partials(1_000, 1)}`,
    ],
  ])("is refused if partials multiply a small source, before they are copied, by %s", async (_, text) => {
    expect(Buffer.byteLength(text)).toBeLessThan(LIMITS.dbmlBytes);
    const { heapUsed } = process.memoryUsage();
    const problem = await problemOf(readContent(text, { modelKey: "m" }));
    expect(problem.code).toBe("too_large");
    expect(problem.message).toContain("dbmlPartialCharacters");
    expect(process.memoryUsage().heapUsed - heapUsed).toBeLessThan(300_000_000);
  });

  test(`may have at most ${LIMITS.dbmlPartialCharacters} characters of table partials in all tables`, async () => {
    const size = (characters: number) => `TablePartial p {\na int\n//${"x".repeat(characters - 27)}\n}\n`;
    const tables = (count: number) => Array.from({ length: count }, (_, i) => `Table t${i} {\n~p\nb int\n}\n`).join("");
    const text = size(40_000) + tables(LIMITS.dbmlPartialCharacters / 40_000);
    expect((await readContent(text, { modelKey: "m" })).document.entities).toHaveLength(10);
    expect((await problemOf(readContent(size(40_001) + tables(10), { modelKey: "m" }))).code).toBe("too_large");
  });

  test(`may have at most ${LIMITS.dbmlEnumCharacters} characters of enums in all columns`, async () => {
    const columns = (count: number) => Array.from({ length: count }, (_, i) => `c${i} e\n`).join("");
    const text = (values: string, count: number) => `Enum e {\n${values}\n}\nTable t {\n${columns(count)}}\n`;
    const value = "v".repeat(LIMITS.dbmlEnumCharacters / 1_000);
    expect((await readContent(text(value, 1_000), { modelKey: "m" })).document.entities).toHaveLength(1);
    const problem = await problemOf(readContent(text(value, 1_001), { modelKey: "m" }));
    expect([problem.code, problem.message]).toEqual(["too_large", expect.stringContaining("dbmlEnumCharacters")]);
    const many = Array.from({ length: 6_000 }, (_, i) => `v${i}`).join("\n");
    expect((await problemOf(readContent(text(many, 6_000), { modelKey: "m" }))).code).toBe("too_large");
  });
});
