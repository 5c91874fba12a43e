import { expect, test } from "vitest";
import { useApplication } from "./support/application.ts";
import { importLibrary } from "./support/library.ts";
import { expectFocus, focusByKey } from "./support/mouse-and-keyboard.ts";

const application = useApplication();
const { act } = application;
const run = (action: string, payload: object) => act(`model/${action}`, payload);
const exported = (modelRef: string) => act("model/model_export", { modelRef });

test("a user edits, sees it in the history, releases the suggested version, compares and restores", async () => {
  await importLibrary(application, "journey");
  const modelRef = "key:journey";
  const page = await application.open("/models/key:journey");
  await page.getByRole("button", { name: "Edit Name" }).press("Enter");
  await page.getByRole("textbox", { name: "Name" }).fill("Town library");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "History" }).click();

  const change = page.getByRole("button", { name: /Model.*journey.*City library → Town library/ });
  await change.waitFor();
  await focusByKey(change, "Tab");
  await page.keyboard.press("Enter");
  const panel = page.getByRole("complementary", { name: "Changed: Model journey" });
  await panel.getByText("First Administrator").waitFor();
  await expect.poll(() => panel.locator("del").innerText()).toBe("City library");
  await expect.poll(() => panel.locator("ins").innerText()).toBe("Town library");
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await expectFocus(change);

  await page.getByRole("button", { name: "Release…" }).click();
  const dialog = page.getByRole("dialog", { name: "Release Town library" });
  await dialog.getByText("1 difference changes only documentation or storage, so the last number increases.").waitFor();
  await dialog.getByRole("button", { name: "Release 1.2.1" }).click();
  await page.getByRole("heading", { name: "No changes since 1.2.1" }).waitFor();
  await page.getByRole("link", { name: /^1\.2\.1/ }).waitFor();
  await dialog.waitFor({ state: "detached" });
  const released = await exported(modelRef);
  expect(released.version).toBe("1.2.1");

  await run("entity_attribute_delete", { modelRef, entityRef: "key:loan", attributeRef: "key:due" });
  await page.reload();
  await page.getByRole("link", { name: "Compare with the newest state" }).click();
  await page.getByRole("button", { name: /Attribute.*due.*Breaking/ }).click();
  await page.getByText("removed; consumers that use it will fail").waitFor();
  await page.goBack();
  await page.goBack();

  await page.getByRole("link", { name: /^1\.2\.1/ }).click();
  await page.getByRole("button", { name: "Restore 1.2.1…" }).click();
  const restoring = page.getByRole("dialog", { name: "Restore version 1.2.1" });
  await restoring.getByRole("region", { name: "Planned changes" }).getByText("due").waitFor();
  await expect.poll(async () => (await exported(modelRef)).entities[1].attributes).toHaveLength(2);
  await restoring.getByRole("button", { name: "Restore version 1.2.1" }).click();
  await restoring.waitFor({ state: "detached" });
  await expect.poll(() => exported(modelRef)).toEqual(released);
});

test("a breaking change suggests a major version, an additive one a minor version", async () => {
  await importLibrary(application, "rises");
  const loan = { modelRef: "key:rises", entityRef: "key:loan" };
  await run("entity_attribute_create", { ...loan, attributeKey: "fee", type: "key:number", optional: true });
  const page = await application.open("/models/key:rises/history?do=release");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Release 1.3.0" }).waitFor();
  await run("entity_attribute_update_type", { ...loan, attributeRef: "key:due", value: "key:string" });
  await page.reload();
  await dialog.getByRole("button", { name: "Release 2.0.0" }).waitFor();
  await dialog.getByText("1 difference breaks consumers of 1.2.0, so the first number increases.").waitFor();
  await expect.poll(() => dialog.getByRole("radio", { name: /2\.0\.0.*suggested/ }).isChecked()).toBe(true);
  await dialog.getByRole("radio", { name: "Another version" }).check();
  await dialog.getByRole("textbox", { name: "Another version" }).fill("1.0.0");
  application.expectComplaint(/^answer: 422 POST \/api\/model\/model_release/);
  await dialog.getByRole("button", { name: "Release 1.0.0" }).click();
  await dialog.getByText(/1\.0\.0 is not greater than 1\.2\.0/).waitFor();
});

