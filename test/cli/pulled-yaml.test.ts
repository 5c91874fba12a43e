import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { listChanges } from "../../cli/commands/pull.ts";
import { formatJsonLike, mergeValues } from "../../cli/commands/pulled-json.ts";
import { formatYamlLike } from "../../cli/commands/pulled-yaml.ts";
import type { SourceObject } from "../../cli/input/source-text.ts";

function pulled(text: string, model: SourceObject): string {
  const before = parse(text, { merge: true }) as SourceObject;
  const after = mergeValues(before, model);
  const written = listChanges(before, after).length > 0 ? formatYamlLike(text, after) : text;
  expect(parse(written, { merge: true })).toEqual(after);
  // A second pull finds no changes.
  const again = parse(written, { merge: true }) as SourceObject;
  expect(listChanges(again, mergeValues(again, model))).toEqual([]);
  return written;
}

const FILE = `# Of the shop.

key: shop # never another
name: Shop
entities:
    # Whoever buys.
    - key: customer

      # In the order of the form.
      attributes:
          - {key: mail, type: 'key:string'} # the way to reach them
          - {key: born, type: 'key:date'}
      primaryKey: [ key:mail ]

    # What they buy.
    - key: order
      description: |-
          One order
          of one customer.
      attributes: []
tags: [b, a]
`;

const model = (): { [member: string]: unknown; entities: { [member: string]: unknown }[] } => ({
  id: "1",
  ...parse(FILE),
  entities: parse(FILE).entities.map((one: object, i: number) => ({ id: String(i), ...one })),
  tags: ["a", "b"],
});

describe("a YAML file that a pull updates", () => {
  test("is unchanged where the model is equal, except for ids and the order of sets", () => {
    const { entities, ...rest } = model();
    expect(pulled(FILE, { ...rest, entities: entities.toReversed() })).toBe(FILE);
  });

  test("keeps comments, quotes, indentation, spaces in brackets and empty lines around changes", () => {
    const changed = model();
    const [customer = {}, { id, key, ...order } = {}] = changed.entities;
    changed.name = "The shop";
    customer.attributes = [
      { key: "mail", type: "key:text" },
      { key: "city", type: "key:string" },
    ];
    changed.entities[1] = { id, key, name: "Order", ...order };
    changed.entities.push({ id: "2", key: "shelf", name: "Shelf" });
    changed.tags = ["a", "c"];
    expect(pulled(FILE, changed)).toBe(
      FILE.replace("name: Shop", "name: The shop")
        .replace("type: 'key:string'} #", "type: 'key:text'} #")
        .replace("{key: born, type: 'key:date'}", "{key: city, type: key:string}")
        .replace("- key: order\n", "- key: order\n      name: Order\n")
        .replace("tags: [b, a]", "    - key: shelf\n      name: Shelf\ntags: [a, c]"),
    );
    expect(pulled("a:\n  - [ b ]\n", { a: [["b"], { c: 1 }] })).toBe("a:\n  - [ b ]\n  - { c: 1 }\n");
    expect(pulled("a: b # why\n", { a: ["c"] })).toBe("a:\n  - c\n  # why\n");
  });

  test("recognises a renamed key by its id, a list without keys as one value, and moves comments with their values", () => {
    const text = "entities:\n  # first\n  - id: x\n    key: a\n  # second\n  - id: y\n    key: b\n";
    const written = pulled(text, {
      entities: [
        { id: "x", key: "z" },
        { id: "y", key: "b" },
      ],
    });
    expect(written).toBe(text.replace("key: a", "key: z"));
    const changes = listChanges({ sources: [{ path: "a" }] }, { sources: [{ path: "b" }] });
    expect(changes).toEqual([{ change: "update", path: "sources", before: "path: a", after: "path: b" }]);
    const attributes = "attributes:\n  # first\n  - key: a\n  # second\n  - key: b\n";
    expect(pulled(attributes, { attributes: [{ key: "b" }, { key: "a" }] })).toBe(
      "attributes:\n  # second\n  - key: b\n  # first\n  - key: a\n",
    );
  });

  test("has copies instead of aliases and merge keys if their anchors change, and keeps them otherwise", () => {
    const text = `entities:
- key: &a a
  attributes:
  - &at
    key: x
    type: key:string
  - <<: *at
    key: y # the second
- key: b
  attributes: [*at] # the same
`;
    const now = parse(text, { merge: true }) as { entities: { name?: string; attributes: { type: string }[] }[] };
    const [, b] = now.entities;
    if (b) now.entities[1] = { ...{ key: "b", name: "B" }, ...b };
    expect(pulled(text, now)).toBe(text.replace("- key: b\n", "- key: b\n  name: B\n"));
    // As a model comes: nothing in it is one object at two places.
    const changed = JSON.parse(JSON.stringify(now));
    changed.entities[0].attributes[0].type = "key:text";
    const written = pulled(text, changed);
    expect(written).toContain("# the second");
    expect(written).toContain("# the same");
    expect(written).not.toContain("*at");
    changed.entities[0].attributes.shift();
    const copied = pulled(text, changed);
    expect(copied).toContain("  - key: y # the second\n    type: key:string\n");
    expect(copied).not.toMatch(/[&*]|<</);
  });

  test("treats empty and absent members as equal, and drops former keys", () => {
    const text = "key: a\ndescription: null\ntags: []\nentities:\n  - key: b\n    renamedFrom: c\n";
    expect(pulled(text, { key: "a", types: [], entities: [{ key: "b", attributes: [] }] })).toBe(
      text.replace("    renamedFrom: c\n", ""),
    );
  });

  test("has the content of a random model, for any previous file, as a JSON file does", async () => {
    let seed = 7;
    const draw = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const texts = ["", "one", "two\nlines\n", "#no comment", "key:a", "true", "12", " spaced ", "a: b", "- c", "ä|b"];
    const drawn = (depth: number): unknown => {
      const sort = draw(depth > 3 ? 4 : 7);
      if (sort < 2) return texts[draw(texts.length)];
      if (sort === 2) return draw(2) === 0;
      if (sort === 3) return draw(1000) / 8;
      const size = draw(4);
      if (sort === 4) return Array.from({ length: size }, () => ({ key: `k${draw(6)}`, value: drawn(depth + 1) }));
      if (sort === 5) return Array.from({ length: size }, () => texts[draw(texts.length)]);
      return Object.fromEntries(Array.from({ length: size }, () => [`m${draw(6)}`, drawn(depth + 1)]));
    };
    const object = (): SourceObject => ({ entities: drawn(1), tags: drawn(1), a: drawn(0), b: drawn(0) });
    for (let i = 0; i < 400; i++) {
      const [file, now] = [object(), object()];
      const text = formatYamlLike(undefined, file);
      const after = mergeValues(file, now);
      expect(parse(formatYamlLike(text, after)), `round ${i}`).toEqual(after);
      const json = JSON.stringify(file, undefined, i % 2);
      expect(JSON.parse(await formatJsonLike(json, after)), `round ${i}`).toEqual(after);
      expect(await formatJsonLike(json, file), `round ${i}`).toBe(json);
    }
    expect(await formatJsonLike('{\n  "tags": []\n}', { tags: ["a"] })).toBe('{\n  "tags": [\n    "a"\n  ]\n}');
  });
});
