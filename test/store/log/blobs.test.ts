import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { readOrExplain } from "../../../shared/store/fsck/walk-log.ts";
import { BlobBroken, ListBlob, readBlob, readList, toBlobItems, toListItems } from "../../../shared/store/log/blobs.ts";
import { countItemBytes } from "../../../shared/store/table/dynamo-rules.ts";
import { FORMAT, type Item } from "../../../shared/store/table/table.ts";
import { seedOf } from "../../support/chance.ts";
import { freshTable } from "../../support/table.ts";
import { putItems } from "../support/check-model.ts";

/** The size DynamoDB refuses to exceed: 400 KB (Amazon DynamoDB Developer Guide, "Item size"). */
const MOST_BYTES = 400 * 1024;

const table = await freshTable();

const keep = (items: readonly Item[]): Promise<void> => putItems(table, items);

/** Text that does not become smaller, so that its compressed form has about that many bytes. */
const noise = (bytes: number) => randomBytes(bytes).toString("base64").slice(0, bytes);

const toBase64 = ({ sk, bytes }: Item) => `${sk} ${Buffer.from(bytes as Uint8Array).toString("base64")}`;

function valueOfSize(compressed: number): string {
  for (let length = Math.floor(compressed * 1.3); ; ) {
    const text = noise(length);
    const size = toBlobItems("size", text).reduce((sum, item) => sum + (item.bytes as Uint8Array).length, 0);
    if (size === compressed) return text;
    // Base64 holds 6 bits in 8; at the end the sizes go up and down by chance.
    length += Math.trunc((compressed - size) * 1.32) || (size > compressed ? -1 : 1);
  }
}

describe("a blob", () => {
  test("has the same text as JSON.stringify, for long lists and values without a text too", () => {
    const absent = fc.constantFrom(undefined, () => 0, Symbol("s"));
    const leaf = fc.oneof(fc.jsonValue({ maxDepth: 2 }), absent);
    const list = fc.array(leaf, { maxLength: 250, size: "max" });
    const value = fc.record({ list, member: leaf, nested: fc.record({ deeper: fc.record({ list }) }) });
    fc.assert(
      fc.property(fc.oneof(value, list, fc.jsonValue()), (one) => {
        const bytes = Buffer.concat(toBlobItems("b", one).map((item) => item.bytes as Uint8Array));
        expect(gunzipSync(bytes).toString("utf8")).toBe(JSON.stringify(one));
      }),
      { numRuns: 200, seed: seedOf("blobs") },
    );
  });

  test("is read back unchanged, at any size", async () => {
    const values = [
      ...[null, "", 0, [], {}, { text: "é\u{1f600}\0" }, noise(1_000_000)],
      Array.from({ length: 50_000 }, (_, i) => i),
      { list: Array.from({ length: 20_000 }, (_, i) => ({ i, text: noise(60) })) },
    ];
    for (const [i, value] of values.entries()) {
      await keep(toBlobItems(`value-${i}`, value));
      expect(await readBlob(table, `value-${i}`)).toEqual(value);
    }
    const [long] = toBlobItems("long", values.at(-1));
    // Each member begins with the mark of gzip, its method and no flags: a long value is compressed in parts.
    const text = Buffer.from(long?.bytes as Uint8Array).toString("latin1");
    expect(text.split("\x1f\x8b\x08\x00").length - 1).toBeGreaterThan(1);
  });

  test("is read back unchanged at the edges of its chunks", async () => {
    for (const [size, chunks] of [
      [LIMITS.blobChunkBytes - 1, 1],
      [LIMITS.blobChunkBytes, 1],
      [LIMITS.blobChunkBytes + 1, 2],
      [2 * LIMITS.blobChunkBytes, 2],
    ] as const) {
      const value = valueOfSize(size);
      const items = toBlobItems(`edge-${size}`, value);
      expect(items).toHaveLength(chunks);
      for (const item of items) expect(countItemBytes(item)).toBeLessThan(MOST_BYTES);
      await keep(items);
      expect(await readBlob(table, `edge-${size}`)).toBe(value);
    }
  });

  test("that is missing, or incomplete, is a defect and not a value", async () => {
    await expect(readBlob(table, "nowhere")).rejects.toThrow();
    const items = toBlobItems("torn", noise(1_500_000));
    expect(items.length).toBeGreaterThan(2);
    await keep(items.slice(0, -1));
    await expect(readBlob(table, "torn")).rejects.toThrow();
  });
});

