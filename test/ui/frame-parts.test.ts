import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible } from "./support/accessibility.ts";
import { PHONE, useApplication } from "./support/application.ts";
import { expectFocus, focusByKey } from "./support/focus.ts";
import { act, makeLibrary } from "./support/library.ts";
import { visitsOf } from "./support/visits.ts";

const application = useApplication();
const BOOK = "/models/key:library/entities/key:book";
/** The calls of the service, and the files of the application. */
const ALL = /\/(api|health|assets)\b/;

beforeAll(async () => {
  await makeLibrary(application, "library");
  for (const entityKey of ["shelf", "gone", "listed"])
    await act(application, "model/entity_create", { modelRef: "key:library", entityKey });
});

const frame = (page: Page) => page.getByRole("navigation", { name: "Main menu" }).first().waitFor();
const palette = (page: Page) => page.getByRole("combobox", { name: "Go to, search, run" });

/** Loses the service: nothing that the page asks for is answered from now on. */
async function lose(page: Page): Promise<() => Promise<void>> {
  await page.route(ALL, (route) => route.abort("internetdisconnected"));
  return () => page.unroute(ALL);
}

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
  const button = page.getByRole("button", { name: "More actions" });
  await button.press("Enter");
  for (const key of ["End", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await page.getByRole("dialog", { name: "Copy model" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  // Keys are keys again.
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
});

test("a menu opens without the service, and Escape returns the focus to its button", async () => {
  const page = await application.open("/models/key:library");
  const button = page.getByRole("button", { name: "More actions" });
  await button.waitFor();
  await visitsOf(page).settled();
  await lose(page);
  await button.press("Enter");
  await page.getByRole("menuitem").first().waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("menuitem").count()).toBe(0);
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
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/model/search", async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  await palette(page).fill("list");
  await page.getByRole("option", { name: "model/entity_list", exact: false }).first().waitFor();
  const chosen = page.locator("[role=option][aria-selected=true]");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => chosen.textContent()).not.toContain("Search everything");
  const goneTo = await chosen.textContent();
  release?.();
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
    await expect
      .poll(async () => [await scheme(page), await page.locator("html").getAttribute("lang")])
      .toEqual(["dark", "fr"]);
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
    await account(page).press("Enter");
    const first = page.getByRole("menuitemradio", { name: "System setting" });
    await expectFocus(first);
    await page.keyboard.press("Escape");
    await first.waitFor({ state: "detached" });
    await expectFocus(account(page));
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

test("the menu of a row works by keyboard, and its button has the focus again when it closes", async () => {
  const page = await application.open("/models");
  const button = page.getByRole("button", { name: "Actions of City library" });
  await button.press("Enter");
  await expectFocus(page.getByRole("menuitem", { name: "Copy" }));
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  await expectFocus(button);
});

describe("missing objects and permissions", () => {
  test("a user without the permission is told on every screen of a model", async () => {
    const person = { username: "nobody", password: "Correct-Horse-8-Battery" };
    await act(application, "auth/user_create", { ...person, fullname: "No Body", roleRefs: [], admin: false });
    const { access_token: token } = await act(application, "auth/login", person);
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
    await act(application, "model/entity_delete", { modelRef: "key:library", entityRef: "key:gone" });
    application.expectComplaint(/^answer: 404 /);
    const page = await application.open("/models/key:library/entities/key:gone");
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Show the history of the model" }).click();
    await page.waitForURL(/\/history\?q=gone$/);
    await page.getByRole("button", { name: /gone/ }).first().waitFor();
  });

  test("the address of a deleted model links to its history by its id, and to the models by its key", async () => {
    const { id } = await act(application, "model/model_create", { key: "past", name: "Past" });
    await act(application, "model/model_delete", { modelRef: "key:past" });
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

  test("a dialog of a screen opens, because it is loaded with the screen", async () => {
    const page = await application.open("/models");
    await page.getByRole("gridcell", { name: /^City library/ }).waitFor();
    application.expectComplaint(/^request: .* net::ERR_INTERNET_DISCONNECTED$/);
    const back = await lose(page);
    await page.getByRole("button", { name: "New model" }).click();
    await page.getByRole("dialog", { name: "New model" }).waitFor();
    await page.getByRole("textbox", { name: "Key" }).fill("kept");
    await back();
    await expect.poll(() => page.getByRole("textbox", { name: "Key" }).inputValue()).toBe("kept");
  });

  test("the dialog for pasted rows opens and has the typed text, because it is loaded with the screen", async () => {
    const page = await application.open(BOOK);
    await page.getByRole("gridcell", { name: "isbn", exact: true }).waitFor();
    const back = await lose(page);
    await page.getByRole("button", { name: "Paste rows" }).click();
    const dialog = page.getByRole("dialog", { name: "Paste rows" });
    await dialog.getByRole("textbox").fill("shelf");
    await back();
    await expect.poll(() => dialog.getByRole("textbox").inputValue()).toBe("shelf");
  });

  test("typed text is saved with the next attempt, in the field that still has the focus", async () => {
    const page = await application.open(BOOK);
    await page.getByRole("button", { name: "Edit description" }).press("e");
    const field = page.getByRole("textbox", { name: "description" });
    await field.fill("Typed while it was away");
    application.expectComplaint(/^request: .* net::ERR_INTERNET_DISCONNECTED$/);
    let isAway = true;
    let comeBack = (): void => undefined;
    const back = new Promise<void>((resolve) => {
      comeBack = resolve;
    });
    await page.route(ALL, async (route) => {
      const isWrite = route.request().url().includes("entity_update_description");
      if (isAway && isWrite) return route.abort("internetdisconnected");
      await back;
      await route.continue();
    });
    await field.press("Control+Enter");
    await page.getByText("The service does not answer").waitFor();
    // The save is refused before anything else is answered.
    await page.getByText(/cannot be reached/).waitFor();
    isAway = false;
    comeBack();
    await page.getByText("The service does not answer").waitFor({ state: "hidden" });
    await expect.poll(() => field.inputValue()).toBe("Typed while it was away");
    await expectFocus(field);
    await page.keyboard.press("Control+Enter");
    await field.waitFor({ state: "hidden" });
    const { description } = await act(application, "model/entity_get", {
      modelRef: "key:library",
      entityRef: "key:book",
    });
    expect(description).toBe("Typed while it was away");
  });
});

test("a typed text belongs to its object only, wherever the page moves", async () => {
  const page = await application.open("/models/key:library/entities/key:book?attribute=isbn");
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
