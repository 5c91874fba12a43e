import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./support/accessibility.ts";
import { LOOKS, useApplication } from "./support/application.ts";

const application = useApplication();

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const confirm = (page: Page, name: RegExp) => page.getByRole("dialog").getByRole("button", { name }).click();

async function createUser(page: Page, username: string, fullname: string, password: string) {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Full name").fill(fullname);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await button(page, "Create user").click();
}

test("a role is created, its permissions chosen, and assigned to a new user for some models only", async () => {
  const page = await application.open("/administration/roles");
  await button(page, "New role").click();
  await page.getByRole("textbox", { name: "Name" }).fill("Importer");
  await page.getByRole("textbox", { name: "Key" }).fill("importer");
  await button(page, "Create role").click();
  await page.getByRole("checkbox", { name: /^Import models/ }).click();
  const panel = page.getByRole("complementary");
  await panel
    .getByText(/implied by Import/)
    .first()
    .waitFor();

  await page.goto(`${application.service.url}/administration/people`);
  await button(page, "New user").click();
  application.expectComplaint(/^answer: 400 POST \/api\/auth\/user_create$/);
  await createUser(page, "grace", "Grace Hopper", "too short");
  await page.getByText("at least 14 characters").nth(1).waitFor();
  await page.getByRole("textbox", { name: "Password" }).fill("correct horse 2 battery");
  await button(page, "Create user").click();
  await page.getByRole("row", { name: /Grace Hopper/ }).click();

  const give = panel.getByRole("form", { name: "Add a role" });
  await give.getByRole("combobox", { name: "Role" }).click();
  await page.getByRole("option", { name: "Importer" }).click();
  await give.getByText("Permissions of this role").waitFor();
  await give.getByLabel("Models").fill("sales-*");
  await button(page, "Add a role").click();
  await panel.getByText("for models sales-*").waitFor();
  await panel.getByRole("button", { name: "Remove role importer for models sales-*" }).click();
  await panel.getByText("for models sales-*").waitFor({ state: "detached" });

  await page.goto(`${application.service.url}/administration/audit?act=auth%2Factor_add_role`);
  await page.getByRole("button", { name: "Details" }).first().click();
  await panel.getByText("sales-*", { exact: false }).first().waitFor();
});

test("a user is disabled, enabled, renamed, and deleted after the consequences were shown", async () => {
  const page = await application.open("/administration/people");
  await button(page, "New user").click();
  await createUser(page, "linus", "Linus", "correct horse 3 battery");
  await page.getByRole("row", { name: /Linus/ }).click();
  await button(page, "Disable").click();
  await page.getByText(/^Disabled since/).waitFor();
  await button(page, "Enable").click();
  await page.getByText(/^Disabled since/).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Edit Full name" }).press("e");
  await page.getByRole("textbox", { name: "Full name" }).fill("Linus T.");
  await page.keyboard.press("Enter");
  await page.getByRole("row", { name: /Linus T\./ }).waitFor();
  await button(page, "Delete user linus").click();
  await confirm(page, /user linus/);
  await page.getByRole("row", { name: /Linus/ }).waitFor({ state: "detached" });
});

