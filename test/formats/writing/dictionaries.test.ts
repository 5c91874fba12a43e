import { Marked } from "marked";
import { describe, expect, test } from "vitest";
import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import type { ExportFormat } from "../../../shared/domain/values/export-formats.ts";
import { createExporter } from "../../../shared/formats/exporter.ts";
import { readContent } from "../reading.ts";
import { createMarkedModel } from "./marked-model.ts";

const { document } = createMarkedModel({ hostile: "" });

const write = async (format: ExportFormat, members: Partial<typeof document>): Promise<string> =>
  (await createExporter().write({ ...document, ...members }, format)).content;

describe("a data dictionary of a model with markup in its texts", () => {
  test("shows the text of a description as it is written, with one backslash less where that escapes a bracket", async () => {
    const page = async (description: string) =>
      new Marked().parse(await write("markdown", { description }), { async: false });
    expect(await page("\\<b>")).toContain("<p>&lt;b&gt;</p>");
    expect(await page("a <b> c")).toContain("<p>a &lt;b&gt; c</p>");
  });

  test("closes a code block that a description leaves open", async () => {
    expect(await write("markdown", { description: "```\n# a\n~~~\n```\nb" })).toContain("```\n\\# a\n~~~\n```\nb\n\n");
    expect(await write("markdown", { description: "~~~~\na\n~~~" })).toContain("~~~~\na\n~~~\n~~~~\n\n");
  });

  test("escapes a description of backslashes only in linear time", async () => {
    const start = performance.now();
    await write("markdown", { description: "\\".repeat(100_000) });
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  test("links to addresses of the web only", async () => {
    const content = await write("html", { documentationHome: "javascript:alert(1)" });
    expect(content).not.toMatch(/href="javascript:/i);
    expect(content).toContain("<code>javascript:alert(1)</code>");
    expect(await write("markdown", { documentationHome: "javascript:alert(1)" })).toContain("`javascript:alert(1)`");
  });
});

const toAttribute = (key: string, type: string, optional = false) => ({ key, type: `key:${type}`, optional });
const toRole = (key: string, entity: string, cardinality: string) => ({ key, entity: `key:${entity}`, cardinality });
const PERSON = [toAttribute("id", "int"), toAttribute("mail", "text", true), toAttribute("name", "text")];
const SALE = [toAttribute("day", "text"), toAttribute("buyer", "int", true)];
const BUYS = [toRole("by", "sale", "many"), toRole("of", "person", "one")];
const KNOWS = [toRole("a", "person", "zeroOrOne"), toRole("b", "sale", "unknown")];

/** A model with each fact that dictionaries and diagrams say of attributes, keys and roles. */
const { document: SHOP } = await readContent({
  ...{ $schema: "urn:metaction:model:2", key: "shop", types: [{ key: "int" }, { key: "text" }] },
  entities: [
    { key: "person", attributes: PERSON, primaryKey: ["key:id"] },
    { key: "sale", attributes: SALE, primaryKey: ["key:day", "key:buyer"] },
  ],
  relationships: [
    { key: "buys", roles: BUYS, keyPairs: [["key:buyer", "key:id"]] },
    { key: "knows", roles: KNOWS },
    { key: "leads", roles: [toRole("c", "person", "one"), toRole("d", "person", "many")] },
    { key: "meets", roles: [...KNOWS, toRole("c", "person", "one")] },
  ],
  businessKeys: [
    { key: "by_mail", entity: "key:person", participants: ["key:mail"] },
    { key: "empty", entity: "key:person", participants: [] },
  ],
});

test.each<[description: string, address?: string]>([
  ["[a](https://example.org/b:c)", "https://example.org/b:c"],
  ["[a](HTTP://example.org)", "HTTP://example.org"],
  ["[a](mailto:a@example.org)", "mailto:a@example.org"],
  ["[a](b/c:d)", "b/c:d"],
  ["[a][b]\n\n[b]: ./c#d:e", "./c#d:e"],
  ["[a](javascript:alert(1))"],
  ["[a](\n  <JavaScript:alert(1)>)"],
  ["[a](java&#115;cript&colon;alert(1))"],
  ["[a](javascript\\:alert(1))"],
  ["![a](data:text/html,b)"],
  ["[a][b]\n\n[b]: vbscript:c"],
])("links from a description only to where no script runs: %j", async (description, address) => {
  const { content } = await createExporter().write({ ...SHOP, description }, "markdown");
  const [, link] = /(?:href|src)="([^"]*)"/.exec(new Marked().parse(content, { async: false })) ?? [];
  expect(link).toBe(address);
});

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
      "- Business key `by_mail`: `mail`\n- Business key `empty`: no attributes\n",
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
      '<h2>Entities</h2><a href="#entity-0">person</a><a href="#entity-1">sale</a>',
      '<h2>Relationships</h2><a href="#relationship-0">buys</a><a href="#relationship-1">knows</a>',
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
      ...[">name</TD>", "><U>id</U></TD>", ">mail</TD>", ">text?</FONT>", "><U>day</U></TD>", ">int?</FONT>"],
      'e0:b0:e -> e1:a1:w [label="buys" arrowtail=teetee arrowhead=crowodot taillabel="of" headlabel="by"];',
      'e0:h:e -> e1:h:w [label="knows" arrowtail=teeodot arrowhead=none taillabel="a" headlabel="b"];',
      'e0:h:e -> e0:h:e [label="leads" ',
    ],
  ],
] as const)("an export as %s says which attributes are keys and required, and how many objects take part", async (format, facts) => {
  const { content } = await createExporter().write(SHOP, format);
  for (const fact of facts) expect(content).toContain(fact);
});

