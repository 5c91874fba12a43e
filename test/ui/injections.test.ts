import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { type Application, useApplication } from "./support/application.ts";
import { injectedModel, injection, keyOf, oneLine, TEXTS, WIDE } from "./support/injected-model.ts";
import { RAN } from "./support/injections.ts";
import { LONG } from "./support/patience.ts";
import { visitsOf } from "./support/visits.ts";

const REPORT = "reportThatItRan";
const MARK = `Object.defineProperty(globalThis, ${JSON.stringify(RAN)}, { set: () => globalThis.${REPORT}() })`;

/** Opens the application; `end` fails if a text was executed: by its mark, a dialog, a window or a connection. */
async function openWatched(application: Application, path: string) {
  const page = await application.open(path);
  const events: string[] = [];
  page.on("dialog", (dialog) => {
    events.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", (popup) => events.push(`window: ${popup.url()}`));
  page.on("frameattached", (frame) => events.push(`frame: ${frame.url()}`));
  await page.exposeFunction(REPORT, () => void events.push("a text ran"));
  await page.addInitScript(MARK);
  await page.reload();
  const visits = visitsOf(page);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await visits.settled();
  return {
    page,
    visits,
    end: async () => {
      await visits.settled();
      expect([...events, ...visits.foreign()]).toEqual([]);
    },
  };
}

const application = useApplication();
const { act } = application;
/** A model key with characters that addresses write otherwise. */
const KEY = `a/b %?#<script>globalThis.${RAN}=1</script>`;
const MODEL = `/models/${encodeURIComponent(`key:${KEY}`)}`;
const modelRef = `key:${KEY}`;
const CHANGED = "key:changed";
const pathOf = (kind: string, place: number) => `${MODEL}/${kind}/${encodeURIComponent(`key:${keyOf(place)}`)}`;
const places: readonly number[] = Array.from({ length: TEXTS }, (_, at) => at);
const some = (every: number): readonly number[] => places.filter((at) => at % every === 0);
const search = (members: Readonly<Record<string, string>>) => `?${new URLSearchParams(members)}`;

async function each(action: string, payload: (at: number) => object, among = places, atOnce = 20) {
  const [group, name] = action.split("/");
  for (let begun = 0; begun < among.length; begun += atOnce) {
    const actions = among.slice(begun, begun + atOnce).map((at) => ({ group, action: name, payload: payload(at) }));
    await act("batch/batch_run", { actions });
  }
}

beforeAll(async () => {
  await act("model/import", { content: injectedModel(KEY, oneLine(0)) });
  await act("model/model_copy", { modelRef, modelNewKey: "changed" });
  await act("model/model_release", { modelRef: CHANGED, value: "2.0.0" });
  const entityAt = (at: number) => ({ modelRef: CHANGED, entityRef: `key:${keyOf(at)}` });
  // One batch is one revision, whose changes the history shows.
  await each("model/entity_update_name", (at) => ({ ...entityAt(at), value: oneLine(at, 20) }), places, TEXTS);
  await each("model/entity_update_description", (at) => ({ ...entityAt(at), value: injection(at, 21) }), places, TEXTS);
  const propertyAt = (at: number) => ({ ...entityAt(at), property: keyOf(at), value: injection(at, 22) });
  await each("model/entity_update_property", propertyAt, places, TEXTS);
  const inChanged = (member: string) => (at: number) => ({ modelRef: CHANGED, [member]: `key:${keyOf(at)}` });
  for (const kind of ["relationship", "businessKey", "entity"])
    await each(`model/${kind === "businessKey" ? "business_key" : kind}_delete`, inChanged(`${kind}Ref`), some(10));
  const texts = (at: number) => ({ name: oneLine(at), description: injection(at) });
  await each("tag/tag_group_create", (at) => ({ key: `g${at}`, ...texts(at) }));
  await each("tag/tag_global_create", (at) => ({ groupRef: `key:g${at}`, key: `t${at}`, ...texts(at) }));
  await each("model/model_create", (at) => ({ key: keyOf(at), ...texts(at) }));
  const schemaAt = (at: number) => ({ type: "string", enum: [injection(at)] });
  await each("property/definition_create", (at) => ({ key: `p:${keyOf(at)}`, ...texts(at), schema: schemaAt(at) }));
  for (const at of some(2))
    await act("auth/role_create", { key: keyOf(at), name: oneLine(at), description: injection(at + 1) });
  for (const at of some(3)) await act("auth/token_create", { name: oneLine(at) });
  // Full names take letters only.
  await act("auth/user_create", {
    username: "user",
    fullname: "constructor",
    password: "Violet-Harbor-8-Lantern",
    admin: false,
    roleRefs: some(20).map((at) => `key:${keyOf(at)}`),
  });
});

const first = (page: Page, role: "row" | "option") => page.getByRole(role).first().waitFor();
const heading = (page: Page): Promise<string> => page.getByRole("heading", { level: 1 }).first().innerText();

describe("a hundred hostile texts are only shown", () => {
  test("on the pages of a model and of its lists", LONG, async () => {
    const { page, visits, end } = await openWatched(application, "/models");
    for (const path of ["?show=relationships", "?show=types", "/tags", "/history", "/history?change=1", ""])
      await visits.go(MODEL + path);
    await expect.poll(() => heading(page)).toContain(oneLine(0));
    await end();
  });

  test(
    "in the diagram, in its list, and in its SVG file as a page of its own, which no policy holds",
    LONG,
    async () => {
      const { page, visits, end } = await openWatched(application, `${MODEL}/diagram`);
      await page.locator(".react-flow__node").first().waitFor();
      for (const at of some(10)) {
        const ref = encodeURIComponent(`key:${keyOf(at)}`);
        for (const chosen of ["entity", "relationship"]) await visits.go(`${MODEL}/diagram?${chosen}=${ref}`);
        await page.getByRole("complementary").waitFor();
      }
      await page.getByRole("button", { name: "Export" }).click();
      const exported = page.waitForEvent("download");
      await page.getByRole("menuitem", { name: "SVG file" }).click();
      const svg = await readFile(await (await exported).path(), "base64");
      await visits.go(`${MODEL}/diagram?view=list`);
      await expect.poll(() => page.getByRole("article").count()).toBe(TEXTS + 1);
      await end();
      const alone = await page.context().browser()?.newPage();
      await alone?.goto(`data:image/svg+xml;base64,${svg}`);
      await expect
        .poll(() => alone?.evaluate(`[document.documentElement.tagName, globalThis.${RAN}]`))
        .toEqual(["svg", undefined]);
      await alone?.close();
    },
  );

  test.each([
    ["entities", [""]],
    ["relationships", ["", "?tab=attributes"]],
    ["types", [""]],
  ])("on every page of its %s", LONG, async (kind, tabs) => {
    const { page, visits, end } = await openWatched(application, MODEL);
    for (const place of places) {
      for (const tab of tabs) await visits.go(pathOf(kind, place) + tab);
      await expect.poll(() => heading(page)).toContain(oneLine(place));
    }
    await end();
  });

  test("in the tabs of an entity and of a relationship", LONG, async () => {
    const { visits, end } = await openWatched(application, MODEL);
    for (const place of some(4)) {
      for (const tab of ["keys", "relationships", "properties"])
        await visits.go(`${pathOf("entities", place)}?tab=${tab}`);
      await visits.go(`${pathOf("relationships", place)}?tab=properties`);
    }
    await end();
  });

  test("in the table of attributes and the panel of each", LONG, async () => {
    const { page, visits, end } = await openWatched(application, `${MODEL}/entities/key:${WIDE}`);
    for (const place of places) {
      await visits.go(`${MODEL}/entities/key:${WIDE}?attribute=${encodeURIComponent(keyOf(place))}`);
      await page.getByRole("complementary").getByText(oneLine(place)).first().waitFor();
    }
    for (const place of some(10))
      await visits.go(`${MODEL}/entities/key:${WIDE}/attributes/${encodeURIComponent(`key:${keyOf(place)}`)}`);
    await end();
  });

  test("in the list of models, and in the lists of tags and groups", LONG, async () => {
    const { page, visits, end } = await openWatched(application, "/models");
    for (const at of some(5)) await visits.go(`/models${search({ q: oneLine(at) })}`);
    for (const at of places) {
      await visits.go(`/models/key:changed/tags?tag=tag_${at}`);
      await page.getByRole("complementary").getByText(oneLine(at)).first().waitFor();
    }
    for (const at of some(2)) await visits.go(`/tags${search({ open: `g${at}/t${at}` })}`);
    for (const at of some(2)) await visits.go(`/tags${search({ show: "groups", open: `g${at}` })}`);
    await end();
  });

  test("in the history, and in the previews of a release and a restore", LONG, async () => {
    const { page, visits, end } = await openWatched(application, "/models/key:changed/history");
    const { revision } = await act("model/model_get", { modelRef: CHANGED });
    for (const back of [0, 1, 2, 3])
      for (const at of some(10)) await visits.go(`/models/key:changed/history?change=${revision - back}-${at}`);
    for (const at of some(10)) await visits.go(`/models/key:changed/history${search({ q: oneLine(at) })}`);
    await visits.go("/models/key:changed/history?do=release");
    await page.getByRole("dialog").waitFor();
    await visits.go("/models/key:changed/history?restore=2.0.0");
    await page.getByRole("dialog").getByRole("listitem").first().waitFor();
    await end();
  });

  test("in a comparison, as a list and as a diagram", LONG, async () => {
    const sides = { left: modelRef, right: CHANGED };
    const { page, visits, end } = await openWatched(application, `/compare${search(sides)}`);
    const differences = page.getByRole("main").getByRole("button", { name: RAN });
    await expect.poll(() => differences.count()).toBeGreaterThan(50);
    for (let at = 0; at < 60; at += 3) await differences.nth(at).click();
    await visits.go(`/compare${search({ ...sides, view: "diagram" })}`);
    await visits.go(`/compare${search({ ...sides, q: oneLine(5) })}`);
    await end();
  });

  test("in the search, in the palette, and in their results", LONG, async () => {
    const { page, visits, end } = await openWatched(application, "/search");
    for (const at of places) await visits.go(`/search${search({ q: oneLine(at) })}`);
    for (const at of some(10)) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Go to, search, run" }).fill(oneLine(at).slice(0, 100));
      await first(page, "option");
      await visits.settled();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
    }
    await end();
  });

  test("in the forms of the runner, the calls to copy, its results and a batch", LONG, async () => {
    const { page, visits, end } = await openWatched(application, "/actions");
    for (const at of some(2)) {
      const payload = { key: keyOf(at), name: oneLine(at), description: injection(at) };
      await visits.go(`/actions/model/model_create${search({ payload: JSON.stringify(payload) })}`);
      await page.locator("pre[data-call]").waitFor();
    }
    await page.getByRole("button", { name: "Add to batch" }).click();
    await page.getByRole("link", { name: "Open batch" }).click();
    await page.locator('[data-entry="1"]').waitFor();
    for (const [action, more] of [
      ["model/entity_list", { modelRef: CHANGED }],
      ["model/entity_attribute_list", { modelRef: CHANGED, entityRef: `key:${WIDE}` }],
      ["tag/tag_group_list", {}],
      ["property/definition_list", {}],
      ["auth/role_list", {}],
    ] as const) {
      for (const as of ["table", "json"]) {
        await visits.go(`/actions/${action}${search({ payload: JSON.stringify(more), as })}`);
        await page.locator(`[data-action="${action}"]`).waitFor();
        await page.locator("[data-run]").click();
        await page.locator("[data-ended]").waitFor();
      }
    }
    for (const at of some(10)) await visits.go(`/actions${search({ q: oneLine(at) })}`);
    await end();
  });

  test("in the administration", LONG, async () => {
    const { page, visits, end } = await openWatched(application, "/administration/people");
    const actors = await act("auth/actor_list", {});
    const roles = await act("auth/role_list", {});
    for (const { id } of actors.items) await visits.go(`/administration/people?actor=${id}`);
    await visits.go("/administration/roles");
    for (const { id } of roles.items) await visits.go(`/administration/roles?role=${id}`);
    for (const at of places) await visits.go(`/administration/properties${search({ definition: `p:${keyOf(at)}` })}`);
    for (const path of ["tokens", "tokens?of=all", "issuers", "audit", "audit?outcome=ok"])
      await visits.go(`/administration/${path}`);
    const details = page.getByRole("button", { name: "Details" });
    await details.first().waitFor();
    for (let at = 0; at < 30; at++) await details.nth(at).click();
    await visits.go("/jobs");
    await end();
  });

  test("while they are typed, before and after they are saved", LONG, async () => {
    const { page, visits, end } = await openWatched(application, `/models/${CHANGED}/entities/key:${WIDE}`);
    for (const at of some(20)) {
      await page.getByRole("button", { name: "Edit description" }).first().press("e");
      await page.getByRole("textbox", { name: "description" }).fill(injection(at));
      await page.getByText("Preview", { exact: true }).click();
      await visits.settled();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("textbox", { name: "description" }).waitFor({ state: "hidden" });
      await page.getByText("Preview", { exact: true }).waitFor({ state: "hidden" });
    }
    for (const at of some(20)) {
      await visits.go("/models?do=create");
      const dialog = page.getByRole("dialog", { name: "New model" });
      await dialog.getByRole("textbox", { name: "Name" }).fill(oneLine(at));
      await dialog.getByRole("textbox", { name: "Key" }).fill(`typed ${keyOf(at)}`);
      await dialog.getByRole("textbox", { name: "Description" }).fill(injection(at));
      await dialog.getByRole("button", { name: "New model" }).click();
      await dialog.waitFor({ state: "hidden" });
      await visits.settled();
      await expect.poll(() => page.getByRole("heading", { level: 1 }).innerText()).toContain(oneLine(at));
    }
    await end();
  });
});
