import type { Page } from "playwright-core";
import { LONG_KEY, LONG_MODEL, type Pictured, type Run } from "./pictured-service.ts";

/** A screen of the application, or what is open on one. */
export interface Screen {
  readonly path: string;
  /** Who looks: the administrator unless told otherwise, a person without any right, one whose session ended, or nobody. */
  readonly as?: "stranger" | "expired" | "nobody";
  /** True for what stands there while the service has not answered about any model yet. */
  readonly isWaiting?: boolean;
  /** Does what a person does before there is something to see. */
  readonly before?: (page: Page, run: Run) => Promise<unknown>;
}

export type Screens = Readonly<Record<string, Screen>>;

const screensAt = (paths: Readonly<Record<string, string>>): Screens =>
  Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, { path }]));

/** The screens of an instance without an administrator, whose link for the first run is given. */
export const firstScreens = (firstRun: string): Screens => ({
  "first-run": { path: firstRun, as: "nobody" },
  "first-run-used": { path: "/first-run", as: "nobody" },
});

/** The screens of an instance that has nothing but its administrator. */
export const emptyScreens: Screens = screensAt({
  "empty-instance": "/models",
  "empty-tags": "/tags",
  "empty-groups": "/tags?show=groups",
  "empty-jobs": "/jobs",
  "empty-tokens": "/administration/tokens",
  "empty-properties": "/administration/properties",
  "empty-compare": "/compare",
  "empty-batch": "/batch",
});

/** The screens of an instance in which somebody has worked, those that are long or lead nowhere among them. */
export function filledScreens(objects: Pictured): Screens {
  const { entityKey, attributeKey, relationshipKey, typeKey, roleId, actorId, serviceId } = objects;
  const model = "/models/key:library";
  const entity = `${model}/entities/key:${entityKey}`;
  const long = `/models/key:${LONG_MODEL}`;
  const released = "/compare?left=key:library&leftAt=2.0.0&right=key:library";
  return screensAt({
    models: "/models",
    model,
    "model-relationships": `${model}?show=relationships`,
    "model-types": `${model}?show=types`,
    entity,
    "entity-keys": `${entity}?tab=keys`,
    "entity-relationships": `${entity}?tab=relationships`,
    "entity-properties": `${entity}?tab=properties`,
    "entity-panel": `${entity}?attribute=${attributeKey}`,
    attribute: `${entity}/attributes/key:${attributeKey}`,
    relationship: `${model}/relationships/key:${encodeURIComponent(relationshipKey)}`,
    type: `${model}/types/key:${typeKey}`,
    "model-tags": `${model}/tags`,
    diagram: `${model}/diagram`,
    "diagram-focus": `${model}/diagram?focus=key:${entityKey}&distance=1&entity=key:${entityKey}`,
    "diagram-list": `${model}/diagram?view=list`,
    history: `${model}/history`,
    compare: released,
    "compare-structure": `${released}&scope=structural`,
    "compare-changed": "/compare?left=key:library&leftAt=r1&right=key:library",
    "compare-diagram": "/compare?left=key:library&leftAt=r1&right=key:library&view=diagram",
    search: "/search?q=book",
    tags: "/tags",
    actions: "/actions",
    action: "/actions/model/entity_create",
    batch: "/batch",
    jobs: "/jobs",
    people: "/administration/people",
    roles: "/administration/roles",
    "role-panel": `/administration/roles?role=${roleId}`,
    "person-panel": `/administration/people?actor=${actorId}`,
    services: "/administration/people?of=services",
    "service-panel": `/administration/people?of=services&actor=${serviceId}`,
    tokens: "/administration/tokens",
    "tokens-of-all": "/administration/tokens?of=all",
    properties: "/administration/properties",
    issuers: "/administration/issuers",
    audit: "/administration/audit",
    "empty-model": "/models/key:sales",
    "empty-diagram": "/models/key:sales/diagram",
    "empty-history": "/models/key:sales/history",
    "empty-model-tags": "/models/key:sales/tags",
    "empty-search": "/search?q=nothingatall",
    "gone-page": "/nowhere",
    "long-model": long,
    "long-entity": `${long}/entities/key:${LONG_KEY}`,
    "long-attribute": `${long}/entities/key:${LONG_KEY}/attributes/key:${LONG_KEY}`,
    "long-panel": `${long}/entities/key:${LONG_KEY}?attribute=${LONG_KEY}`,
    "long-relationship": `${long}/relationships/key:${LONG_KEY}`,
    "long-diagram": `${long}/diagram`,
    "long-history": `${long}/history`,
    "long-compare": `/compare?left=key:${LONG_MODEL}&leftAt=r1&right=key:${LONG_MODEL}`,
    "long-search": `/search?q=${LONG_KEY.slice(0, 20)}`,
    "long-tags": `${long}/tags`,
    "gone-model": "/models/key:nothing",
    "gone-entity": `${model}/entities/key:nothing`,
    "gone-attribute": `${entity}/attributes/key:nothing`,
    "gone-compare": "/compare?left=key:library&right=key:library&rightAt=r99",
  });
}