test("a diagram in Mermaid lacks relationships of three roles, and has warnings only about facts that it cannot show", async () => {
  const { content, warnings } = await createExporter().write(SHOP, "mermaid");
  expect(content).not.toContain("meets");
  const lost = ["/entities/0", "/relationships/1/roles/1/cardinality", "/relationships/3"];
  expect(warnings.flatMap(({ pointers }) => pointers)).toEqual(lost);
});

test("a diagram as SVG marks each attribute of a primary key", async () => {
  const write = async (document: ModelDocument) => (await createExporter().write(document, "svg")).content;
  const countMarks = (content: string) => content.match(/a3,3 0 1 0 6,0/g)?.length ?? 0;
  expect(countMarks(await write(SHOP))).toBe(3);
  const entities = SHOP.entities.map((one) => ({ ...one, primaryKey: [] }));
  expect(countMarks(await write({ ...SHOP, entities }))).toBe(0);
});

async function listWarnings(entities: number, relationships: number): Promise<readonly string[]> {
  const { document } = await readContent({
    $schema: "urn:metaction:model:2",
    key: "m",
    entities: Array.from({ length: entities }, (_, i) => ({ key: `e${i}` })),
    relationships: Array.from({ length: relationships }, (_, i) => ({
      key: `r${i}`,
      roles: [
        { key: "a", entity: "key:e0", cardinality: "many" },
        { key: "b", entity: "key:e1", cardinality: "one" },
      ],
    })),
  });
  const { content, warnings } = await createExporter().write(document, "svg");
  // However it is laid out, everything is in it.
  for (let i = 0; i < entities; i++) expect(content).toContain(`>e${i}<`);
  return warnings.map(({ detail }) => detail);
}

const PACKED = "the diagram is too large for a layout by relationships";

test("a diagram of at most diagramBoxes boxes is laid out by its lines, and a larger one in rows", async () => {
  expect(LIMITS.diagramBoxes).toBe(400);
  expect(await listWarnings(LIMITS.diagramBoxes, 1)).toEqual([]);
  expect(await listWarnings(LIMITS.diagramBoxes + 1, 1)).toEqual([PACKED]);
});

test("a diagram of at most diagramLines lines is laid out by them, and one with more in rows", async () => {
  expect(LIMITS.diagramLines).toBe(800);
  expect(await listWarnings(2, LIMITS.diagramLines)).toEqual([]);
  expect(await listWarnings(2, LIMITS.diagramLines + 1)).toEqual([PACKED]);
});