test("a release after a concurrent one shows the present state, and continues", async () => {
  await importLibrary(application, "faster");
  const modelRef = "key:faster";
  await run("model_update_name", { modelRef, name: "One" });
  const page = await application.open("/models/key:faster/history?do=release");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Release 1.2.1" }).waitFor();
  await run("entity_create", { modelRef, entityKey: "branch" });
  application.expectComplaint(/^answer: 412 POST \/api\/model\/model_release/);
  await dialog.getByRole("button", { name: "Release 1.2.1" }).click();
  await dialog.getByText("Somebody else changed the model meanwhile.").waitFor();
  await dialog.getByRole("button", { name: "Release 1.3.0" }).click();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(async () => (await exported(modelRef)).version).toBe("1.3.0");
});

test("a long text is shown by the lines that differ, and the hidden ones on request", async () => {
  await importLibrary(application, "texts");
  const modelRef = "key:texts";
  const lines = Array.from({ length: 40 }, (_, at) => `Line ${at + 1} of what a book is.`);
  const book = { modelRef, entityRef: "key:book" };
  await run("entity_update_description", { ...book, value: lines.join("\n") });
  const value = lines.with(19, "Line 20 of what a copy is.").join("\n");
  await run("entity_update_description", { ...book, value });
  const page = await application.open("/models/key:texts/history?change=3-0");
  const diff = page.getByRole("group", { name: "Difference of Description" });
  await diff.waitFor();
  await expect.poll(() => diff.locator("del").allInnerTexts()).toEqual(["Line 20 of what a book is."]);
  await expect.poll(() => diff.locator("ins mark").allInnerTexts()).toEqual([" copy"]);
  await expect.poll(() => diff.locator("span[lang]").count()).toBe(6);
  await diff.getByRole("button", { name: "16 unchanged lines" }).click();
  await expect.poll(() => diff.locator("span[lang]").count()).toBe(22);
});

test("changes are filtered by kind, text and object, all in the address", async () => {
  await importLibrary(application, "narrowed");
  const modelRef = "key:narrowed";
  const loan = { modelRef, entityRef: "key:loan" };
  await run("entity_attribute_update_key", { ...loan, attributeRef: "key:member", value: "card" });
  await run("entity_update_name", { modelRef, entityRef: "key:book", value: "Copy" });
  await run("entity_attribute_update_name", { ...loan, attributeRef: "key:card", value: "Card" });
  const page = await application.open("/models/key:narrowed/history");
  const changes = page.locator("[id^=change-]");
  await changes.first().waitFor();
  await expect.poll(() => changes.count()).toBe(3);
  await page.getByRole("textbox", { name: "Filter by name, key or person" }).fill("loan");
  await expect.poll(() => changes.count()).toBe(2);
  await page.reload();
  await changes.first().waitFor();
  await expect.poll(() => changes.count()).toBe(2);
  await page.getByRole("textbox", { name: "Filter by name, key or person" }).fill("");
  await page.getByRole("button", { name: /Entity.*book/ }).click();
  await page.getByRole("button", { name: "All changes of this object" }).click();
  await page.getByText("Only changes of book").waitFor();
  await expect.poll(() => changes.count()).toBe(1);
  await expect.poll(() => page.url()).toContain("object=");
});

test("the history of a deleted model is available to an administrator", async () => {
  await importLibrary(application, "gone");
  const { id } = await exported("key:gone");
  await run("model_delete", { modelRef: "key:gone" });
  application.expectComplaint(/^answer: 404 POST \/api\/model\/model_get/);
  const page = await application.open(`/models/id:${id}/history?version=1.2.0`);
  await page.getByText("This model was deleted. Administrators can still read its history.").waitFor();
  await page.getByRole("button", { name: /Model.*gone/ }).click();
  await page.getByText("Created with").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Release…" }).count()).toBe(0);
});