const FAULTS = 40;

/** A source in which every attribute has a type that there is not. */
const FAULTY = {
  resources: [
    { name: "r", schema: { fields: Array.from({ length: FAULTS }, (_, at) => ({ name: `f${at}`, type: at })) } },
  ],
};

/** A source with names that are no keys, and members that are misspelt. */
export const WARNED = {
  name: "offices",
  title: "Offices",
  fields: [
    { name: "código", type: "string" },
    { name: "b", titel: "x" },
  ],
};

const inDialog = (page: Page, selector: string) => page.getByRole("dialog").locator(selector);

/** Pastes a source into the dialog that imports, and presses one of its buttons, counted from the last. */
async function importText(page: Page, source: object, button: number) {
  const text = page.getByRole("dialog").getByText(/^Texte?$/);
  await text.click();
  await inDialog(page, ".cm-content").fill(JSON.stringify(source));
  await inDialog(page, "button").nth(button).click();
}

const open = (what: "dialog" | "menu") => async (page: Page) => {
  await page.locator(`main header [aria-haspopup=${what}], header [aria-haspopup=${what}]`).last().click();
  const opened = page.locator(what === "menu" ? "[role=menuitem]" : "[role=dialog] [type=submit]");
  await opened.first().waitFor();
};

const awaitDialog = (page: Page) => page.getByRole("dialog").waitFor();

async function runAction(page: Page) {
  await page.locator("[data-run]").click();
  await page.locator("[data-ended]").waitFor();
}

/** Screens on which something is open, refused, lost or under way. */
export function screenStates({ entityKey }: Pictured): Screens {
  const model = "/models/key:library";
  const entity = `${model}/entities/key:${entityKey}`;
  const description = (page: Page) => page.getByRole("button", { name: /description/ }).first();
  const download = async (page: Page) => {
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
    "refused-action": { path: "/actions/model/entity_create", before: runAction },
    "refused-attributes": {
      path: `/actions/model/import?payload=${encodeURIComponent(JSON.stringify({ content: FAULTY }))}`,
      before: runAction,
    },
    "answered-action": {
      path: `/actions/model/entity_list?payload=${encodeURIComponent('{"modelRef":"key:library"}')}`,
      before: runAction,
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
    "dialog-create": { path: "/models?do=create", before: awaitDialog },
    "dialog-import": { path: "/models?do=import", before: awaitDialog },
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
    "dialog-release": { path: `${model}/history?do=release`, before: awaitDialog },
    "dialog-restore": { path: `${model}/history?restore=2.0.0`, before: awaitDialog },
    "dialog-delete": {
      path: entity,
      before: async (page) => {
        await page.locator("main header button").last().click();
        await page.getByRole("menuitem").last().click();
        await page.getByRole("dialog").getByRole("button").last().waitFor();
      },
    },
    "dialog-entity": { path: `${model}?do=create`, before: awaitDialog },
    "dialog-token": { path: "/administration/tokens?do=create", before: awaitDialog },
    "dialog-person": { path: "/administration/people?do=create", before: awaitDialog },
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
