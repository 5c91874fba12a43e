import { beforeAll, expect, test } from "vitest";
import { useApplication } from "./support/application.ts";
import { WARNED } from "./support/screens.ts";

const application = useApplication();
const { act } = application;

beforeAll(async () => {
  for (const [key, name] of [
    ["crm", "Customers"],
    ["erp", "Enterprise"],
    ["a/b %?#", "Odd key"],
  ])
    await act("model/model_create", { key, name });
});

test("the list is searched, sorted and filtered, all of it in the address, and links to a model", async () => {
  const page = await application.open("/models");
  const rows = page.getByRole("row", { name: /customers|enterprise|odd key/i });
  await rows.nth(2).waitFor();
  await page.getByRole("searchbox", { name: "Search in all columns" }).fill("ENTER");
  await page.waitForURL(/q=ENTER/);
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole("searchbox", { name: "Search in all columns" }).fill("");
  await page.getByRole("button", { name: "Name", exact: true }).click();
  await page.getByRole("button", { name: "Name", exact: true }).click();
  await page.waitForURL(/sort=-name/);
  await expect.poll(() => rows.first().innerText()).toContain("Odd key");
  await rows.first().getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: /Odd key/ }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/models/key:a%2Fb%20%25%3F%23");
  await page.goBack();
  await page.waitForURL(/sort=-name/);
});

test("a model is created; a taken key is reported, and the typed text is kept", async () => {
  application.expectComplaint(/^answer: 409 POST \/api\/model\/model_create$/);
  const page = await application.open("/models");
  await page.getByRole("button", { name: "New model" }).click();
  await page.waitForURL(/do=create/);
  const dialog = page.getByRole("dialog", { name: "New model" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Crm");
  await expect.poll(() => dialog.getByRole("textbox", { name: "Key" }).inputValue()).toBe("crm");
  await dialog.getByRole("button", { name: "New model" }).click();
  await dialog.getByRole("alert").getByText("Key already in use").waitFor();
  await dialog.getByRole("textbox", { name: "Key" }).fill("crm-2");
  await dialog.getByRole("button", { name: "New model" }).click();
  await page.waitForURL(/\/models\/key:crm-2$/);
});

test("a pasted source is checked first, imported, and its warnings are grouped", async () => {
  const page = await application.open("/models?do=import");
  const dialog = page.getByRole("dialog", { name: "Import" });
  await dialog.getByText("Text", { exact: true }).click();
  await dialog.locator(".cm-content").fill(JSON.stringify(WARNED));
  await dialog.getByRole("button", { name: "Check first" }).click();
  await dialog.getByText("The import would create the model offices").waitFor();
  const before = await application.service.call("model/model_get", { modelRef: "key:offices" }, application.token);
  expect(before.status).toBe(404);
  await dialog.getByRole("button", { name: "Import" }).click();
  await dialog.getByText("The model offices is imported").waitFor();
  await dialog.getByText("Likely misspelt").waitFor();
  await dialog.getByText("Names converted to keys").click();
  await dialog.getByText(/is not a valid key, so it became "codigo"/).waitFor();
  await dialog.getByRole("button", { name: "Open the model" }).click();
  await page.getByRole("heading", { level: 1, name: /Offices/ }).waitFor();
});

test("SQL is imported from a file, whose name its model gets, and pasted", async () => {
  const page = await application.open("/models?do=import");
  const dialog = page.getByRole("dialog", { name: "Import" });
  await dialog.locator("input[type=file]").setInputFiles({
    name: "Order desk.sql",
    mimeType: "application/sql",
    buffer: Buffer.from("CREATE TABLE orders (id integer PRIMARY KEY, placed date NOT NULL);"),
  });
  await expect.poll(() => dialog.getByRole("textbox", { name: "Key" }).inputValue()).toBe("order_desk");
  await dialog.getByText("Text", { exact: true }).click();
  await dialog.locator(".cm-content").fill("CREATE TABLE items (id integer PRIMARY KEY);");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByText("The model order_desk is imported").waitFor();
  const { items } = await act("model/entity_list", { modelRef: "key:order_desk" });
  expect(items).toMatchObject([{ key: "items" }]);
});

test("a file of invalid JSON is refused with a message, an unknown one by the service", async () => {
  application.expectComplaint(/^answer: 422 POST \/api\/model\/import$/);
  const page = await application.open("/models?do=import");
  const dialog = page.getByRole("dialog", { name: "Import" });
  const choose = async (name: string, text: string) => {
    const file = { name, mimeType: "application/json", buffer: Buffer.from(text) };
    await dialog.locator("input[type=file]").setInputFiles(file);
    await dialog.getByText(name).waitFor();
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
  };
  await choose("broken.json", "{");
  await dialog.getByRole("alert").getByText("The text starts like JSON, but is not valid JSON.").waitFor();
  await choose("other.json", '{"a":1}');
  await dialog.getByRole("alert").getByText("Source format not recognized").waitFor();
});

test("a model is copied, and deleted after its consequences were shown", async () => {
  const page = await application.open("/models/key:erp");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Copy model" }).click();
  await page.getByRole("dialog").getByLabel("Key of the copy").fill("erp-copy");
  await page.getByRole("dialog").getByRole("button", { name: "Copy model" }).click();
  await page.waitForURL(/key:erp-copy$/);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete model" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete model Enterprise" });
  await dialog.getByText("Administrators can still read its history and releases").waitFor();
  await dialog.getByRole("button", { name: "Delete model Enterprise" }).click();
  await page.waitForURL(/\/models$/);
  await page.getByText("erp", { exact: true }).waitFor();
  await expect.poll(() => page.getByText("erp-copy").count()).toBe(0);
});