const shapes: readonly Item[] = [
  { pk: "p", sk: "texts", v: FORMAT, a: "x", é: "é".repeat(100), empty: "" },
  { pk: "p", sk: "numbers", v: FORMAT, one: 1, many: 123_456_789, time: 1_800_000_000, order: 2 ** 40 + 17, zero: 0 },
  { pk: "p", sk: "lists", v: FORMAT, list: ["a", "bb", ""], none: [], nested: [["a"], [1, 2]] },
  { pk: "p", sk: "maps", v: FORMAT, map: { a: 1, b: { c: null, d: true } }, no: {}, yes: false, gone: undefined },
  { pk: "p", sk: "bytes", v: FORMAT, bytes: new Uint8Array(77) },
];

test.each(shapes)("the computed size of an item is never below the table's, and close to it: $sk", async (shape) => {
  // Filled up to the limit with a text, of which every letter counts one.
  const bare = countItemBytes({ ...shape, fill: "" });
  const filled = (bytes: number): Item => ({ ...shape, fill: "x".repeat(bytes - bare) });
  expect(countItemBytes(filled(MOST_BYTES))).toBe(MOST_BYTES);
  await table.write({ put: filled(MOST_BYTES), expect: { absent: true } });
  const over = { ...filled(MOST_BYTES + 64), sk: `${shape.sk}-over` };
  await expect(table.write({ put: over, expect: { absent: true } })).rejects.toThrow();
});

describe("a list in a blob", () => {
  const createElements = (count: number, bytes: number) =>
    Array.from({ length: count }, (_, i) => ({ i, text: noise(bytes), tags: ["é]", "},{"] }));
  const readAll = (name: string): Promise<object[]> => Array.fromAsync(readList(table, name));

  test.each<[count: number, bytes: number]>([
    ...[0, 1, 99, 100, 101, 200, 201, 30_000].map((count): [number, number] => [count, 20]),
    [12, 260_000],
    [400, 5_000],
  ])("that is written element by element equals the blob of the whole list, and is read back: %i elements with %i bytes of text", async (count, bytes) => {
    const list = createElements(count, bytes);
    const name = `list-${count}-${bytes}`;
    const blob = new ListBlob(name);
    const items = [...list.flatMap((element) => [...blob.add(element)]), ...blob.end()];
    expect(items.map(toBase64)).toEqual(toBlobItems(name, list).map(toBase64));
    await keep(items);
    expect(await readAll(name)).toEqual(list);
  });

  test("with a missing or changed part is an error, and not a shorter list", async () => {
    await expect(readAll("nowhere")).rejects.toThrow("is missing");
    const items = [...toListItems("torn-list", createElements(400, 5_000))];
    expect(items.length).toBeGreaterThan(2);
    await keep(items.slice(0, -1));
    await expect(readAll("torn-list")).rejects.toThrow("torn-list");
    const [first, ...others] = items;
    const bytes = Buffer.from(first?.bytes as Uint8Array);
    // The spoilt byte lies in the middle of the compressed part.
    bytes[5_000] = (bytes[5_000] ?? 0) ^ 1;
    await keep([{ ...first, bytes } as Item, ...others]);
    await expect(readAll("torn-list")).rejects.toThrow();
    await keep(toBlobItems("value", { no: "list" }));
    await expect(readAll("value")).rejects.toThrow("not a complete list");
  });

  test.each<[string, (bytes: Buffer) => Uint8Array]>([
    ["does not match its checksum", (bytes) => bytes.with(-8, (bytes.at(-8) ?? 0) ^ 1)],
    ["is incomplete", (bytes) => bytes.subarray(0, -1)],
  ])("that %s is broken, and fsck reports it", async (why, damage) => {
    const name = `list-${why.replaceAll(" ", "-")}`;
    await keep([...toListItems(name, [{ a: 1 }])].map((item) => ({ ...item, bytes: damage(item.bytes as Buffer) })));
    await expect(readAll(name)).rejects.toThrow(BlobBroken);
    expect(await readOrExplain(() => readAll(name))).toBe(`blob ${name} ${why}`);
  });
});
