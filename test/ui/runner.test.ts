import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible } from "./support/accessibility.ts";
import { LOOKS, useApplication } from "./support/application.ts";
import { createReader } from "./support/library.ts";
import { focusByKey } from "./support/mouse-and-keyboard.ts";
import { chooseInPalette } from "./support/runner.ts";
import { visitsOf } from "./support/visits.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");
const application = useApplication();
const { act } = application;

const field = (page: Page, pointer: string) => page.locator(`[id="f${pointer}"]`);

async function press(page: Page) {
  const before = await page.locator("[data-ended]").count();
  const { pathname } = new URL(page.url());
  const action = pathname.startsWith("/actions/") ? pathname.slice("/actions".length) : "/batch/batch_run";
  const answered = page.waitForResponse((answer) => new URL(answer.url()).pathname === `/api${action}`);
  await page.locator("[data-run]").click();
  await answered;
  if (before === 0) await page.locator("[data-ended]").waitFor();
  await page.locator("[data-run]:not([data-loading])").waitFor();
}

beforeAll(async () => {
  await act("model/model_create", { key: "crm", name: "Customer relations" });
  await act("model/entity_create", { modelRef: "key:crm", entityKey: "customer", name: "Customer" });
  await act("model/entity_create", { modelRef: "key:crm", entityKey: "order", name: "Order" });
  await act("model/model_create", { key: "shop", name: "Shop" });
  await act("model/entity_create", { modelRef: "key:shop", entityKey: "basket" });
});

describe("a form", () => {
  test("requests no list with an incomplete ref, nor while one is typed", async () => {
    const page = await application.open("/actions/model/entity_get");
    const asked: unknown[] = [];
    page.on("request", (one) => one.url().endsWith("/model/entity_list") && asked.push(one.postDataJSON()));
    await field(page, "/modelRef").fill("id:0199");
    await field(page, "/entityRef").focus();
    await field(page, "/modelRef").fill("");
    await field(page, "/modelRef").pressSequentially("key:crm", { delay: 20 });
    await visitsOf(page).settled();
    await field(page, "/entityRef").focus();
    await page.getByRole("option", { name: /Order/ }).waitFor();
    expect(asked).toEqual([{ modelRef: "key:crm" }]);
  });

  test("searches for refs by name, later ones within the chosen model", async () => {
    const page = await application.open("/actions/model/entity_get");
    await field(page, "/modelRef").fill("customer rel");
    await page.getByRole("option", { name: /Customer relations.*key:crm/ }).click();
    await expect.poll(() => field(page, "/modelRef").inputValue()).toBe("key:crm");
    await field(page, "/entityRef").focus();
    await page.getByRole("option", { name: /Order/ }).waitFor();
    const options = page.getByRole("listbox").getByRole("option");
    await expect.poll(() => options.allTextContents()).toEqual(["Customerkey:customer", "Orderkey:order"]);
    await field(page, "/entityRef").fill("ord");
    await expect.poll(() => options.first().textContent()).toBe("Orderkey:order");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => field(page, "/entityRef").inputValue()).toBe("key:order");
    await press(page);
    const result = page.getByRole("region", { name: "Result" });
    await result.getByRole("row", { name: /^key order$/ }).waitFor();
    for (const name of ["Revision", "Entity tag", "Request id", "Duration"]) await result.getByText(name).waitFor();
    // As JSON the same, and the address says so.
    await result.getByText("JSON", { exact: true }).click();
    await result.getByText('"order"').first().waitFor();
    await page.waitForURL(/as=json/);
  });

  test("is in sync with the JSON beside it, and a link opens both filled, except for secrets", async () => {
    const page = await application.open("/actions/auth/user_create");
    const json = page.getByRole("textbox", { name: "Payload as JSON" });
    await field(page, "/username").fill("alan");
    await field(page, "/password").fill("Bombes at the park 1944");
    await json.getByText('"alan"').waitFor();
    await json.fill('{"username": "grace", "fullname": "Grace Hopper", "admin": false}');
    await expect.poll(() => field(page, "/username").inputValue()).toBe("grace");
    await expect.poll(() => page.locator('[data-pointer="/admin"] input[value="false"]').isChecked()).toBe(true);
    await expect.poll(() => field(page, "/password").inputValue()).toBe("Bombes at the park 1944");
    await json.fill('{"username": ');
    await page.getByText("Correct the marked fields first.").waitFor();
    await expect.poll(() => page.locator("[data-run]").isDisabled()).toBe(true);
    await json.fill('{"username": "grace", "fullname": "Grace Hopper"}');
    await page.waitForURL(/Hopper/);
    await expect.poll(() => page.url()).not.toContain("Bombe");
    await expect.poll(() => page.locator("pre[data-call]").textContent()).not.toContain("Bombe");
    const again = await application.open(new URL(page.url()).pathname + new URL(page.url()).search, { beside: page });
    await field(again, "/fullname").waitFor();
    await expect.poll(() => field(again, "/fullname").inputValue()).toBe("Grace Hopper");
    await expect.poll(() => field(again, "/password").inputValue()).toBe("");
  });

  test("has the faults of an answer at their fields, and the rest above", async () => {
    application.expectComplaint(/^answer: 400 POST \/api\/model\/entity_create$/);
    const page = await application.open("/actions/model/entity_create");
    const wrong = '{"modelRef": "crm", "entityKey": "a`b", "nam": 1}';
    await page.getByRole("textbox", { name: "Payload as JSON" }).fill(wrong);
    await press(page);
    const at = (pointer: string) => page.locator(`[data-pointer="${pointer}"]`);
    await at("/modelRef").getByText(/crm/).waitFor();
    await at("/entityKey")
      .getByText(/is not a valid key/)
      .waitFor();
    await at("/nam")
      .getByText(/did you mean name/)
      .waitFor();
    await expect.poll(() => field(page, "/entityKey").getAttribute("aria-invalid")).toBe("true");
    // What is mended is no fault any more, before it is sent again.
    await field(page, "/entityKey").fill("ab");
    await at("/entityKey")
      .getByText(/is not a valid key/)
      .waitFor({ state: "detached" });
  });
});

