import { describe, expect, test } from "vitest";
import type { Attribute } from "../../ui/api/attributes.ts";
import {
  buildPasteEntries,
  escapeLiteral,
  isYes,
  type PasteWords,
  planRows,
} from "../../ui/parts/attributes/attribute-paste.ts";

const words: PasteWords = {
  noKey: () => "no key",
  twice: () => "twice",
  noType: () => "no type",
  noSuchType: (type) => `no type ${type}`,
  notYesNo: (text) => `neither: ${text}`,
  changes: (columns) => columns.join(" "),
};
const isbn: Attribute = {
  id: "1",
  key: "isbn",
  name: "ISBN",
  type: "id:t",
  typeByKey: "key:string",
  optional: false,
  tags: [],
};
const types = new Set(["string", "integer"]);
const planOf = (row: Readonly<Record<string, string>>) => {
  const [planned] = planRows([row], [isbn], types, words);
  return [planned?.change, planned?.why];
};

describe("a pasted row", () => {
  test.each([
    ["makes an attribute of a new key", { key: "title", type: "string" }, ["create", undefined]],
    ["changes what it says otherwise", { key: "isbn", name: "Number", optional: "yes" }, ["update", "name optional"]],
    ["clears a name that it leaves empty", { key: "isbn", name: "" }, ["update", "name"]],
    ["keeps what it does not have", { key: "isbn" }, ["same", undefined]],
    ["keeps the type where its cell is empty", { key: "isbn", name: "ISBN", type: "" }, ["same", undefined]],
    ["needs a key", { name: "x", type: "string" }, ["wrong", "no key"]],
    ["needs a type where it is new", { key: "title" }, ["wrong", "no type"]],
    ["names a type that there is", { key: "isbn", type: "text" }, ["wrong", "no type text"]],
    ["says yes or no", { key: "isbn", optional: "maybe" }, ["wrong", "neither: maybe"]],
  ])("%s", (_, row, expected) => expect(planOf(row)).toEqual(expected));

  test("is refused if its key came before", () => {
    const rows = [
      { key: "a", type: "string" },
      { key: "a", type: "string" },
    ];
    expect(planRows(rows, [], types, words).map(({ change }) => change)).toEqual(["create", "wrong"]);
  });

  test("becomes one entry of the batch for each change", () => {
    const owner = { kind: "entity", modelRef: "key:m", ownerRef: "key:e" } as const;
    const rows = [
      { change: "create", cells: { key: "price", type: "integer", optional: "oui", name: "$1.key" } },
      { change: "update", cells: { key: "isbn", name: "", type: "integer" } },
    ] as const;
    const refs = { modelRef: "key:m", entityRef: "key:e" };
    const price = { ...refs, attributeKey: "price", type: "key:integer", optional: true, name: "$$1.key" };
    expect(buildPasteEntries(owner, rows, [isbn]).map(({ action, payload }) => [action, payload])).toEqual([
      ["entity_attribute_create", price],
      ["entity_attribute_update_name", { ...refs, attributeRef: "id:1", value: "" }],
      ["entity_attribute_update_type", { ...refs, attributeRef: "id:1", value: "key:integer" }],
    ]);
  });
});

test.each([
  ["$1.id", "$$1.id"],
  ["$$2.items.0.id", "$$$2.items.0.id"],
  ["key:$1.key", "key:$$1.key"],
  ["$5.00", "$$5.00"],
  ["costs $1.id", "costs $1.id"],
  ["$x.y", "$x.y"],
])("%j is the literal text in a batch as %j", (text, written) => expect(escapeLiteral(text)).toBe(written));

test.each([
  ["yes", true],
  ["TRUE", true],
  ["non", false],
  ["", false],
  ["not null", false],
  ["sometimes", undefined],
])("%j means %s for optional", (text, expected) => expect(isYes(text)).toBe(expected));
