import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./support/accessibility.ts";
import { DESKTOP, PHONE, useApplication } from "./support/application.ts";
import { importLibrary, libraryFile } from "./support/library.ts";

const application = useApplication();
const { act } = application;
const run = (action: string, payload: object) => act(`model/${action}`, payload);

/** A model with a renamed entity, an attribute more and one less, and another name. */
async function changedLibrary(key: string) {
  await importLibrary(application, key);
  const modelRef = `key:${key}`;
  await run("entity_update_key", { modelRef, entityRef: "key:loan", value: "lending" });
  const lending = { modelRef, entityRef: "key:lending" };
  await run("entity_attribute_delete", { ...lending, attributeRef: "key:due" });
  await run("entity_attribute_create", { ...lending, attributeKey: "fee", type: "key:number", optional: true });
  await run("entity_update_name", { modelRef, entityRef: "key:book", value: "Copy" });
}

const rows = (page: Page) => page.locator("main section button[aria-pressed]");

test("two revisions are compared after a rename, and each row links to the object", async () => {
  await changedLibrary("renamed");
  const page = await application.open("/compare?left=key:renamed&leftAt=r1&right=key:renamed&rightAt=r5");
  const group = page.getByRole("region", { name: "Entity loan" });
  const renamed = group.getByRole("button", { name: /Renamed.*loan → lending.*Breaking/ });
  await renamed.waitFor();
  await expect.poll(() => group.locator("button[aria-pressed]").count()).toBe(3);
  await group.getByRole("button", { name: /Added.*Attribute.*fee.*Additive/ }).waitFor();
  await renamed.click();
  await page.getByRole("link", { name: "Open on the right" }).waitFor();
  const linkTo = (side: string) => page.getByRole("link", { name: `Open on the ${side}` }).getAttribute("href");
  await expect.poll(() => linkTo("right")).toBe("/models/key:renamed/entities/key:lending");
  await expect.poll(() => linkTo("left")).toBe("/models/key:renamed/entities/key:loan");
  await page.keyboard.press("Escape");
  await group.getByRole("link", { name: "Open fee" }).click();
  await page.waitForURL(/\/models\/key:renamed\/entities\/key:lending\/attributes\/key:fee$/);
  await page.goBack();
  await renamed.waitFor();
});

test("classes, kinds and texts filter the differences, and are all in the address", async () => {
  await changedLibrary("classes");
  const page = await application.open("/compare?left=key:classes&leftAt=1.2.0&right=key:classes");
  await rows(page).first().waitFor();
  await expect.poll(() => rows(page).count()).toBe(4);
  await page.getByRole("button", { name: "1 cosmetic" }).click();
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.getByText("1 of 4 shown").waitFor();
  await page.reload();
  await rows(page).first().waitFor();
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.getByRole("button", { name: "1 cosmetic" }).click();
  await page.getByRole("textbox", { name: "Filter by name or key" }).fill("due");
  await expect.poll(() => rows(page).allInnerTexts()).toHaveLength(1);
  await page.getByRole("textbox", { name: "Filter by name or key" }).fill("nowhere");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.poll(() => rows(page).count()).toBe(4);
  await page.getByText("Structure", { exact: true }).click();
  await page.waitForURL(/scope=structural/);
  await expect.poll(() => rows(page).count()).toBe(3);
  await page.getByRole("button", { name: "Swap left and right" }).click();
  await page.getByRole("button", { name: /Deleted.*fee/ }).waitFor();
});

test("a model is chosen on either side, and equal sides have a note", async () => {
  await importLibrary(application, "equal");
  const page = await application.open("/compare");
  await page.getByRole("heading", { name: "Compare two states" }).waitFor();
  for (const side of ["Left", "Right"]) {
    await page.getByRole("group", { name: side }).getByRole("combobox", { name: "Model" }).fill("equal");
    await page.getByRole("option", { name: /\(equal\)/ }).click();
  }
  await page.getByRole("heading", { name: "No difference" }).waitFor();
  await page.getByRole("group", { name: "Left" }).getByRole("combobox", { name: "State" }).click();
  await page.getByRole("option", { name: "A revision…" }).click();
  await page.getByRole("textbox", { name: "Number of the revision" }).fill("7");
  application.expectComplaint(/^answer: 404 POST \/api\/model\/model_compare/);
  await page.getByRole("heading", { name: "Not found" }).waitFor();
});

test("a dropped file is compared and kept over a reload, and one that is not JSON is reported", async () => {
  await changedLibrary("file");
  const page = await application.open("/compare?left=key:file");
  const right = page.getByRole("group", { name: "Right" });
  const breaking = page.getByRole("button", { name: /lending.*Breaking/ }).first();
  const drop = async (name: string, content: string) => {
    const files = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}, { type: "application/json" }));
      return data;
    })()`);
    await right.dispatchEvent("drop", { dataTransfer: files });
  };
  await drop("library.json", await readFile(libraryFile, "utf8"));
  await breaking.waitFor();
  const count = await rows(page).count();
  await page.reload();
  await expect.poll(() => rows(page).count()).toBe(count);
  await drop("broken.json", "{");
  await right.getByRole("alert").filter({ hasText: "broken.json is not valid JSON" }).waitFor();
  application.expectComplaint(/^answer: 422 POST \/api\/model\/model_compare$/);
  await drop("list.json", "[]");
  await page.getByRole("alert").getByText("Source format not recognized").waitFor();
  await drop("library.sql", "CREATE TABLE shelf (id integer PRIMARY KEY);");
  await page.getByRole("region", { name: "Entity shelf" }).waitFor();
  await right.locator("input[type=file]").setInputFiles(libraryFile);
  await breaking.waitFor();
  await page.goto(`${application.service.url}/compare?left=key:file&right=file:never.json`);
  await right.getByText("The file never.json is no longer available. Drop it here again.").waitFor();
});

test("both sides are drawn as one diagram, which has an address", async () => {
  await changedLibrary("drawn");
  const page = await application.open("/compare?left=key:drawn&leftAt=1.2.0&right=key:drawn");
  await rows(page).first().waitFor();
  await page.getByText("Diagram", { exact: true }).click();
  await page.waitForURL(/view=diagram/);
  await page.locator(".react-flow__node").first().waitFor();
  await expect
    .poll(() => page.locator(".react-flow__node").allInnerTexts())
    .toEqual(expect.arrayContaining([expect.stringMatching(/fee[\s\S]*Due date/)]));
});

test.each([
  ["light", DESKTOP, "fr-FR"],
  ["dark", DESKTOP, "en-GB"],
  ["light", PHONE, "en-GB"],
  ["dark", PHONE, "fr-FR"],
] as const)("a comparison is accessible: %s, %o, %s", async (colorScheme, viewport, locale) => {
  const key = `access-${colorScheme}-${viewport.width}`;
  await changedLibrary(key);
  const page = await application.open("/compare", { colorScheme, viewport, locale });
  await page.getByRole("heading", { level: 2 }).waitFor();
  await expectAccessible(page);
  await page.goto(`${application.service.url}/compare?left=key:${key}&leftAt=1.2.0&right=key:${key}`);
  await rows(page).first().waitFor();
  await expectAccessible(page);
  await rows(page).first().click();
  await page.getByRole("complementary").waitFor();
  await expectAccessible(page);
});
