import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import type { ExportFormat } from "../../../shared/domain/values/export-formats.ts";
import { createExporter } from "../../../shared/formats/exporter.ts";
import { shop } from "../../diagram/support/diagram-models.ts";
import { startBrowser } from "../../installed/support/browser.ts";
import { INJECTIONS, RAN } from "../../ui/support/injections.ts";
import { createMarkedModel } from "./marked-model.ts";

/** Functions of a page of Mermaid. */
declare const mermaid: {
  initialize(settings: object): void;
  render(id: string, text: string): Promise<{ readonly svg: string }>;
};

const MERMAID = fileURLToPath(new URL("../../../node_modules/mermaid/dist/mermaid.min.js", import.meta.url));

const write = async (document: ModelDocument, format: ExportFormat): Promise<string> =>
  (await createExporter().write(document, format)).content;

const attack = (i: number): ModelDocument => createMarkedModel({ hostile: INJECTIONS[i] ?? "" }).document;

describe("in a browser", () => {
  let browser: Browser;
  let page: Page;
  const requests: string[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
  });
  // The content security policy of an exported page stays in force for the next content.
  beforeEach(async () => {
    page = await browser.newPage();
    page.on("request", (request) => requests.push(request.url()));
  });
  afterEach(() => page.close());
  afterAll(() => browser.close());

  test("an exported page shows the diagram and the parts, requests nothing, and finds typed words", async () => {
    requests.length = 0;
    await page.setContent(await write(shop, "html"));
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

  test.each(["html", "svg"] as const)("an export as %s runs no text of a model", async (format) => {
    for (let i = 0; i < INJECTIONS.length; i += 3) {
      await page.setContent(await write(attack(i), format));
      expect(await page.evaluate((name) => Reflect.get(globalThis, name), RAN), `${format} ${i}`).toBeUndefined();
      expect(await page.locator("script").count()).toBe(format === "html" ? 1 : 0);
      expect(await page.locator("a[href^='javascript']").count()).toBe(0);
    }
  });

  test("a Mermaid diagram renders, with common names and with hostile ones", async () => {
    await page.setContent("<body></body>");
    await page.addScriptTag({ content: readFileSync(MERMAID, "utf8") });
    for (const document of [shop, ...[0, 5, 11, 17].map(attack)]) {
      const text = await write(document, "mermaid");
      const svg = await page.evaluate(async (diagram) => {
        mermaid.initialize({ startOnLoad: false });
        return (await mermaid.render("drawn", diagram)).svg;
      }, text);
      expect(svg).toMatch(/<svg[\s\S]*>(customer|m\d+q)/);
      expect(await page.evaluate((name) => Reflect.get(globalThis, name), RAN)).toBeUndefined();
    }
  });
});
