import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { isTagKey } from "../../shared/domain/refs.ts";
import { pointers, readContent } from "./reading.ts";

const fields = [{ name: "a", type: "string" }];
const schema = { fields };

describe("keywords", () => {
  test("of a stand-alone schema are tags of its model and its entity", async () => {
    const { document, warnings } = await readContent({ name: "t", fields, keywords: ["b", "a"] });
    expect(document.localTags).toEqual([{ key: "a" }, { key: "b" }]);
    expect(document.tags).toEqual(["key:a", "key:b"]);
    expect(document.entities[0]?.tags).toEqual(["key:a", "key:b"]);
    expect(JSON.stringify(document)).not.toContain("frictionless:keywords");
    expect(document.tagGroups).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test("above the limit of an object are tags without links, with a warning each", async () => {
    const keywords = Array.from({ length: LIMITS.tagsPerObject + 1 }, (_, i) => `k${i + 100}`);
    const { document, warnings } = await readContent({ name: "t", fields, keywords });
    expect(document.localTags).toHaveLength(LIMITS.tagsPerObject + 1);
    expect(document.tags).toHaveLength(LIMITS.tagsPerObject);
    expect(document.entities[0]?.tags).toHaveLength(LIMITS.tagsPerObject);
    expect(new Set(pointers(warnings))).toEqual(new Set([`/keywords/${LIMITS.tagsPerObject}`]));
  });

  test("of a package are tags of the model, and of the entities without keywords", async () => {
    const { document, warnings } = await readContent({
      name: "p",
      keywords: ["p"],
      resources: [
        { name: "a", schema },
        { name: "b", schema, keywords: ["own", "p"] },
        { name: "c", schema: { ...schema, keywords: ["inner"] } },
        { name: "d", schema: { ...schema, keywords: ["inner"] }, keywords: ["outer"] },
        { name: "e", schema: { ...schema, keywords: [" "] } },
      ],
    });
    expect(document.localTags.map((t) => t.key)).toEqual(["inner", "outer", "own", "p"]);
    expect(document.tags).toEqual(["key:p"]);
    expect(document.entities.map((e) => [e.key, e.tags])).toEqual([
      ["a", ["key:p"]],
      ["b", ["key:own", "key:p"]],
      ["c", ["key:inner"]],
      ["d", ["key:inner", "key:outer"]],
      ["e", ["key:p"]],
    ]);
    expect(warnings).toEqual([]);
  });

  test("are trimmed, deduplicated and dropped if blank", async () => {
    const keywords = [" a ", "a", "", "  ", "A", null];
    const { document, warnings } = await readContent({ name: "t", fields, keywords });
    expect(document.localTags).toEqual([{ key: "A" }, { key: "a" }]);
    expect(document.tags).toEqual(["key:A", "key:a"]);
    expect(warnings).toEqual([]);
  });

  test("with characters that a key cannot have are changed, keep the text as name and are reported at their first position", async () => {
    const { document, warnings } = await readContent({
      name: "p",
      keywords: ["médiation numérique", "mediation_numerique", "C++", "open data"],
      resources: [{ name: "a", schema, keywords: ["C++", "C#", "数据"] }],
    });
    expect(document.localTags).toEqual([
      { key: "C_", name: "C++" },
      { key: "C__2", name: "C#" },
      { key: "mediation_numerique" },
      { key: "mediation_numerique_2", name: "médiation numérique" },
      { key: "open_data", name: "open data" },
      { key: "unnamed", name: "数据" },
    ]);
    expect(document.entities[0]?.tags).toEqual(["key:C_", "key:C__2", "key:unnamed"]);
    const made = warnings.map(({ code, detail, pointers: places }) => [code, /"(.*)"$/.exec(detail)?.[1], ...places]);
    expect(made).toEqual([
      ["key_made", "mediation_numerique_2", "/keywords/0"],
      ["key_made", "C_", "/keywords/2"],
      ["key_made", "open_data", "/keywords/3"],
      ["key_made", "C__2", "/resources/0/keywords/1"],
      ["key_made", "unnamed", "/resources/0/keywords/2"],
    ]);
  });

  test("that are not texts are reported", async () => {
    const { document, warnings } = await readContent({
      name: "p",
      keywords: "one, two",
      resources: [{ name: "a", schema, keywords: ["k", 5, { a: 1 }] }],
    });
    expect(document.localTags).toEqual([{ key: "k" }]);
    expect(document).not.toHaveProperty("tags");
    expect(pointers(warnings)).toEqual(["/keywords", "/resources/0/keywords/1", "/resources/0/keywords/2"]);
  });

  test("always become valid keys, one for each text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "grapheme", maxLength: 200 }), { maxLength: 20 }),
        async (keywords) => {
          const texts = new Set(keywords.map((k) => k.trim()).filter((k) => k !== ""));
          fc.pre([...texts].every((k) => k.isWellFormed()));
          const { document } = await readContent({ name: "t", fields, keywords });
          expect(document.localTags).toHaveLength(texts.size);
          for (const { key } of document.localTags) expect(isTagKey(key)).toBe(true);
          expect(document.tags ?? []).toEqual(document.localTags.map(({ key }) => `key:${key}`));
        },
      ),
    );
  });
});
