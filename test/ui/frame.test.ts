import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible } from "./support/accessibility.ts";
import { LOOKS, PHONE, useApplication } from "./support/application.ts";
import { makeLibrary } from "./support/library.ts";
import { expectFocus, focusByKey } from "./support/mouse-and-keyboard.ts";
import { visitsOf } from "./support/visits.ts";

const application = useApplication();
const { act } = application;
const BOOK = "/models/key:library/entities/key:book";
const ALL = /\/(api|health|assets)\b/;

beforeAll(async () => {
  await makeLibrary(application, "library");
  for (const entityKey of ["shelf", "gone", "listed"])
    await act("model/entity_create", { modelRef: "key:library", entityKey });
});

const frame = (page: Page) => page.getByRole("navigation", { name: "Main menu" }).first().waitFor();
const palette = (page: Page) => page.getByRole("combobox", { name: "Go to, search, run" });

/** Loses the service: nothing that the page asks for is answered from now on. */
async function lose(page: Page): Promise<() => Promise<void>> {
  await page.route(ALL, (route) => route.abort("internetdisconnected"));
  return () => page.unroute(ALL);
}

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

test("an unknown address is reported", async () => {
  const page = await application.open("/nowhere");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
});

test.each([
  ["/models", "Modèles"],
  ["/models/key:library/diagram", "Réorganiser"],
  ["/administration/people", "Nouvel utilisateur"],
])("%s is in French in a French browser: %s", async (path, text) => {
  const page = await application.open(path, { locale: "fr-FR" });
  await page.locator("h1, button").filter({ hasText: text }).first().waitFor();
  await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("fr");
});