describe("a run", () => {
  test("of a write is a dry run first, and the second press executes it", async () => {
    const page = await application.open("/actions/model/entity_create");
    await field(page, "/modelRef").fill("key:crm");
    await field(page, "/entityKey").fill("invoice");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("[data-run]").textContent()).toBe("Dry run");
    await press(page);
    await page.getByText("Dry run: nothing was written").waitFor();
    await page.getByRole("cell", { name: "invoice" }).first().waitFor();
    await expect.poll(async () => (await act("model/entity_list", { modelRef: "key:crm" })).items).toHaveLength(2);
    await expect.poll(() => page.locator("[data-run]").textContent()).toBe("Run");
    await press(page);
    await page.getByText(/^200 Done/).waitFor();
    await expect.poll(async () => (await act("model/entity_list", { modelRef: "key:crm" })).items).toHaveLength(3);
    // The run can be opened again.
    await page.getByRole("link", { name: "Actions", exact: true }).first().click();
    await page.getByRole("link", { name: "Open again: Create entity" }).first().click();
    await field(page, "/entityKey").waitFor();
    await expect.poll(() => field(page, "/entityKey").inputValue()).toBe("invoice");
  });

  test("sends another idempotency key with each run, so that the second run writes too", async () => {
    const page = await application.open("/actions/model/entity_create");
    const keys: (string | undefined)[] = [];
    page.on("request", (request) => {
      const { "idempotency-key": key, "dry-run": dryRun } = request.headers();
      if (new URL(request.url()).pathname === "/api/model/entity_create" && !dryRun) keys.push(key);
    });
    await field(page, "/modelRef").fill("key:shop");
    for (const key of ["first", "second", "third"]) {
      await field(page, "/entityKey").fill(key);
      await page.keyboard.press("Escape");
      await expect.poll(() => page.locator("[data-run]").textContent()).toBe("Dry run");
      await press(page);
      await expect.poll(() => page.locator("[data-run]").textContent()).toBe("Run");
      await press(page);
      await page.getByText(/^200 Done/).waitFor();
    }
    expect(new Set(keys.filter(Boolean)).size).toBe(3);
    const { items } = await act("model/entity_list", { modelRef: "key:shop" });
    expect(items.map((one: { key: string }) => one.key)).toEqual(["basket", "first", "second", "third"]);
  });

  test("reports a taken key, and offers the new revision of a changed model", async () => {
    application.expectComplaint(/^answer: 409 /);
    application.expectComplaint(/^answer: 412 /);
    const page = await application.open("/actions/model/entity_create");
    await field(page, "/modelRef").fill("key:crm");
    await field(page, "/entityKey").fill("customer");
    await page.keyboard.press("Escape");
    await press(page);
    await page.getByText("Key already in use").first().waitFor();

    const { id, revision } = await act("model/model_get", { modelRef: "key:crm" });
    await act("model/entity_create", { modelRef: "key:crm", entityKey: "faster" });
    await field(page, "/entityKey").fill("slower");
    await page.getByRole("button", { name: "Conditions" }).click();
    await page.getByLabel("Only at revision").fill(`${id}-${revision}`);
    await press(page);
    await page.getByText("Precondition failed: the model has changed").first().waitFor();
    await page.getByRole("button", { name: `Continue with revision ${revision + 1}` }).click();
    await press(page);
    await page.getByText("Dry run: nothing was written").waitFor();
  });

  test("without the permission reports which one is missing", async () => {
    application.expectComplaint(/^answer: 403 POST \/api\/model\/entity_create$/);
    const token = await createReader(application);
    const page = await application.open("/actions/model/entity_create", { token });
    await page.getByText("Your roles do not permit this action.").waitFor();
    await field(page, "/modelRef").fill("key:crm");
    await page.keyboard.press("Escape");
    await press(page);
    await page
      .getByText(/model_write/)
      .last()
      .waitFor();
    // The tree has what the person may run, and no more.
    const tree = page.getByRole("navigation", { name: "All actions" });
    await expect.poll(() => tree.getByText("Create entity", { exact: true }).count()).toBe(0);
  });

  test("works by keyboard only, from the palette to the answer", async () => {
    const page = await application.open("/models");
    await page.getByRole("heading", { name: "Models" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.locator("[role=combobox]:focus").waitFor();
    await page.keyboard.type("run list entities");
    await chooseInPalette(page, "model/entity_list");
    await field(page, "/modelRef").waitFor();
    await focusByKey(field(page, "/modelRef"), "Tab");
    await page.keyboard.type("key:shop");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("cell", { name: "basket" }).first().waitFor();
  });
});

test.for([
  "model/entity_list",
  "model/entity_update_name",
])("the calls to copy of %s have the same effect as the form", async (ref) => {
  const isWrite = ref.includes("update");
  const payload = isWrite
    ? { modelRef: "key:shop", entityRef: "key:basket", value: "It's a “basket” @home" }
    : { modelRef: "key:shop" };
  const page = await application.open(`/actions/${ref}?payload=${encodeURIComponent(JSON.stringify(payload))}`);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  if (isWrite) await page.getByRole("switch").press("Space");
  const folder = await mkdtemp(join(ROOT, "dist/call-"));
  const folders = { XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder };
  const environment = { ...process.env, METACTION_TOKEN: application.token, ...folders };
  try {
    const copied = async (form: string): Promise<string> => {
      await page.evaluate(`navigator.clipboard.writeText("")`);
      await page.getByRole("radiogroup", { name: "The same call" }).getByText(form, { exact: true }).click();
      await page.getByRole("region", { name: "The same call" }).getByRole("button", { name: /Cop/ }).click();
      const read = () => page.evaluate("navigator.clipboard.readText()") as Promise<string>;
      await expect.poll(read).not.toBe("");
      return read();
    };
    const answers: unknown[] = [];
    for (const form of ["curl", "metaction", "TypeScript"]) {
      const text = await copied(form);
      expect(text).not.toContain(application.token);
      const command = join(ROOT, "cli/metaction.js");
      const shell = text.replace(/(^|\|\n\s*)metaction /, `$1${process.execPath} ${command} `);
      const program = text.replace("metaction/client", join(ROOT, "client/create-client.ts"));
      await writeFile(join(folder, "call.ts"), program);
      const [file, ...words] =
        form === "TypeScript" ? [process.execPath, join(folder, "call.ts")] : ["sh", "-c", shell];
      answers.push(JSON.parse((await run(file ?? "", words, { env: environment })).stdout));
    }
    const [curl, ...others] = answers;
    const steady = (answer: unknown) => ({ ...(answer as object), revision: undefined, changed: undefined });
    for (const other of others) expect(steady(other)).toEqual(steady(curl));
    expect(JSON.stringify(curl)).toContain("basket");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a batch is collected, ordered, edited and run as one, and marks the entry that fails", async () => {
  application.expectComplaint(/^answer: 4\d\d POST \/api\/batch\/batch_run$/);
  const page = await application.open("/actions/model/entity_create");
  for (const key of ["customer", "supplier"]) {
    await field(page, "/modelRef").fill("key:crm");
    await field(page, "/entityKey").fill(key);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Add to batch" }).click();
    await page.getByText(/Added as entry/).waitFor();
  }
  await page.getByRole("link", { name: "Open batch" }).click();
  const entry = (number: number) => page.locator(`[data-entry="${number}"]`);
  await page.getByRole("button", { name: "Move entry 1 down" }).click();
  await entry(2).getByText('"customer"').waitFor();
  await press(page);
  await entry(2).getByText("Refused here").waitFor();
  await entry(2)
    .getByText(/is already used by another entity/)
    .waitFor();
  await expect.poll(() => entry(1).getByText("Refused here").count()).toBe(0);

  await page.getByRole("button", { name: "Edit entry 2" }).click();
  const key = entry(2).locator('[data-pointer="/entityKey"] input');
  await key.fill("a`b");
  await press(page);
  await entry(2)
    .getByText(/is not a valid key/)
    .first()
    .waitFor();
  await key.fill("carrier");
  await press(page);
  await page.getByText("Dry run: nothing was written").waitFor();
  await press(page);
  await page.getByText("Done", { exact: true }).first().waitFor();
  const keys = (await act("model/entity_list", { modelRef: "key:crm" })).items.map((one: { key: string }) => one.key);
  expect(keys).toEqual(expect.arrayContaining(["carrier", "supplier"]));
  // One revision for all of it.
  await page.getByRole("button", { name: "Close entry 2" }).click();
  await expect.poll(() => entry(1).getByRole("cell", { name: "supplier" }).count()).toBe(1);
  await page.getByRole("button", { name: "Remove entry 1" }).click();
  await page.getByRole("button", { name: "Remove all entries" }).click();
  await page.getByText("No entries yet").waitFor();
});

test("in French the runner is in French, and texts of the service are marked as English", async () => {
  const page = await application.open("/actions/model/entity_create", { locale: "fr-FR" });
  await page.getByRole("button", { name: "Exécuter à blanc" }).waitFor();
  await expect.poll(() => page.locator("h1 [lang=en]").textContent()).toBe("Create entity");
  await page.keyboard.press("Control+k");
  await page.locator("[role=combobox]:focus").waitFor();
  await page.keyboard.type("exécuter list entities");
  await page.getByRole("option", { name: /List entities/ }).waitFor();
});

test.for(LOOKS)("the runner is accessible on a $device, $colorScheme", async ({ device: _, ...look }) => {
  application.expectComplaint(/^answer: 400 /);
  const page = await application.open("/actions", look);
  await page.getByRole("heading", { name: "Runs of this session" }).waitFor();
  await page.getByRole("button", { name: /^entity \d/ }).waitFor();
  await expectAccessible(page);
  await page.goto(`${application.service.url}/actions/model/search`);
  await page.getByRole("button", { name: "Fill in the example" }).click();
  await page.getByRole("textbox", { name: "Payload as JSON" }).waitFor();
  await press(page);
  await expectAccessible(page);
  const payload = encodeURIComponent('{"modelRef":"x","constraints":{}}');
  await page.goto(`${application.service.url}/actions/model/entity_attribute_create?payload=${payload}`);
  await page.getByRole("textbox", { name: "Payload as JSON" }).waitFor();
  await press(page);
  await page.getByRole("button", { name: "Conditions" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add to batch" }).click();
  await page.getByRole("link", { name: "Open batch" }).click();
  await page.getByRole("button", { name: "Edit entry 1" }).click();
  await page.getByRole("textbox", { name: "Payload as JSON" }).waitFor();
  await expectAccessible(page);
});
