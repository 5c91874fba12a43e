import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible } from "./support/accessibility.ts";
import { DESKTOP, PHONE, useApplication } from "./support/application.ts";

const application = useApplication();

beforeAll(async () => {
  const { service, token } = application;
  const content = JSON.parse(readFileSync(new URL("../../examples/library/datapackage.json", import.meta.url), "utf8"));
  const made = await service.call("model/import", { content }, token);
  expect(made.status).toBe(200);
});

const modelsShown = (page: Page) => page.getByRole("gridcell", { name: /^City library/ }).waitFor();

test("the keyboard shortcuts navigate, open the palette and list themselves", async () => {
  const page = await application.open("/models/key:library");
  await page.getByRole("heading", { level: 1, name: "City library" }).waitFor();
  // One right after the other, however slow the page is.
  await Promise.all(["g", "m"].map((key) => page.keyboard.press(key)));
  await page.waitForURL(/\/models$/);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).getByText("Go to Models").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").waitFor();
});

test("the language is that of the browser if it is French", async () => {
  const page = await application.open("/models", { locale: "fr-FR" });
  await page.getByRole("heading", { level: 1, name: "Modèles" }).waitFor();
  await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("fr");
});

test("a lost service is reported, typed text is kept, and the banner disappears when it is back", async () => {
  application.expectComplaint(/^request: .* net::ERR_INTERNET_DISCONNECTED$/);
  const page = await application.open("/models/key:library");
  await page.getByRole("button", { name: "Edit description" }).press("e");
  const field = page.getByRole("textbox", { name: "description" });
  await field.fill("kept");
  const calls = /\/(api|health)\b/;
  await page.route(calls, (route) => route.abort("internetdisconnected"));
  await field.press("Control+Enter");
  await page.getByText("The service does not answer").waitFor();
  await expect.poll(() => field.inputValue()).toBe("kept");
  await page.getByRole("button", { name: "Check now" }).waitFor();
  await page.unroute(calls);
  await page.getByText("The service does not answer").waitFor({ state: "hidden" });
  await expect.poll(() => field.inputValue()).toBe("kept");
});

test("an unknown address is reported", async () => {
  const page = await application.open("/nowhere");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await expectAccessible(page);
});

/** The screens, each with what shows that it is there, and what is done before it is looked at. */
const SCREENS: Readonly<Record<string, readonly [path: string, (page: Page) => Promise<unknown>]>> = {
  models: ["/models", modelsShown],
  "creating a model": ["/models?do=create", (page) => page.getByRole("dialog").waitFor()],
  "importing a model": ["/models?do=import", (page) => page.getByRole("dialog").waitFor()],
  "a model": ["/models/key:library", (page) => page.getByRole("gridcell", { name: /Book/ }).first().waitFor()],
  "a model that is not there": ["/models/key:no", (page) => page.getByRole("heading", { name: "Not found" }).waitFor()],
  "the first run": ["/first-run", (page) => page.getByLabel("Full name").waitFor()],
};

describe.each([
  ["desktop", "light", DESKTOP],
  ["desktop", "dark", DESKTOP],
  ["phone", "light", PHONE],
  ["phone", "dark", PHONE],
] as const)("on a %s, %s, axe finds nothing on", (_, colorScheme, viewport) => {
  test.each(Object.entries(SCREENS))("%s", async (name, [path, ready]) => {
    if (name === "a model that is not there") application.expectComplaint(/^answer: 404 /);
    const page = await application.open(path, { colorScheme, viewport });
    await ready(page);
    await expectAccessible(page);
  });

  test("sign-in", async () => {
    const page = await application.open("/sign-in", { colorScheme, viewport, token: null });
    await page.getByLabel("Username").waitFor();
    await expectAccessible(page);
  });
});
