import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import type { ExportFormat } from "../../shared/domain/values/export-formats.ts";
import { createExporter } from "../../shared/formats/exporter.ts";
import { shop } from "../diagram/support/diagram-models.ts";
import { INJECTIONS, RAN } from "../ui/support/injections.ts";
import { startBrowser } from "./support/browser.ts";

/** What a page of Mermaid offers. */
declare const mermaid: {
  initialize(settings: object): void;
  render(id: string, text: string): Promise<{ readonly svg: string }>;
};

const MERMAID = fileURLToPath(new URL("../../node_modules/mermaid/dist/mermaid.min.js", import.meta.url));

let browser: Browser;
let page: Page;
const requests: string[] = [];

beforeAll(async () => {
  browser = await startBrowser();
});
// The policy of an exported page would hold for whatever a page shows after it.
beforeEach(async () => {
  page = await browser.newPage();
  page.on("request", (request) => requests.push(request.url()));
});
afterEach(() => page.close());
afterAll(() => browser.close());

async function written(document: ModelDocument, format: ExportFormat): Promise<string> {
  return (await createExporter().write(document, format)).content;
}

/** The shop with texts that try to run a script, another one in every place. */
function attacked(at: number): ModelDocument {
  const text = (shift: number): string => INJECTIONS[(at + shift) % INJECTIONS.length] ?? "";
  return {
    ...shop,
    name: text(0),
    description: text(1),
    documentationHome: "javascript:globalThis.injectionRan=1",
    properties: { [text(2)]: text(3) },
    entities: shop.entities.map((entity, i) => ({
      ...entity,
      name: text(i),
      description: text(i + 1),
      attributes: entity.attributes.map((one, j) => ({ ...one, name: text(i + j), description: text(j + 2) })),
    })),
    relationships: shop.relationships.map((one, i) => ({
      ...one,
      name: text(i + 3),
      roles: one.roles.map((role, j) => ({ ...role, name: text(i + j + 4) })),
    })),
  };
}

describe("an exported page", () => {
  test("shows the diagram and all sections, loads nothing, and can be searched", async () => {
    requests.length = 0;
    await page.setContent(await written(shop, "html"));
    expect(await page.locator(".diagram svg text").count()).toBeGreaterThan(shop.entities.length);
    const all = page.locator("[data-part]");
    const count = await all.count();
    const [entity] = shop.entities;
    await page.locator("#search").fill(entity?.attributes[0]?.key ?? "");
    await expect.poll(() => page.locator("[data-part]:visible").count()).toBeLessThan(count);
    await page.locator("#search").fill("");
    await expect.poll(() => page.locator("[data-part]:visible").count()).toBe(count);
    expect(requests).toEqual([]);
  });

  test.each(["html", "svg"] as const)("of %s executes nothing from a model", async (format) => {
    for (let at = 0; at < INJECTIONS.length; at += 3) {
      await page.setContent(await written(attacked(at), format));
      expect(await page.evaluate((name) => Reflect.get(globalThis, name), RAN), `${format} ${at}`).toBeUndefined();
      expect(await page.locator("script").count()).toBe(format === "html" ? 1 : 0);
      expect(await page.locator("a[href^='javascript']").count()).toBe(0);
    }
  });
});

describe("a Mermaid diagram", () => {
  test("is rendered, with ordinary and with hostile names", async () => {
    await page.setContent("<body></body>");
    await page.addScriptTag({ content: readFileSync(MERMAID, "utf8") });
    for (const document of [shop, ...[0, 5, 11, 17].map(attacked)]) {
      const text = await written(document, "mermaid");
      const svg = await page.evaluate(async (diagram) => {
        mermaid.initialize({ startOnLoad: false });
        return (await mermaid.render("drawn", diagram)).svg;
      }, text);
      for (const { key } of document.entities) expect(svg).toContain(key);
    }
  });
});
