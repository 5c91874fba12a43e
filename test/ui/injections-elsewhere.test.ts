import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { useApplication } from "./support/application.ts";
import { injectedModel, injection, keyOf, oneLine, TEXTS, WIDE } from "./support/injected-model.ts";
import { RAN } from "./support/injections.ts";
import { act } from "./support/library.ts";
import { LONG } from "./support/patience.ts";
import { openWatched } from "./support/watched-page.ts";

const application = useApplication();
const places: readonly number[] = Array.from({ length: TEXTS }, (_, at) => at);
const some = (every: number): readonly number[] => places.filter((at) => at % every === 0);
const modelRef = "key:injected";
const search = (members: Readonly<Record<string, string>>): string => `?${new URLSearchParams(members)}`;

/** Runs one action for each place, so many at once. */
async function each(action: string, payload: (at: number) => object, among = places, atOnce = TEXTS): Promise<void> {
  const [group, name] = action.split("/");
  for (let begun = 0; begun < among.length; begun += atOnce) {
    const actions = among.slice(begun, begun + atOnce).map((at) => ({ group, action: name, payload: payload(at) }));
    await act(application, "batch/batch_run", { actions });
  }
}

beforeAll(async () => {
  await act(application, "model/import", { content: injectedModel("injected", oneLine(0)) });
  await act(application, "model/model_copy", { modelRef, modelNewKey: "copy" });
  await act(application, "model/model_release", { modelRef, value: "2.0.0" });
  const entityAt = (at: number) => ({ modelRef, entityRef: `key:${keyOf(at)}` });
  await each("model/entity_update_name", (at) => ({ ...entityAt(at), value: oneLine(at, 20) }));
  await each("model/entity_update_description", (at) => ({ ...entityAt(at), value: injection(at, 21) }));
  await each("model/entity_update_property", (at) => ({
    ...entityAt(at),
    property: keyOf(at),
    value: injection(at, 22),
  }));
  const relationshipAt = (at: number) => ({ modelRef, relationshipRef: `key:${keyOf(at)}` });
  await each("model/relationship_delete", relationshipAt, some(10));
  await each("model/business_key_delete", (at) => ({ modelRef, businessKeyRef: `key:${keyOf(at)}` }), some(10));
  await each("model/entity_delete", entityAt, some(10));
  await each(
    "tag/tag_group_create",
    (at) => ({ key: `g${at}`, name: oneLine(at), description: injection(at) }),
    places,
    20,
  );
  await each(
    "tag/tag_global_create",
    (at) => ({
      groupRef: `key:g${at}`,
      key: `t${at}`,
      name: oneLine(at),
      description: injection(at),
    }),
    places,
    20,
  );
  await each(
    "model/model_create",
    (at) => ({ key: keyOf(at), name: oneLine(at), description: injection(at) }),
    places,
    20,
  );
  await each(
    "property/definition_create",
    (at) => ({
      key: `p:${keyOf(at)}`,
      name: oneLine(at),
      description: injection(at),
      schema: { type: "string", enum: [injection(at)] },
    }),
    places,
    20,
  );
  for (const at of some(2))
    await act(application, "auth/role_create", { key: keyOf(at), name: oneLine(at), description: injection(at + 1) });
  for (const at of some(3)) await act(application, "auth/token_create", { name: oneLine(at) });
  // Full names take letters only.
  await act(application, "auth/user_create", {
    username: "user",
    fullname: "constructor",
    password: "Correct-Horse-8-Battery",
    admin: false,
    roleRefs: some(20).map((at) => `key:${keyOf(at)}`),
  });
});

const first = (page: Page, role: "row" | "option") => page.getByRole(role).first().waitFor();

describe("a hundred hostile texts are only shown", () => {
  test("in the list of models, and in the lists of tags and groups", LONG, async () => {
    const { page, visits, end } = await openWatched(application, "/models");
    for (const at of some(5)) await visits.go(`/models${search({ q: oneLine(at) })}`);
    for (const at of places) {
      await visits.go(`/models/key:injected/tags?tag=tag_${at}`);
      await page.getByRole("complementary").getByText(oneLine(at)).first().waitFor();
    }
    for (const at of some(2)) await visits.go(`/tags${search({ open: `g${at}/t${at}` })}`);
    for (const at of some(2)) await visits.go(`/tags${search({ show: "groups", open: `g${at}` })}`);
    await end();
  });

  test("in the history, and in the previews of a release and a restore", LONG, async () => {
    const { page, visits, end } = await openWatched(application, "/models/key:injected/history");
    const { revision } = await act(application, "model/model_get", { modelRef });
    for (const back of [0, 1, 2, 3])
      for (const at of some(10)) await visits.go(`/models/key:injected/history?change=${revision - back}-${at}`);
    for (const at of some(10)) await visits.go(`/models/key:injected/history${search({ q: oneLine(at) })}`);
    await visits.go("/models/key:injected/history?do=release");
    await page.getByRole("dialog").waitFor();
    await visits.go("/models/key:injected/history?restore=2.0.0");
    await page.getByRole("dialog").getByRole("listitem").first().waitFor();
    await end();
  });

  test("in a comparison, as a list and as a diagram", LONG, async () => {
    const sides = { left: "key:copy", right: modelRef };
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
      ["model/entity_list", { modelRef }],
      ["model/entity_attribute_list", { modelRef, entityRef: `key:${WIDE}` }],
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
    const actors = await act(application, "auth/actor_list", {});
    const roles = await act(application, "auth/role_list", {});
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
    const { page, visits, end } = await openWatched(application, `/models/${modelRef}/entities/key:${WIDE}`);
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
