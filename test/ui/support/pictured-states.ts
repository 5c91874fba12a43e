import type { Page } from "playwright-core";
import type { Pictures } from "./picture.ts";
import { LONG_KEY, LONG_MODEL, type Pictured } from "./pictured-service.ts";

/** Lines of the longest error that is pictured. */
const FAULTS = 40;

/** A source in which every attribute has a type that there is not. */
const FAULTY = {
  resources: [
    { name: "r", schema: { fields: Array.from({ length: FAULTS }, (_, at) => ({ name: `f${at}`, type: at })) } },
  ],
};

/** A source with names that are no keys, and members that are misspelt. */
const WARNED = {
  name: "offices",
  fields: [
    { name: "código", type: "string" },
    { name: "b", titel: "x" },
  ],
};

const inDialog = (page: Page, selector: string) => page.getByRole("dialog").locator(selector);

/** Pastes a source into the dialog that imports, and presses one of its buttons, counted from the last. */
async function importText(page: Page, source: object, button: number): Promise<void> {
  await page
    .getByRole("dialog")
    .getByText(/^Texte?$/)
    .click();
  await inDialog(page, ".cm-content").fill(JSON.stringify(source));
  await inDialog(page, "button").nth(button).click();
}

const open = (what: "dialog" | "menu") => async (page: Page) => {
  await page.locator(`main header [aria-haspopup=${what}], header [aria-haspopup=${what}]`).last().click();
  await page
    .locator(what === "menu" ? "[role=menuitem]" : "[role=dialog] [type=submit]")
    .first()
    .waitFor();
};

/** Screens on which something is open, refused, lost or under way. */
export function pictureStates({ entityKey }: Pictured): Pictures {
  const model = "/models/key:library";
  const entity = `${model}/entities/key:${entityKey}`;
  const description = (page: Page) => page.getByRole("button", { name: /description/ }).first();
  const download = async (page: Page): Promise<void> => {
    await open("dialog")(page);
    await inDialog(page, "[type=radio]").nth(1).waitFor();
  };
  return {
    "waiting-models": { path: "/models", isWaiting: true },
    "waiting-model": { path: model, isWaiting: true },
    "waiting-entity": { path: entity, isWaiting: true },
    "waiting-diagram": { path: `${model}/diagram`, isWaiting: true },
    "waiting-history": { path: `${model}/history`, isWaiting: true },
    "refused-models": { path: "/models", as: "stranger" },
    "refused-model": { path: model, as: "stranger" },
    "refused-people": { path: "/administration/people", as: "stranger" },
    "refused-import": {
      path: "/models?do=import",
      before: async (page) => {
        await importText(page, FAULTY, -1);
        await page.getByRole("alert").first().waitFor();
      },
    },
    "refused-action": {
      path: "/actions/model/entity_create",
      before: async (page) => {
        await page.locator("[data-run]").click();
        await page.locator("[data-ended]").waitFor();
      },
    },
    "refused-attributes": {
      path: `/actions/model/import?payload=${encodeURIComponent(JSON.stringify({ content: FAULTY }))}`,
      before: async (page) => {
        await page.locator("[data-run]").click();
        await page.locator("[data-ended]").waitFor();
      },
    },
    "answered-action": {
      path: `/actions/model/entity_list?payload=${encodeURIComponent('{"modelRef":"key:library"}')}`,
      before: async (page) => {
        await page.locator("[data-run]").click();
        await page.locator("[data-ended]").waitFor();
      },
    },
    "ended-session": { path: model, as: "expired" },
    "lost-service": {
      path: model,
      before: async (page) => {
        await description(page).press("e");
        await page.getByRole("textbox", { name: /description/ }).fill("Typed, and not lost.");
        await page.route(/\/(api|health)\b/, (route) => route.abort("internetdisconnected"));
        await page.keyboard.press("Control+Enter");
        await page.getByText(/service does not answer|service ne répond pas/).waitFor();
      },
    },
    "conflict-text": {
      path: entity,
      before: async (page, run) => {
        await description(page).press("e");
        await page.getByRole("textbox", { name: /description/ }).fill("Every title that can be borrowed.");
        const value = `Every *title* that the library has, as of ${Date.now()}.`;
        const entityRef = `key:${entityKey}`;
        await run("model/entity_update_description", { modelRef: "key:library", entityRef, value });
        await page.keyboard.press("Control+Enter");
        await page.getByRole("dialog").waitFor();
      },
    },
    "edited-text": { path: entity, before: (page) => description(page).press("e") },
    "dialog-create": { path: "/models?do=create", before: (page) => page.getByRole("dialog").waitFor() },
    "dialog-import": { path: "/models?do=import", before: (page) => page.getByRole("dialog").waitFor() },
    "dialog-warnings": {
      path: "/models?do=import",
      before: async (page) => {
        await importText(page, WARNED, -2);
        await inDialog(page, "summary").first().waitFor();
      },
    },
    "dialog-download": { path: model, before: download },
    "dialog-downloaded": {
      path: model,
      before: async (page) => {
        await download(page);
        await inDialog(page, "[type=radio][value=avro]").click();
        await inDialog(page, "[type=submit]").click();
        await inDialog(page, "summary").first().click();
      },
    },
    "dialog-difference": { path: "/compare?left=key:library&leftAt=r1&right=key:library", before: download },
    "dialog-release": { path: `${model}/history?do=release`, before: (page) => page.getByRole("dialog").waitFor() },
    "dialog-restore": { path: `${model}/history?restore=2.0.0`, before: (page) => page.getByRole("dialog").waitFor() },
    "dialog-delete": {
      path: entity,
      before: async (page) => {
        await page.locator("main header button").last().click();
        await page.getByRole("menuitem").last().click();
        await page.getByRole("dialog").getByRole("button").last().waitFor();
      },
    },
    "dialog-entity": { path: `${model}?do=create`, before: (page) => page.getByRole("dialog").waitFor() },
    "dialog-token": { path: "/administration/tokens?do=create", before: (page) => page.getByRole("dialog").waitFor() },
    "dialog-person": { path: "/administration/people?do=create", before: (page) => page.getByRole("dialog").waitFor() },
    menu: { path: model, before: open("menu") },
    palette: {
      path: model,
      before: async (page) => {
        await page.keyboard.press("Control+k");
        await page.keyboard.type("book");
        await page.getByRole("option").nth(3).waitFor();
      },
    },
    keys: { path: model, before: (page) => page.keyboard.press("?") },
    "long-add-tag": {
      path: `/models/key:${LONG_MODEL}/entities/key:${LONG_KEY}`,
      before: (page) => page.locator("main [aria-expanded=false]").first().click(),
    },
    "sign-in": { path: "/sign-in", as: "nobody" },
    "sign-in-refused": {
      path: "/sign-in",
      as: "nobody",
      before: async (page) => {
        await page.locator("input").first().fill("nobody");
        await page.locator("input[type=password]").fill("wrong");
        await page.locator("[type=submit]").click();
        await page.getByRole("alert").waitFor();
      },
    },
  };
}