test("an API token is shown once, and revoked", async () => {
  const page = await application.open("/administration/tokens");
  await button(page, "New token").first().click();
  await page.getByLabel("Purpose").fill("Nightly export");
  await button(page, "Create token").click();
  const token = await page.getByRole("dialog").locator("code").innerText();
  const answer = await fetch(`${application.service.url}/api/auth/whoami`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  await button(page, "Done").click();
  await page.getByRole("button", { name: "Revoke token Nightly export" }).click();
  await confirm(page, /API token Nightly export/);
  await page.getByText("No tokens yet").waitFor();
  await expect.poll(() => page.content()).not.toContain(token);
});

test("a service account calls with a token for some models, is named in their history, and is disabled and deleted", async () => {
  const page = await application.open("/administration/people");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await button(page, "New service account").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Nightly import");
  await dialog.getByRole("textbox", { name: "Key" }).fill('the "nightly"');
  await dialog.getByRole("combobox", { name: "Role" }).click();
  await page.getByRole("option", { name: "Administrator" }).click();
  await dialog.getByText("Permissions of this role").waitFor();
  application.expectComplaint(/^answer: 400 POST \/api\/auth\/service_account_create$/);
  await button(page, "Create service account").click();
  await dialog.getByText(/is not a valid key/).waitFor();
  await dialog.getByRole("textbox", { name: "Key" }).fill("nightly-import");
  await button(page, "Create service account").click();

  const panel = page.getByRole("complementary", { name: "Nightly import" });
  await panel.getByText("Service account", { exact: true }).waitFor();
  await page.getByRole("row", { name: /Nightly import.*nightly-import.*admin.*Active/ }).waitFor();
  await dialog.waitFor({ state: "detached" });
  await panel.getByRole("button", { name: "New token" }).click();
  await dialog.getByLabel("Purpose").fill("Import of crm");
  await dialog.getByRole("combobox", { name: "Models" }).fill("crm*");
  await button(page, "Create token").click();
  const token = await dialog.locator("code").innerText();
  await button(page, "Copy token").click();
  await button(page, "Copied").waitFor();
  await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(token);
  await button(page, "Done").click();
  await panel.getByText("crm*").waitFor();

  const statusOf = async (action: string, payload: object) =>
    (await application.service.call(action, payload, token)).status;
  await expect(statusOf("model/model_create", { key: "crm-sales", name: "Sales" })).resolves.toBe(200);
  const renamed = { modelRef: "key:crm-sales", value: "Sales of the crm" };
  await expect(statusOf("model/model_update_name", renamed)).resolves.toBe(200);
  await expect(statusOf("model/model_create", { key: "other", name: "Other" })).resolves.toBe(403);
  await page.goto(`${application.service.url}/models/key:crm-sales/history`);
  await page.getByText("with API token Import of crm").waitFor();
  await page.getByRole("heading", { name: "Nightly import" }).waitFor();
  await page.getByRole("button", { name: /Model.*crm-sales/ }).click();
  await page.getByRole("complementary").getByText("Import of crm").waitFor();

  await page.goto(`${application.service.url}/administration/tokens?of=all`);
  await page.getByRole("row", { name: /Import of crm.*Nightly import.*crm\*/ }).waitFor();
  await page.goto(`${application.service.url}/administration/people?of=services`);
  await page.getByRole("row", { name: /Nightly import/ }).click();
  await button(page, "Disable").click();
  await panel.getByText(/^Disabled since/).waitFor();
  await panel.getByText("crm*").waitFor({ state: "detached" });
  await expect(statusOf("model/model_list", {})).resolves.toBe(401);
  await button(page, "Enable").click();
  await button(page, "Disable").waitFor();
  await page.getByRole("button", { name: "Edit Name" }).press("e");
  await page.getByRole("textbox", { name: "Name" }).fill("Import");
  await page.keyboard.press("Enter");
  await page.getByRole("row", { name: /^Import/ }).waitFor();
  await button(page, "New token").click();
  await dialog.getByLabel("Purpose").fill("Import of all");
  await button(page, "Create token").click();
  await button(page, "Done").click();
  await button(page, "Delete service account").click();
  await dialog.getByText("Import of all").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await button(page, "Delete service account").click();
  await confirm(page, /service account Import/);
  await page.getByText("No service accounts yet").waitFor();
});

test("a property is defined, and its schema edited in place", async () => {
  const page = await application.open("/administration/properties");
  await button(page, "New property").click();
  await page.getByLabel("Name in the API").fill("retentionDays");
  await button(page, "Define property").click();
  const panel = page.getByRole("complementary");
  await button(page, "Edit").click();
  await page.getByLabel("JSON Schema of its values").fill('{"type":"whole"}');
  application.expectComplaint(/^answer: 400 POST \/api\/property\/definition_update_schema$/);
  await button(page, "Save").click();
  await panel.getByText(/must be one of string, number/).waitFor();
  await page.getByLabel("JSON Schema of its values").fill('{"type":"integer","minimum":0}');
  await button(page, "Save").click();
  await panel.getByText('"minimum": 0').waitFor();
});

test.each(["people", "roles", "tokens", "properties", "issuers", "audit"])("%s is accessible", async (section) => {
  for (const { device: _, ...look } of LOOKS) {
    const page = await application.open(`/administration/${section}`, look);
    await page.locator("table").first().or(page.getByText("No tokens yet")).first().waitFor();
    await expectAccessible(page);
  }
});

test("jobs are accessible, and have a note when there are none", async () => {
  const page = await application.open("/jobs");
  await page.getByText("No jobs").waitFor();
  await expectAccessible(page);
});