describe("the palette receives typed keys", () => {
  test("from any focus", async () => {
    const page = await application.open("/search");
    const field = page.getByRole("searchbox");
    await field.focus();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("isbx");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("n of");
    await expect.poll(() => field.inputValue()).toBe("");
    await expect.poll(() => palette(page).inputValue()).toBe("isbn of");
    await page.keyboard.type(" book");
    await expect.poll(() => palette(page).inputValue()).toBe("isbn of book");
  });

  test("at once, also when it is opened again", async () => {
    const page = await application.open("/models");
    await frame(page);
    for (const text of ["library", "g m ?/"]) {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(text);
      await expect.poll(() => palette(page).inputValue()).toBe(text);
      await page.keyboard.press("Control+k");
      await page.keyboard.type("!");
      await expect.poll(() => palette(page).inputValue()).toBe(`${text}!`);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    // Keys are keys again.
    await page.keyboard.press("/");
    await page.waitForURL(/\/search/);
  });
});

test("a menu receives the keys that follow the one that opens it", async () => {
  const page = await application.open("/models/key:library");
  await page.getByRole("button", { name: "More actions" }).press("Enter");
  for (const key of ["End", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await page.getByRole("dialog", { name: "Copy model" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  // Keys are keys again.
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
});

test.each([
  ["/models/key:library", "More actions", "without the service"],
  ["/models", "Actions of City library", "by keyboard"],
  ["/models", /^Account: /, "by keyboard"],
] as const)("on %s the menu %s opens %s, and Escape returns the focus to its button", async (path, name, how) => {
  const page = await application.open(path);
  const button = page.getByRole("button", { name });
  await button.waitFor();
  await visitsOf(page).settled();
  if (how === "without the service") await lose(page);
  await button.press("Enter");
  const items = page.getByRole("menu").locator("[role^=menuitem]");
  await expectFocus(items.first());
  await page.keyboard.press("Escape");
  await expect.poll(() => items.count()).toBe(0);
  await expectFocus(button);
});

test("a problem is shown completely on a phone", async () => {
  application.expectComplaint(/^answer: 422 POST \/api\/model\/import$/);
  const payload = { content: { resources: [{ name: "r", schema: { fields: [{ name: "f", type: 1 }] } }] } };
  const path = `/actions/model/import?payload=${encodeURIComponent(JSON.stringify(payload))}`;
  const page = await application.open(path, { viewport: PHONE });
  await page.locator("[data-run]").click();
  await page
    .getByRole("alert")
    .getByText(/is not a type of Table Schema/)
    .waitFor();
  const cut = `[...document.querySelectorAll("[role=alert] *")].filter((one) => {
    const alert = one.closest("[role=alert]").getBoundingClientRect();
    return one.getBoundingClientRect().right > alert.right;
  }).map(({ tagName, textContent }) => tagName + " " + textContent)`;
  await expect.poll(() => page.evaluate(cut)).toEqual([]);
});

test("reduced motion is respected", async () => {
  const page = await application.open("/models/key:library/diagram");
  await page.locator(".react-flow__node").first().waitFor();
  const moving = `[...document.querySelectorAll("*")].filter((one) => {
    const { transitionDuration, animationName } = getComputedStyle(one);
    return animationName !== "none" || transitionDuration.split(",").some((time) => parseFloat(time) > 0);
  }).map(({ tagName, className }) => tagName + " " + className)`;
  await expect.poll(() => page.evaluate(moving)).toEqual([]);
});

test("the entry of the palette that was selected stays selected when more are found above it", async () => {
  const page = await application.open("/models");
  await frame(page);
  const held = Promise.withResolvers<void>();
  await page.route("**/api/model/search", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  await palette(page).fill("list");
  await page.getByRole("option", { name: "model/entity_list", exact: false }).first().waitFor();
  const chosen = page.locator("[role=option][aria-selected=true]");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => chosen.textContent()).not.toContain("Search everything");
  const goneTo = await chosen.textContent();
  held.resolve();
  await page.getByRole("option", { name: /^listed/ }).waitFor();
  await expect.poll(() => chosen.textContent()).toBe(goneTo);
});

/** From now on timers run after the keys that are pressed meanwhile, as on a busy machine. */
const LATE_TIMERS = `{
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (run, wait = 0, ...given) => setTimeout(run, wait + 500, ...given);
}`;

describe("the account menu", () => {
  const account = (page: Page) => page.getByRole("button", { name: /^Account: |^Compte/ });
  const scheme = (page: Page) => page.locator("html").getAttribute("data-mantine-color-scheme");

  test("changes theme and language by mouse, and a reload keeps them", async () => {
    const page = await application.open("/models", { colorScheme: "light" });
    await account(page).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await expect.poll(() => scheme(page)).toBe("dark");
    await account(page).click();
    await page.getByRole("menuitemradio", { name: "Français" }).click();
    await page.getByRole("heading", { level: 1, name: "Modèles" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Modèles" }).waitFor();
    await expect.poll(() => scheme(page)).toBe("dark");
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("fr");
  });

  test("does the same by keyboard, and shows the selection", async () => {
    const page = await application.open("/models", { colorScheme: "dark" });
    await account(page).press("Enter");
    const item = (name: string) => page.getByRole("menuitemradio", { name });
    await item("System setting").waitFor();
    await expect.poll(() => item("System setting").getAttribute("aria-checked")).toBe("true");
    await focusByKey(item("Light"), "ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => scheme(page)).toBe("light");
    await item("Light").waitFor({ state: "detached" });
    await expectFocus(account(page));
    await page.keyboard.press("Enter");
    await item("Light").waitFor();
    await expect.poll(() => item("Light").getAttribute("aria-checked")).toBe("true");
    await focusByKey(item("Français"), "ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Modèles" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Modèles" }).waitFor();
    await expect.poll(() => scheme(page)).toBe("light");
  });

  test("receives the keys that follow the one that opens it, and never loses the focus", async () => {
    const page = await application.open("/models", { colorScheme: "dark" });
    await account(page).focus();
    await page.evaluate(LATE_TIMERS);
    for (const key of ["Enter", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await expect.poll(() => scheme(page)).toBe("light");
    await expectFocus(account(page));
  });

  test("is left by Tab, which continues from its button", async () => {
    const page = await application.open("/models");
    await account(page).press("Enter");
    const first = page.getByRole("menuitemradio", { name: "System setting" });
    await expectFocus(first);
    await page.keyboard.press("Shift+Tab");
    await first.waitFor({ state: "detached" });
    await page.keyboard.press("Tab");
    await expectFocus(account(page));
  });

  test.each(["light", "dark"] as const)("conforms to WCAG while it is open, %s", async (colorScheme) => {
    const page = await application.open("/models", { colorScheme });
    await account(page).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).waitFor();
    await expectAccessible(page);
  });
});

describe("missing objects and permissions", () => {
  test("a user without the permission is told on every screen of a model", async () => {
    const person = { username: "nobody", password: "Violet-Harbor-8-Lantern" };
    await act("auth/user_create", { ...person, fullname: "No Body", roleRefs: [], admin: false });
    const { access_token: token } = await act("auth/login", person);
    for (const path of ["", "/diagram", "/history", "/tags", "/entities/key:book", "/types/key:string"]) {
      application.expectComplaint(/^answer: 403 /);
      const page = await application.open(`/models/key:library${path}`, { token });
      await page.getByRole("heading", { name: "Not allowed" }).first().waitFor();
      await page.getByText("An administrator can give the missing right.").first().waitFor();
      await expectAccessible(page);
      await page.close();
    }
  });

  test("the address of a deleted object links to its history", async () => {
    await act("model/entity_delete", { modelRef: "key:library", entityRef: "key:gone" });
    application.expectComplaint(/^answer: 404 /);
    const page = await application.open("/models/key:library/entities/key:gone");
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Show the history of the model" }).click();
    await page.waitForURL(/\/history\?q=gone$/);
    await page.getByRole("button", { name: /gone/ }).first().waitFor();
  });

  test("the address of a deleted model links to its history by its id, and to the models by its key", async () => {
    const { id } = await act("model/model_create", { key: "past", name: "Past" });
    await act("model/model_delete", { modelRef: "key:past" });
    application.expectComplaint(/^answer: 404 /);
    const page = await application.open("/models/key:past");
    await page.getByRole("link", { name: "Show all models" }).waitFor();
    await page.goto(`${application.service.url}/models/id:${id}/diagram`);
    await page.getByRole("link", { name: "Show the history of the model" }).click();
    await page.waitForURL(/\/history$/);
  });
});

describe("without the service", () => {
  test("a screen that was never opened reports it, and loads on request", async () => {
    const page = await application.open("/models");
    await page.getByRole("gridcell", { name: /^City library/ }).waitFor();
    application.expectComplaint(/^console: ModuleMissing/);
    application.expectComplaint(/^request: .* net::ERR_INTERNET_DISCONNECTED$/);
    const back = await lose(page);
    await page.getByRole("link", { name: "Jobs" }).click();
    const missing = page.getByRole("alert").filter({ hasText: "A part of this page could not be loaded" });
    await missing.waitFor();
    await expectAccessible(page);
    await missing.getByRole("button", { name: "Try again" }).click();
    await missing.waitFor();
    await back();
    await page.getByText("No jobs").waitFor();
    await expect.poll(() => missing.count()).toBe(0);
  });

  test.each([
    ["/models", "New model", "Key"],
    [BOOK, "Paste rows", "Rows from a spreadsheet"],
  ])("on %s the dialog %s opens and keeps typed text, because it is loaded with the screen", async (path, name, field) => {
    const page = await application.open(path);
    const button = page.getByRole("button", { name });
    await button.waitFor();
    await visitsOf(page).settled();
    if (path === "/models") application.expectComplaint(/^request: .* net::ERR_INTERNET_DISCONNECTED$/);
    const back = await lose(page);
    await button.click();
    const text = page.getByRole("dialog", { name }).getByRole("textbox", { name: field });
    await text.fill("kept");
    await back();
    await expect.poll(() => text.inputValue()).toBe("kept");
  });

  test("typed text is saved with the next attempt, in the field that still has the focus", async () => {
    const page = await application.open(BOOK);
    await page.getByRole("button", { name: "Edit description" }).press("e");
    const field = page.getByRole("textbox", { name: "description" });
    await field.fill("Typed while it was away");
    application.expectComplaint(/^request: .* net::ERR_INTERNET_DISCONNECTED$/);
    let isAway = true;
    const back = Promise.withResolvers<void>();
    await page.route(ALL, async (route) => {
      const isWrite = route.request().url().includes("entity_update_description");
      if (isAway && isWrite) return route.abort("internetdisconnected");
      await back.promise;
      await route.continue();
    });
    await field.press("Control+Enter");
    await page.getByText("The service does not answer").waitFor();
    await page.getByRole("button", { name: "Check now" }).waitFor();
    // The save is refused before anything else is answered.
    await page.getByText(/cannot be reached/).waitFor();
    isAway = false;
    back.resolve();
    await page.getByText("The service does not answer").waitFor({ state: "hidden" });
    await expect.poll(() => field.inputValue()).toBe("Typed while it was away");
    await expectFocus(field);
    await page.keyboard.press("Control+Enter");
    await field.waitFor({ state: "hidden" });
    const { description } = await act("model/entity_get", { modelRef: "key:library", entityRef: "key:book" });
    expect(description).toBe("Typed while it was away");
  });
});

test("a typed text belongs to its object only, wherever the page moves", async () => {
  const page = await application.open(`${BOOK}?attribute=isbn`);
  const panel = page.getByRole("complementary");
  await panel.getByRole("button", { name: "Edit description" }).press("e");
  await panel.getByRole("textbox", { name: "description" }).fill("of isbn");
  await page.evaluate(`history.pushState({}, "", "${BOOK}?attribute=title")`);
  await panel.getByRole("heading", { name: /title/ }).waitFor();
  await expect.poll(() => panel.getByRole("textbox", { name: "description" }).count()).toBe(0);
  await page.evaluate(`history.pushState({}, "", "/models/key:library/entities/key:shelf")`);
  await page.getByRole("heading", { level: 1, name: /shelf/ }).waitFor();
  await page.getByRole("button", { name: "Edit description" }).press("e");
  await page.getByRole("textbox", { name: "description" }).fill("of shelf");
  await page.evaluate(`history.pushState({}, "", "${BOOK}")`);
  await page.getByRole("heading", { level: 1, name: /Book/ }).waitFor();
  await expect.poll(() => page.getByRole("textbox", { name: "description" }).count()).toBe(0);
});

/** The screens, each with what shows that it is there, and what is done before it is looked at. */
const SCREENS: Readonly<Record<string, readonly [path: string, (page: Page) => Promise<unknown>]>> = {
  models: ["/models", (page) => page.getByRole("gridcell", { name: /^City library/ }).waitFor()],
  "creating a model": ["/models?do=create", (page) => page.getByRole("dialog").waitFor()],
  "importing a model": ["/models?do=import", (page) => page.getByRole("dialog").waitFor()],
  "a model": ["/models/key:library", (page) => page.getByRole("gridcell", { name: /Book/ }).first().waitFor()],
  "a model that is not there": ["/models/key:no", (page) => page.getByRole("heading", { name: "Not found" }).waitFor()],
  "sign-in": ["/sign-in", (page) => page.getByLabel("Username").waitFor()],
  "the first run": ["/first-run", (page) => page.getByLabel("Full name").waitFor()],
};

describe.each(LOOKS)("on a $device, $colorScheme, axe finds nothing on", ({ device: _, ...look }) => {
  test.each(Object.entries(SCREENS))("%s", async (name, [path, ready]) => {
    if (name === "a model that is not there") application.expectComplaint(/^answer: 404 /);
    const page = await application.open(path, name === "sign-in" ? { ...look, token: null } : look);
    await ready(page);
    await expectAccessible(page);
  });
});
