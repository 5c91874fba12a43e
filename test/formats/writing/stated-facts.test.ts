import { expect, test } from "vitest";
import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import { createExporter } from "../../../shared/formats/exporter.ts";

/** A model with each fact that dictionaries and diagrams say of attributes, keys and roles. */
const SHOP: ModelDocument = {
  ...{ $schema: "urn:metaction:model:2", key: "shop", name: "shop", version: "1.0.0", authority: "system" },
  types: [{ key: "int" }, { key: "text" }],
  entities: [
    {
      key: "person",
      attributes: [
        { key: "id", type: "key:int", optional: false },
        { key: "mail", type: "key:text", optional: true },
        { key: "name", type: "key:text", optional: false },
      ],
      primaryKey: ["key:id"],
    },
    {
      key: "sale",
      attributes: [
        { key: "day", type: "key:text", optional: false },
        { key: "buyer", type: "key:int", optional: true },
      ],
      primaryKey: ["key:day", "key:buyer"],
    },
  ],
  relationships: [
    {
      key: "buys",
      roles: [
        { key: "by", entity: "key:sale", cardinality: "many" },
        { key: "of", entity: "key:person", cardinality: "one" },
      ],
      keyPairs: [["key:buyer", "key:id"]],
      attributes: [],
    },
    {
      key: "knows",
      roles: [
        { key: "a", entity: "key:person", cardinality: "zeroOrOne" },
        { key: "b", entity: "key:sale", cardinality: "unknown" },
      ],
      attributes: [],
    },
  ],
  businessKeys: [{ key: "by_mail", entity: "key:person", participants: ["key:mail"] }],
  localTags: [],
  tagGroups: [],
};

test.each([
  [
    "markdown",
    [
      "| `id` | `int` | key, required |",
      "| `mail` | `text` |  |",
      "| `name` | `text` | required |",
      "| `day` | `text` | key, required |",
      "| `buyer` | `int` | key |",
      "Primary key: `day`, `buyer`\n",
      "- Business key `by_mail`: `mail`",
      "| `by` |  | `sale` | any number |",
      "| `of` |  | `person` | exactly one |",
      "| `a` |  | `person` | at most one |",
      "| `b` |  | `sale` | not known |",
      "Joined by `sale.buyer` = `person.id`",
    ],
  ],
  [
    "html",
    [
      "<td><code>id</code></td><td><code>int</code></td><td>key, required</td>",
      "<td><code>mail</code></td><td><code>text</code></td><td></td>",
      "<td><code>name</code></td><td><code>text</code></td><td>required</td>",
      "<td><code>buyer</code></td><td><code>int</code></td><td>key</td>",
      "primary key <code>day</code>, <code>buyer</code></p>",
      "business key <code>by_mail</code>: <code>mail</code></p>",
      '<td><code>by</code></td><td><a href="#entity-1">sale</a></td><td>any number</td>',
      '<td><code>of</code></td><td><a href="#entity-0">person</a></td><td>exactly one</td>',
      '<td><code>a</code></td><td><a href="#entity-0">person</a></td><td>at most one</td>',
      '<td><code>b</code></td><td><a href="#entity-1">sale</a></td><td>not known</td>',
      "joined by <code>sale.buyer</code> = <code>person.id</code>",
      '<a href="#relationship-0">buys</a> <a href="#entity-1">sale</a></p>',
    ],
  ],
  [
    "mermaid",
    [
      "    int id PK\n",
      '    text mail UK "optional"\n',
      "    text name\n",
      "    text day PK\n",
      '    int buyer PK, FK "optional"\n',
      '  sale }o--|| person : "buys"\n',
      '  person |o--o{ sale : "knows"\n',
    ],
  ],
  [
    "graphviz",
    [
      ">name</TD>",
      "><U>id</U></TD>",
      ">mail</TD>",
      ">text?</FONT>",
      "><U>day</U></TD>",
      ">int?</FONT>",
      'e0:b0:e -> e1:a1:w [label="buys" arrowtail=teetee arrowhead=crowodot taillabel="of" headlabel="by"];',
      'e0:h:e -> e1:h:w [label="knows" arrowtail=teeodot arrowhead=none taillabel="a" headlabel="b"];',
    ],
  ],
] as const)("an export as %s says which attributes are keys and required, and how many objects take part", async (format, facts) => {
  const { content } = await createExporter().write(SHOP, format);
  for (const fact of facts) expect(content).toContain(fact);
});

test("a diagram as SVG marks each attribute of a primary key", async () => {
  const write = async (document: ModelDocument) => (await createExporter().write(document, "svg")).content;
  const countMarks = (content: string) => content.match(/a3,3 0 1 0 6,0/g)?.length ?? 0;
  expect(countMarks(await write(SHOP))).toBe(3);
  const entities = SHOP.entities.map((one) => ({ ...one, primaryKey: [] }));
  expect(countMarks(await write({ ...SHOP, entities }))).toBe(0);
});
