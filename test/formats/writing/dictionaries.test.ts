import { Marked } from "marked";
import { describe, expect, test } from "vitest";
import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import type { ExportFormat } from "../../../shared/domain/values/export-formats.ts";
import { createExporter } from "../../../shared/formats/exporter.ts";

const SCRIPT = "<script>alert(1)</script>";

/** A model in which every text that people write is markup. */
const HOSTILE: ModelDocument = {
  $schema: "urn:metaction:model:2",
  key: "crm",
  name: `${SCRIPT} model`,
  description: `${SCRIPT} model`,
  documentationHome: "javascript:alert(1)",
  version: "1.0.0",
  authority: "system",
  properties: { [SCRIPT]: SCRIPT },
  types: [{ key: "string", name: SCRIPT, description: SCRIPT }],
  entities: [
    {
      ...{ key: "customer", name: `${SCRIPT} customer`, description: SCRIPT, primaryKey: ["key:code"] },
      documentationHome: 'https://example.org/"onclick="alert(1)',
      attributes: [
        {
          ...{ key: "code", name: SCRIPT, description: SCRIPT, type: "key:string", optional: false },
          constraints: { pattern: SCRIPT, enum: [SCRIPT] },
        },
      ],
    },
    { key: "order", name: 'say "hi"', attributes: [], primaryKey: [] },
  ],
  relationships: [
    {
      ...{ key: "places", name: 'say "hi"', description: SCRIPT },
      roles: [
        { key: "buyer", name: SCRIPT, entity: "key:customer", cardinality: "one" },
        { key: "bought", entity: "key:order", cardinality: "many" },
      ],
      attributes: [{ key: "since", name: SCRIPT, type: "key:string", optional: true }],
    },
  ],
  businessKeys: [{ key: "by_code", name: SCRIPT, entity: "key:customer", participants: ["key:code"] }],
  localTags: [{ key: "pii", name: SCRIPT, description: SCRIPT }],
  tagGroups: [],
};

const write = async (format: ExportFormat, document = HOSTILE): Promise<string> =>
  (await createExporter().write(document, format)).content;

/** Texts that are live HTML in a page, or in Markdown, unless each character is escaped for its place. */
const LIVE = [
  "<img src=x onerror=alert(1)>",
  "\\<img src=x onerror=alert(1)>",
  "\\\\<img src=x onerror=alert(1)>",
  "\\\\\\<img src=x onerror=alert(1)>",
  "\\|<img src=x onerror=alert(1)>|",
  "`\\`<img src=x onerror=alert(1)>",
  "a | b\n- | -\n`\\|<img src=x onerror=alert(1)>`",
  "```\n<img src=x onerror=alert(1)>",
  "\\\n<img src=x onerror=alert(1)>",
  "[a]: <\\> \n<img src=x onerror=alert(1)>",
  "&lt;img src=x onerror=alert(1)&gt;",
  "<!-- -->\\<img\nsrc=x onerror=alert(1)>",
  "<https://example.org/\\><img src=x onerror=alert(1)>",
] as const;

/** The model with that text in the place of each text that people write. */
const withText = (text: string): ModelDocument =>
  JSON.parse(JSON.stringify(HOSTILE), (_, value) =>
    typeof value === "string" && value.includes(SCRIPT) ? text : value,
  );

describe("a data dictionary of a model whose texts are markup", () => {
  test.each(["html", "markdown"] as const)("names every object of the model in %s", async (format) => {
    const content = await write(format);
    for (const key of ["crm", "customer", "code", "order", "places", "buyer", "bought", "since", "by_code", "pii"]) {
      expect(content).toMatch(new RegExp(`\\b${key}\\b`));
    }
  });

  test("holds no markup of the model as a page", async () => {
    const content = await write("html");
    expect(content).not.toContain("<script>alert");
    expect(content).not.toContain('"onclick=');
    expect(content).toContain("&lt;script&gt;alert(1)&lt;/script&gt; customer");
  });

  test.each(LIVE)("holds no live HTML of the model, with the text %j in every member", async (text) => {
    const pages = {
      html: await write("html", withText(text)),
      svg: await write("svg", withText(text)),
      markdown: new Marked().parse(await write("markdown", withText(text)), { async: false }),
    };
    for (const page of Object.values(pages)) expect(page).not.toMatch(/<img[\s/]/i);
  });

  test("shows the text of a description as it is written, with one backslash less where that escapes a bracket", async () => {
    const page = async (text: string) => new Marked().parse(await write("markdown", withText(text)), { async: false });
    expect(await page("\\<b>")).toContain("<p>&lt;b&gt;</p>");
    expect(await page("a <b> c")).toContain("<p>a &lt;b&gt; c</p>");
  });

  test("escapes a description of backslashes alone in linear time", async () => {
    const began = performance.now();
    await write("markdown", withText("\\".repeat(100_000)));
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  test("links to addresses of the web only", async () => {
    const content = await write("html");
    expect(content).not.toMatch(/href="javascript:/i);
    expect(content).toContain("<code>javascript:alert(1)</code>");
  });
});

test("names of tables in PostgreSQL end with their own quotes, and properties that a format drops are warned of", async () => {
  const document = { ...HOSTILE, entities: [{ key: 'say "hi"', attributes: [], primaryKey: [] }], relationships: [] };
  const { content } = await createExporter().write({ ...document, businessKeys: [] }, "postgresql");
  expect(content).toContain('CREATE TABLE "say ""hi"""');
  const { warnings } = await createExporter().write(HOSTILE, "mermaid");
  expect(warnings.flatMap(({ pointers }) => pointers)).toContain("/properties/<script>alert(1)<~1script>");
});

test.each([
  "mermaid",
  "graphviz",
  "svg",
] as const)("a diagram as %s has no quote of a text as its own syntax", async (format) => {
  const content = await write(format);
  expect(content).toMatch(/say .{1,6}hi/);
  expect(content).not.toContain('say "hi"');
});
