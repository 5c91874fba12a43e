import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { expectAccessible } from "./support/accessibility.ts";
import { DESKTOP, LOOKS, useApplication } from "./support/application.ts";
import { importLibrary } from "./support/library.ts";
import { expectFocus } from "./support/mouse-and-keyboard.ts";
import { visitsOf } from "./support/visits.ts";

const application = useApplication();
const { act } = application;
const field = (page: Page) => page.getByRole("searchbox", { name: "Search keys, names and descriptions" });
const results = (page: Page) => page.getByRole("region", { name: "Results" }).getByRole("link");

/** Ticks a checkbox whose state is in the address: the router shows it ticked one render after the click. */
async function chooseFacet(checkbox: Locator) {
  await checkbox.click();
  await expect.poll(() => checkbox.isChecked()).toBe(true);
}

beforeAll(async () => {
  for (const key of ["north", "south"]) await importLibrary(application, key);
  const email = { modelRef: "key:south", entityRef: "key:loan", attributeRef: "key:member" };
  await act("tag/tag_group_create", { key: "privacy" });
  await act("tag/tag_global_create", { groupRef: "key:privacy", key: "personal", name: "Personal data" });
  await act("model/entity_attribute_update_property", { ...email, property: "source", value: { table: "m" } });
  const book = { modelRef: "key:south", entityRef: "key:book" };
  await act("model/business_key_create", { ...book, key: "title_key", participants: ["key:title"] });
});

test("objects are found in all models with the key /, filtered by kind and model, and downloaded", async () => {
  const page = await application.open("/models");
  await page.getByRole("heading", { name: "Models" }).waitFor();
  await page.keyboard.press("/");
  await field(page).waitFor();
  await expectFocus(field(page));
  await page.keyboard.type("loan");
  const contains = { type: "text", condition: "contains", value: "loan" };
  const all = (await act("model/search", { filters: { operator: "and", items: [contains] } })).items.length;
  expect(all).toBeGreaterThan(1);
  await expect.poll(() => results(page).count()).toBe(all);
  await chooseFacet(page.getByRole("group", { name: "Models" }).getByRole("checkbox", { name: /south/ }));
  await expect.poll(() => results(page).count()).toBe(all / 2);
  await chooseFacet(page.getByRole("group", { name: "Kinds" }).getByRole("checkbox", { name: "Entity" }));
  await expect.poll(() => results(page).count()).toBe(1);
  await page.reload();
  await expect.poll(() => results(page).count()).toBe(1);
  await expect.poll(() => field(page).inputValue()).toBe("loan");
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download as CSV" }).click();
  const text = await readFile(await (await downloading).path(), "utf8");
  expect(text).toBe("\uFEFFKind,Model,Path,Key,Name\r\nEntity,south,south/loan,loan,Loan\r\n");
  await results(page).first().click();
  await page.waitForURL(/\/models\/key:south\/entities\/key:loan$/);
});

test("a tagged attribute is found by its tag, and by the tag or a property of another", async () => {
  const south = { modelRef: "key:south", entityRef: "key:loan" };
  const due = { ...south, attributeRef: "key:due", tagRef: "key:privacy/personal" };
  await act("model/entity_attribute_add_tag", due);
  const page = await application.open("/search");
  await page.getByRole("heading", { name: "Search in all models" }).waitFor();
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByRole("combobox", { name: "Value of condition 1" }).click();
  await page.getByRole("option", { name: "Personal data · privacy" }).click();
  await page.keyboard.press("Escape");
  await expect.poll(() => results(page).count()).toBe(1);
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByRole("combobox", { name: "Subject of condition 2" }).click();
  await page.getByRole("option", { name: "Property" }).click();
  await page.getByRole("textbox", { name: "Name of the property in condition 2" }).fill("source");
  await page.getByRole("textbox", { name: "Value of condition 2" }).fill('{"table": "m"}');
  await page.getByRole("heading", { name: "Nothing was found" }).waitFor();
  await page.getByText("Any condition").click();
  await expect.poll(() => results(page).count()).toBe(2);
  await page.reload();
  await expect.poll(() => results(page).count()).toBe(2);
  await page.getByRole("button", { name: "Remove condition 1" }).click();
  await expect.poll(() => results(page).count()).toBe(1);
  await results(page).first().click();
  await page.waitForURL(/attributes\/key:member$/);
});

test("an object without a page is marked on the page of its owner", async () => {
  const page = await application.open("/search?q=title_key");
  await results(page).first().click();
  await page.waitForURL(/\/models\/key:south\/entities\/key:book\?tab=keys#title_key$/);
  await expect.poll(() => page.locator("[data-marked]").innerText()).toContain("title_key");
});

test("and is marked there however late the page loads", async () => {
  const page = await application.open("/search?q=title_key");
  await results(page).first().waitFor();
  await page.route(/\/object-screens[^/]*\.js$/, async (route) => {
    // Longer than a mark is shown.
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    await route.continue();
  });
  await results(page).first().click();
  await field(page).waitFor({ state: "detached" });
  await expect.poll(() => page.locator("[data-marked]").innerText()).toContain("title_key");
});

test("a refused condition is explained by the service", async () => {
  application.expectComplaint(/^answer: 400 POST \/api\/model\/search/);
  const page = await application.open(`/search?where=${encodeURIComponent('[["constraints","anyOf","minLenght"]]')}`);
  await page.getByRole("alert").filter({ hasText: "minLength" }).waitFor();
});

test("the palette opens objects, searches for all, and knows the recent pages", async () => {
  const page = await application.open("/models/key:north/history");
  await page.getByRole("link", { name: "History" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Go to, search, run" }).fill("title_key");
  await page.getByRole("option", { name: /title_key.*Business key · City library · Book/ }).click();
  await page.waitForURL(/\/models\/key:south\/entities\/key:book\?tab=keys#title_key$/);
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: /History · City library/ }).click();
  await page.waitForURL(/\/models\/key:north\/history$/);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Go to, search, run" }).fill("isbn");
  await page.getByRole("option", { name: "Search all models for “isbn”" }).click();
  await expect.poll(() => results(page).count()).toBeGreaterThan(1);
  await expect.poll(() => field(page).inputValue()).toBe("isbn");
});

test.each(LOOKS)("the search is accessible on a $device, $colorScheme", async ({ device: _, ...look }) => {
  const locale = (look.viewport === DESKTOP) === (look.colorScheme === "light") ? "fr-FR" : "en-GB";
  const page = await application.open("/search", { ...look, locale });
  await page.getByRole("searchbox").waitFor();
  await expectAccessible(page);
  const where = encodeURIComponent(
    '[["tags","noneOf","key:privacy/personal"],["properties","equals","a","b"],["text","contains","o"]]',
  );
  await page.goto(`${application.service.url}/search?q=book&op=or&where=${where}`);
  await page.locator("section a").first().waitFor();
  await visitsOf(page).settled();
  await expectAccessible(page);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /Go to|Aller/ }).waitFor();
  await expectAccessible(page);
});
