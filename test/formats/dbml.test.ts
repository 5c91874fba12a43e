import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { problemOf, readContent } from "./reading.ts";

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
    price [name: 'by_price']
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
    expect(document.entities.map(({ key, primaryKey, tags }) => [key, primaryKey, tags])).toEqual([
      ["line", ["key:shop", "key:no", "key:row"], ["key:core"]],
      ["receipt", ["key:id"], undefined],
      ["sale", ["key:shop", "key:no"], ["key:core"]],
      ["the users", ["key:id"], undefined],
    ]);
    const [, , sale, users] = document.entities;
    expect(sale?.attributes.map(({ key, type, optional, constraints }) => [key, type, optional, constraints])).toEqual([
      ["shop", "key:int", false, undefined],
      ["no", "key:int", false, undefined],
      ["state", "key:state", true, { enum: ["new", "done"], default: "new" }],
      ["price", "key:decimal", false, { default: 5 }],
      ["by", "key:int", false, undefined],
      ["receipt", "key:int", true, undefined],
      ["made", "key:timestamp", false, undefined],
    ]);
    expect(sale?.attributes[3]?.properties).toEqual({ "dbml:precision": 10, "dbml:scale": 2 });
    expect(sale?.attributes[6]?.properties).toEqual({ "dbml:default": "now()" });
    expect(sale?.properties).toMatchObject({ "dbml:indexes": [{ columns: ["price"], name: "by_price" }] });
    expect(users).toMatchObject({ description: "People.", origin: "s#/the%20users" });
    expect(users?.attributes[1]).toMatchObject({
      description: "As people say it",
      constraints: { maxLength: 50, unique: true },
    });
    const ways = document.relationships.map((one) => [one.key, ...one.roles.map((r) => `${r.key} ${r.cardinality}`)]);
    expect(ways).toEqual([
      ["again", "line many", "sale one"],
      ["receipt_of", "receipt many", "the users many"],
      ["sale_by", "sale many", "the users one"],
      ["sale_receipt", "receipt zeroOrOne", "sale zeroOrOne"],
    ]);
    expect(document.relationships[0]).toMatchObject({
      keyPairs: [
        ["key:shop", "key:shop"],
        ["key:no", "key:no"],
      ],
      properties: { "dbml:onDelete": "cascade" },
    });
    expect(document.businessKeys.map(({ key }) => key)).toEqual(["sale_by_made", "the users_name"]);
    expect(document.types.find(({ key }) => key === "state")?.properties).toEqual({
      "dbml:values": [{ name: "new", note: "Just made" }, { name: "done" }],
    });
    expect(warnings).toEqual([]);
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
    expect((await readContent(text, { modelKey: "m" })).document.entities).toHaveLength(1);
    const problem = await problemOf(readContent(`${text}x`, { modelKey: "m" }));
    expect(JSON.stringify(problem.members.errors)).toContain(`more than ${LIMITS.dbmlBytes} bytes`);
  });

  /** Tables that each use one partial of so many columns. */
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
    const problem = await problemOf(readContent(size(40_001) + tables(10), { modelKey: "m" }));
    expect(problem.code).toBe("too_large");
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
