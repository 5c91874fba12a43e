import { describe, expect, test } from "vitest";
import { findLikelyRenames, measureLikeness } from "../../shared/domain/compare/likely-renames.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { readContent } from "../formats/reading.ts";

async function readSides(...texts: readonly [string, string]) {
  const read = async (content: string) =>
    (await readContent(content, { format: "postgresql", modelKey: "m" })).document;
  return [await read(texts[0]), await read(texts[1])] as const;
}

async function findIn(left: string, right: string) {
  const found = findLikelyRenames(...(await readSides(left, right)));
  return found.map(({ from, to }) => `${from.join(".")} -> ${to}`);
}

const OTHER = "CREATE TABLE other (id integer);";

describe("likely renames", () => {
  const SHOP = `CREATE TABLE customer (id integer PRIMARY KEY, name text, mail varchar(200) NOT NULL, born date);
    CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer REFERENCES customer (id), placed date);`;

  test("are found where more than the name changed: a table, a column of it, and the column that refers to it", async () => {
    const renamed = SHOP.replaceAll("customer", "client");
    expect(await findIn(SHOP, renamed)).toEqual(["customer -> client", "orders.customer_id -> client_id"]);
    expect(await findIn(SHOP, SHOP.replace("mail ", "email "))).toEqual(["customer.mail -> email"]);
    const longer = SHOP.replace("mail varchar(200)", "e_mail varchar(250)");
    expect(await findIn(SHOP, longer)).toEqual(["customer.mail -> e_mail"]);
  });

  test("have their confidence, the reason and the member that declares them", async () => {
    const [left, right] = await readSides(SHOP, SHOP.replace("mail ", "email "));
    expect(findLikelyRenames(left, right)).toEqual([
      {
        ...{ objectType: "attribute", from: ["customer", "mail"], to: "email", declaredBy: "renamedFrom" },
        confidence: 0.95,
        reason: "both have similar name, the same type, the same position, the same neighbours, the same part in keys",
      },
    ]);
  });

  test("are none between objects that differ in most, or with another candidate", async () => {
    const other = SHOP.replace("mail varchar(200) NOT NULL, born date", "born date, balance numeric(12,2)");
    expect(await findIn(SHOP, other)).toEqual([]);
    expect(
      await findIn("CREATE TABLE a (x integer);", "CREATE TABLE b (y text, z text); CREATE TABLE c (y text, z text);"),
    ).toEqual([]);
    expect(await findIn(`${OTHER} CREATE TABLE a (code text);`, `${OTHER} CREATE TABLE b (code text);`)).toEqual([
      "a -> b",
    ]);
    expect(
      await findIn(
        `${OTHER} CREATE TABLE a (code text);`,
        `${OTHER} CREATE TABLE b (code text); CREATE TABLE c (code text);`,
      ),
    ).toEqual([]);
  });

  test("are sought among likelyRenamePairs pairs, in the order of the lists", async () => {
    const columns = (name: string, count: number) =>
      Array.from({ length: count }, (_, i) => `${name}${i} integer`).join(",");
    const find = (count: number) =>
      findIn(
        `CREATE TABLE t (id integer, ${columns("a", 200)});`,
        `CREATE TABLE t (id integer, ${columns("b", count)});`,
      );
    expect(LIMITS.likelyRenamePairs).toBe(200 * 200);
    expect((await find(200)).length).toBeGreaterThan(150);
    expect(await find(201)).toEqual([]);
  });
});

test.each([
  ["mail", "email", 0.857],
  ["customer_id", "client_id", 0.5],
  ["birthDate", "birth_date", 1],
  ["a", "b", 0],
  ["", "", 0],
])("the names %j and %j are alike by %d", (one, other, likeness) => {
  expect(measureLikeness(one, other)).toBeCloseTo(likeness, 3);
  expect(measureLikeness(other, one)).toBeCloseTo(likeness, 3);
});
