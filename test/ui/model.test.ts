import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { useApplication } from "./support/application.ts";

const application = useApplication();
const { act } = application;
const modelRef = "key:crm";

beforeAll(async () => {
  await act("model/model_create", { key: "crm", name: "Customers", description: "one\ntwo\nthree\n" });
  await act("model/entity_create", { modelRef, entityKey: "customer", name: "Customer" });
});

const described = async (): Promise<string> => (await act("model/model_get", { modelRef })).description;

async function write(page: Page, text: string) {
  await page.getByRole("button", { name: "Edit description" }).press("e");
  await page.getByRole("textbox", { name: "description" }).fill(text);
  await page.getByRole("textbox", { name: "description" }).press("Control+Enter");
}

test("a description is written by keyboard and previewed before it is saved, and Escape cancels", async () => {
  const page = await application.open("/models/key:crm");
  await page.getByRole("button", { name: "Edit description" }).press("e");
  const field = page.getByRole("textbox", { name: "description" });
  await field.fill("one\ntwo\n**three**\n");
  await page.getByText("Preview").click();
  await page.locator("strong", { hasText: "three" }).waitFor();
  await page.getByText("Write", { exact: true }).click();
  await field.press("Escape");
  await expect.poll(described).toBe("one\ntwo\nthree\n");
  await write(page, "one\ntwo\n**three**\n");
  await page.locator("strong", { hasText: "three" }).waitFor();
  await expect.poll(described).toBe("one\ntwo\n**three**\n");
});

test("a refusal of the service is shown at the field, and the typed text is kept", async () => {
  application.expectComplaint(/^answer: 400 POST \/api\/model\/model_update_documentation_link$/);
  const page = await application.open("/models/key:crm");
  await page.getByRole("button", { name: "Edit link to the documentation" }).press("e");
  const field = page.getByRole("textbox", { name: "link to the documentation" });
  await field.fill("no address");
  await field.press("Enter");
  await page
    .getByText(/^is not a valid absolute URL/)
    .first()
    .waitFor();
  await expect.poll(() => field.inputValue()).toBe("no address");
  await field.fill("https://example.org/crm");
  await field.press("Enter");
  await page.getByRole("link", { name: "Open the documentation" }).waitFor();
});

test.each([
  ["Save the proposal", "ONE\ntwo\nTHREE\n"],
  ["Save mine", "one\ntwo\nTHREE\n"],
])("two browsers change one text: the slower one sees both and a proposal, and continues with: %s", async (choice, saved) => {
  application.expectComplaint(/^answer: 412 POST \/api\/model\/model_update_description$/);
  await act("model/model_update_description", { modelRef, value: "one\ntwo\nthree\n" });
  const [mine, theirs] = [await application.open("/models/key:crm"), await application.open("/models/key:crm")];
  await mine.getByRole("button", { name: "Edit description" }).press("e");
  await mine.getByRole("textbox", { name: "description" }).fill("one\ntwo\nTHREE\n");
  await write(theirs, "ONE\ntwo\nthree\n");
  await expect.poll(described).toBe("ONE\ntwo\nthree\n");
  await mine.getByRole("textbox", { name: "description" }).press("Control+Enter");
  const dialog = mine.getByRole("dialog", { name: "Somebody else changed this text" });
  await expect.poll(() => dialog.getByLabel("Theirs, saved now").inputValue()).toBe("ONE\ntwo\nthree\n");
  await expect.poll(() => dialog.getByLabel("Yours").inputValue()).toBe("one\ntwo\nTHREE\n");
  await expect.poll(() => dialog.getByLabel("Merged proposal").inputValue()).toBe("ONE\ntwo\nTHREE\n");
  await dialog.getByRole("button", { name: choice }).click();
  await expect.poll(described).toBe(saved);
  await dialog.waitFor({ state: "hidden" });
});

test("a change elsewhere in the model is no conflict: the text is saved", async () => {
  application.expectComplaint(/^answer: 412 POST \/api\/model\/model_update_description$/);
  const page = await application.open("/models/key:crm");
  await page.getByRole("button", { name: "Edit description" }).press("e");
  await page.getByRole("textbox", { name: "description" }).fill("once more");
  await act("model/type_create", { modelRef, typeKey: "text" });
  await page.getByRole("textbox", { name: "description" }).press("Control+Enter");
  await expect.poll(described).toBe("once more");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});

test("several texts are changed one after the other without waiting", async () => {
  const page = await application.open("/models/key:crm");
  await write(page, "quick");
  // The button is there for the keyboard; who has a mouse clicks the text.
  await page.getByRole("heading", { level: 1, name: "Customers" }).getByText("Customers").click();
  await page.getByRole("textbox", { name: "name" }).fill("Clients");
  await page.getByRole("textbox", { name: "name" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Clients" }).waitFor();
  await expect.poll(described).toBe("quick");
});

test("another key has another address, and tags are added and removed", async () => {
  await act("model/model_create", { key: "hr", name: "People" });
  const page = await application.open("/models/key:hr");
  await page.getByRole("button", { name: "Edit key" }).press("e");
  await page.getByRole("textbox", { name: "key" }).fill("hr/2 %?#");
  await page.getByRole("textbox", { name: "key" }).press("Enter");
  await page.waitForURL(/\/models\/key:hr%2F2%20%25%3F%23$/);
  await page.getByRole("button", { name: "Add a tag" }).click();
  await page.getByRole("textbox", { name: "Search tags" }).fill("draft");
  await page.getByRole("option", { name: /Create the local tag/ }).click();
  const remove = page.getByRole("button", { name: "Remove the tag draft" });
  await remove.waitFor();
  await remove.click();
  await remove.waitFor({ state: "hidden" });
});
