import { expect, test } from "vitest";
import { readContent } from "../formats/reading.ts";

const many = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const dbt = (columns: unknown) => ({ version: 2, models: [{ name: "m", columns }] });
const odcs = (schema: unknown) => ({ kind: "DataContract", apiVersion: "v3.1.0", name: "x", schema });

/** Sources that were read in the square of their size once, by how many parts they have. */
const SOURCES: Readonly<Record<string, readonly [parts: number, make: (parts: number) => object]>> = {
  "a JSON Schema of many parts in allOf": [
    2_000,
    (n) => ({
      $id: "x",
      allOf: many(n, (i) => ({ properties: { [`p${i}`]: { type: "string" } }, required: [`p${i}`] })),
    }),
  ],
  "dbt columns with tests of their own": [12_000, (n) => dbt(many(n, (i) => ({ name: `c${i}`, tests: ["odd"] })))],
  "a dbt reference that begins again and again": [
    8_000,
    (n) => dbt([{ name: "a", tests: [{ relationships: { to: "ref(   ".repeat(n), field: "id" } }] }]),
  ],
  "an ODCS property with relationships to no table": [
    5_000,
    (n) => odcs([{ name: "t", properties: [{ name: "a", relationships: many(n, (i) => ({ to: `z${i}.a` })) }] }]),
  ],
  "ODCS objects that refer to one another": [
    5_000,
    (n) =>
      odcs(many(n, (i) => ({ name: `t${i}`, properties: [{ name: "a", relationships: [{ to: `t${n - i}.a` }] }] }))),
  ],
  "a Table Schema of foreign keys": [
    4_000,
    (n) => ({
      fields: many(n, (i) => ({ name: `f${i}`, type: "string", constraints: { unique: true } })),
      foreignKeys: many(n, (i) => ({ fields: `f${i}`, reference: { resource: "", fields: "f0" } })),
    }),
  ],
  "many Avro records": [30_000, (n) => many(n, (i) => ({ type: "record", name: `r${i}`, fields: [] }))],
};

/** Processor time of reading a source, in milliseconds. */
async function timeOf(content: string): Promise<number> {
  const before = process.cpuUsage();
  await readContent(content, { modelKey: "m" });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

// A clock would tell of the machine: what is compared is the time of four times as much in the same process.
test.each(Object.entries(SOURCES))("four times as many %s take at most eight times as long", async (_, [
  parts,
  make,
]) => {
  const [less, more] = [JSON.stringify(make(parts / 4)), JSON.stringify(make(parts))];
  await timeOf(less);
  const ratios: number[] = [];
  for (let i = 0; i < 3 && !ratios.some((ratio) => ratio <= 8); i++)
    ratios.push((await timeOf(more)) / (await timeOf(less)));
  expect(Math.min(...ratios)).toBeLessThanOrEqual(8);
});
