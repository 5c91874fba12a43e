import { Marked } from "marked";
import { describe, expect, test } from "vitest";
import type { ExportFormat } from "../../../shared/domain/values/export-formats.ts";
import { createExporter } from "../../../shared/formats/exporter.ts";
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
