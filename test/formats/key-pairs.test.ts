import { expect, test } from "vitest";
import { pointers, problemOf, readContent } from "./reading.ts";

test("unknown and repeated key pairs of a document, and those without two roles, are reported with their pointers", async () => {
  const entity = (key: string) => ({ key, attributes: ["a", "b"].map((name) => ({ key: name, type: "key:t" })) });
  const role = (key: string, of: string) => ({ key, entity: `key:${of}`, cardinality: "one" });
  const two = [role("x", "left"), role("y", "right")];
  const relationships = [
    {
      key: "fine",
      roles: two,
      keyPairs: [
        ["key:a", "key:b"],
        ["key:a", "key:a"],
      ],
    },
    { key: "none", roles: two, keyPairs: [["key:a", "key:c"]] },
    {
      key: "twice",
      roles: two,
      keyPairs: [
        ["key:a", "key:b"],
        ["key:b", "key:b"],
        ["key:a", "key:b"],
      ],
    },
    { key: "three", roles: [...two, role("z", "left")], keyPairs: [["key:a", "key:b"]] },
    { key: "shape", roles: two, keyPairs: [["key:a"], "key:a", ["key:a", 1]] },
    { key: "text", roles: two, keyPairs: "key:a" },
    { key: "empty", roles: two, keyPairs: [] },
  ];
  const document = (kept: readonly string[]) => ({
    $schema: "urn:metaction:model:2",
    key: "m",
    types: [{ key: "t" }],
    entities: [entity("left"), entity("right")],
    relationships: relationships.filter(({ key }) => kept.includes(key)),
  });
  const { document: read } = await readContent(document(["fine", "empty"]));
  expect(read.relationships.map(({ keyPairs }) => keyPairs)).toEqual([undefined, relationships[0]?.keyPairs]);
  for (const [key, places] of [
    ["none", ["/relationships/0/keyPairs/0/1"]],
    ["twice", ["/relationships/0/keyPairs/2"]],
    ["three", ["/relationships/0/keyPairs"]],
    ["shape", ["0", "1", "2/1"].map((place) => `/relationships/0/keyPairs/${place}`)],
    ["text", ["/relationships/0/keyPairs"]],
  ] as const) {
    expect(pointers((await problemOf(readContent(document([key])))).members.errors), key).toEqual(places);
  }
  const first = await readContent({ ...document(["fine"]), $schema: "urn:metaction:model:1" });
  expect(first.document.relationships[0]).not.toHaveProperty("keyPairs");
  expect(first.warnings.flatMap(({ pointers: places }) => places)).toEqual(["/relationships/0/keyPairs"]);
});
