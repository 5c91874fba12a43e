import { expect, test } from "vitest";
import { useApplication } from "./support/application.ts";
import { createReader, makeLibrary, relate } from "./support/library.ts";
import { visitsOf } from "./support/visits.ts";

const application = useApplication();
const { act } = application;

test("a change elsewhere in the model does not stop a save, and one of the same cell does until it is repeated", async () => {
  const modelRef = await makeLibrary(application, "cells");
  const attribute = { modelRef, entityRef: "key:book", attributeRef: "key:isbn" };
  const page = await application.open(`/models/${modelRef}/entities/key:book`);
  const cell = page.locator('[data-cell="0:1"]');
  await cell.waitFor();
  await act("model/entity_attribute_update_name", { ...attribute, attributeRef: "key:title", value: "Title" });
  application.expectComplaint(/^answer: 412 POST \/api\/model\/entity_attribute_update_name$/);
  await cell.dblclick();
  await page.getByRole("textbox", { name: "Name" }).fill("ISBN");
  await page.keyboard.press("Enter");
  await page.locator('[data-cell="0:1"]', { hasText: "ISBN" }).waitFor();
  const read = async () => (await act("model/entity_attribute_get", attribute)).name;
  await expect.poll(read).toBe("ISBN");

  await cell.dblclick();
  await page.getByRole("textbox", { name: "Name" }).fill("ISBN-13");
  await act("model/entity_attribute_update_name", { ...attribute, value: "Number" });
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "Somebody else changed this to “Number”." }).waitFor();
  await expect.poll(read).toBe("Number");
  await page.keyboard.press("Enter");
  await expect.poll(read).toBe("ISBN-13");
});

test("the slower of two users who set the constraints of an attribute has to decide", async () => {
  const modelRef = await makeLibrary(application, "values");
  const attribute = { modelRef, entityRef: "key:book", attributeRef: "key:pages" };
  const page = await application.open(`/models/${modelRef}/entities/key:book/attributes/key:pages`);
  await page.getByRole("button", { name: "Edit constraints" }).click();
  await page.getByLabel("Add a constraint").first().fill("minimum");
  await page.getByRole("option", { name: "Smallest number (minimum)" }).click();
  await page.getByRole("textbox", { name: "Smallest number" }).fill("1");
  await act("model/entity_attribute_update_constraints", { ...attribute, value: { maximum: 9 } });
  application.expectComplaint(/^answer: 412 POST \/api\/model\/entity_attribute_update_constraints$/);
  await page.getByRole("button", { name: "Save constraints" }).click();
  const dialog = page.getByRole("dialog", { name: "Constraints" });
  await dialog.getByText('"maximum": 9').waitFor();
  await dialog.getByRole("button", { name: "Keep theirs" }).click();
  await page.getByText("Largest number").waitFor();
  const kept = async () => (await act("model/entity_attribute_get", attribute)).constraints;
  await expect.poll(kept).toEqual({ maximum: 9 });
});

test("a user with read permission sees everything and no control to change it", async () => {
  const modelRef = await makeLibrary(application, "readers");
  await act("model/entity_create", { modelRef, entityKey: "copy" });
  const copy = { roleAKey: "copy", roleAEntityRef: "key:copy", roleACardinality: "many" };
  await relate(application, modelRef, "copy_of", { ...copy, roleBKey: "book", roleBCardinality: "one" });
  await act("tag/tag_local_create", { modelRef, key: "draft" });
  await act("model/entity_add_tag", { modelRef, entityRef: "key:book", tagRef: "key:draft" });
  const token = await createReader(application);
  for (const path of [
    ...[`/models/${modelRef}`, `/models/${modelRef}/entities/key:book?attribute=isbn`],
    `/models/${modelRef}/entities/key:book?tab=keys`,
    `/models/${modelRef}/entities/key:book?tab=relationships`,
    `/models/${modelRef}/entities/key:book?tab=properties`,
    `/models/${modelRef}/entities/key:book/attributes/key:isbn`,
    `/models/${modelRef}/relationships/key:copy_of`,
    ...[`/models/${modelRef}/relationships/key:copy_of?tab=attributes`, `/models/${modelRef}/types/key:string`],
    ...[`/models/${modelRef}/tags?tag=draft`, "/tags"],
  ]) {
    const page = await application.open(path, { token });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await visitsOf(page).settled();
    const changing = page
      .getByRole("main")
      .getByRole("button", { name: /^(Add|Edit|Delete|Move|Take|Paste|Remove|Create|More actions|Entity in role)/ });
    await expect.poll(() => changing.allInnerTexts(), { message: path }).toEqual([]);
    if (path.includes("entities/key:book?attribute")) {
      await page.locator('[data-cell="0:1"]').dblclick();
      await expect.poll(() => page.getByRole("main").getByRole("textbox").count()).toBe(0);
    }
    await page.close();
  }
});
