import { expect, test } from "vitest";
import { useApplication } from "./support/application.ts";
import { attributeKeys, makeLibrary } from "./support/library.ts";
import { drag, expectFocus, restingBox } from "./support/mouse-and-keyboard.ts";

const application = useApplication();
const { act } = application;

test("an entity is created, and gets its attributes from rows of a spreadsheet in one batch", async () => {
  const modelRef = await makeLibrary(application, "paste");
  const page = await application.open(`/models/${modelRef}`);
  await page.getByRole("button", { name: "Add entity" }).click();
  const dialog = page.getByRole("dialog", { name: "Add entity" });
  await dialog.getByLabel("Key").fill("no `key`");
  application.expectComplaint(/^answer: 400 POST \/api\/model\/entity_create$/);
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("is not a valid key").waitFor();
  await dialog.getByLabel("Key").fill("member");
  await dialog.getByLabel("Name").fill("Member");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "Member" }).waitFor();
  await expect.poll(() => page.url()).toContain("/entities/key:member");

  const before = (await act("model/model_get", { modelRef })).revision;
  await page.getByRole("button", { name: "Paste rows" }).click();
  const rows = [
    "number\tMember number\tinteger\tno\tGiven at the desk",
    "email\tE-mail\tstring\tyes",
    "price\tPrice\tdecimal\tyes",
    "\tNameless\tstring",
    "email\tAgain\tstring",
    "fee\t$5.00\tstring\tno\t$1.id",
  ];
  await page.getByLabel("Rows from a spreadsheet").fill(rows.join("\n"));
  const paste = page.getByRole("dialog", { name: "Paste rows" });
  await paste.getByText("type decimal does not exist; create it first").waitFor();
  await paste.getByText("missing key").waitFor();
  await paste.getByText("duplicate key in these rows").waitFor();
  await paste.getByText("3 rows cannot be applied and are left out").waitFor();
  await paste.getByRole("button", { name: "Apply 3 rows" }).click();
  await paste.waitFor({ state: "detached" });
  await expect.poll(() => attributeKeys(application, modelRef, "key:member")).toEqual(["number", "email", "fee"]);
  const { items } = await act("model/entity_attribute_list", { modelRef, entityRef: "key:member" });
  expect(items[0]).toMatchObject({ name: "Member number", optional: false, description: "Given at the desk" });
  expect(items[2]).toMatchObject({ name: "$5.00", description: "$1.id" });
  // One batch is one revision.
  await expect.poll(async () => (await act("model/model_get", { modelRef })).revision).toBe(before + 1);

  await page.getByRole("button", { name: "Paste rows" }).click();
  await page.getByLabel("Rows from a spreadsheet").fill("Key\tName\tOptional\nnumber\tNumber\tyes\nemail\tE-mail\tyes");
  await paste.getByText("changes Name and Optional").waitFor();
  await paste.getByRole("button", { name: "Apply 1 row" }).click();
  await paste.waitFor({ state: "detached" });
  const { items: after } = await act("model/entity_attribute_list", { modelRef, entityRef: "key:member" });
  expect(after[0]).toMatchObject({ key: "number", name: "Number", optional: true, description: "Given at the desk" });
});

test("cells are edited and rows are moved by keyboard only", async () => {
  const modelRef = await makeLibrary(application, "keyboard");
  const page = await application.open(`/models/${modelRef}/entities/key:book`);
  const cell = (row: number, column: number) => page.locator(`[data-cell="${row}:${column}"]`);
  await cell(0, 0).waitFor();
  await cell(0, 0).focus();
  await page.keyboard.press("ArrowRight");
  await expectFocus(cell(0, 1));
  await page.keyboard.type("ISBN");
  await page.keyboard.press("Enter");
  await page.locator('[data-cell="1:1"]:focus').waitFor();
  await page.keyboard.type("Title");
  await page.keyboard.press("Tab");
  await page.locator('[data-cell="1:2"]:focus').waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Type" }).selectOption("integer");
  await page.keyboard.press("Enter");
  await page.locator('[data-cell="2:2"]:focus').waitFor();
  await page.keyboard.press("Home");
  await page.locator('[data-cell="2:0"]:focus').waitFor();
  application.expectComplaint(/^answer: 409 POST \/api\/model\/entity_attribute_update_key$/);
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "Key" }).fill("isbn");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "isbn" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator('[data-cell="2:0"]:focus').waitFor();
  await page.keyboard.press("Alt+ArrowUp");
  await page.getByText("pages is now number 2 of 3").waitFor({ state: "attached" });
  await page.locator('[data-cell="1:0"]:focus').waitFor();
  const { items } = await act("model/entity_attribute_list", { modelRef, entityRef: "key:book", expand: "keys" });
  expect(items.map(({ key, name, typeByKey }: Record<string, string>) => [key, name, typeByKey])).toEqual([
    ["isbn", "ISBN", "key:string"],
    ["pages", undefined, "key:integer"],
    ["title", "Title", "key:integer"],
  ]);
});

test("a row is moved by its handle", async () => {
  const modelRef = await makeLibrary(application, "drag");
  const page = await application.open(`/models/${modelRef}/entities/key:book`);
  const handle = page.getByTitle("Drag to move isbn");
  const last = await restingBox(page.locator('[data-cell="2:0"]'));
  await drag(handle, { x: 4, y: 4 }, () => ({ x: last.x + 60, y: last.y + last.height / 2 }));
  await page.getByText("isbn is now number 3 of 3").waitFor({ state: "attached" });
  await expect.poll(() => attributeKeys(application, modelRef, "key:book")).toEqual(["title", "pages", "isbn"]);
});

test("constraints are edited with their faults at their fields, and tags are added", async () => {
  const modelRef = await makeLibrary(application, "constraints");
  const page = await application.open(`/models/${modelRef}/entities/key:book?attribute=pages`);
  const panel = page.getByRole("complementary", { name: "pages" });
  await panel.getByRole("button", { name: "Edit constraints" }).click();
  const add = async (name: string) => {
    await panel.getByLabel("Add a constraint").first().fill(name);
    await page.getByRole("option", { name: `(${name})` }).click();
  };
  await add("minimum");
  await panel.getByRole("textbox", { name: "Smallest number" }).fill("10");
  await add("maximum");
  await panel.getByRole("textbox", { name: "Largest number" }).fill("1");
  application.expectComplaint(/^answer: 400 POST \/api\/model\/entity_attribute_update_constraints$/);
  await panel.getByRole("button", { name: "Save constraints" }).click();
  const inForm = panel.locator("form").getByText(/minimum|maximum/);
  await inForm.nth(2).waitFor();
  await panel.getByRole("textbox", { name: "Largest number" }).fill("10000");
  await add("examples");
  await panel.getByRole("textbox", { name: "Examples" }).fill('12\n"12"\nabout 12\n[1, 2]');
  await panel.getByRole("button", { name: "Save constraints" }).click();
  await panel.getByRole("button", { name: "Edit constraints" }).waitFor();
  const read = { modelRef, entityRef: "key:book", attributeRef: "key:pages" };
  const { constraints } = await act("model/entity_attribute_get", read);
  expect(constraints).toEqual({ minimum: 10, maximum: 10_000, examples: [12, "12", "about 12", [1, 2]] });
  await page.getByText("10 … 10000").waitFor();

  await panel.getByRole("button", { name: "Add a tag" }).click();
  await page.getByPlaceholder("Search tags").locator("visible=true").fill("reviewed");
  await page.getByRole("option", { name: "Create the local tag “reviewed”" }).click();
  await panel.getByRole("button", { name: "Remove the tag reviewed" }).waitFor();
  const { tags } = await act("model/entity_attribute_get", read);
  expect(tags).toMatchObject([{ key: "reviewed" }]);
});

test("the primary key is set in order, and deleting an entity lists what is deleted with it", async () => {
  const modelRef = await makeLibrary(application, "deletes");
  const page = await application.open(`/models/${modelRef}/entities/key:book?tab=keys`);
  for (const key of ["title", "isbn"]) {
    await page.getByLabel("Add attribute to Primary key").first().click();
    await page.getByRole("option", { name: key, exact: true }).click();
    await page.getByRole("button", { name: `Move ${key} up` }).waitFor();
  }
  await page.getByRole("button", { name: "Move isbn up" }).click();
  await page.getByRole("list", { name: "Primary key" }).getByRole("listitem").first().getByText("isbn").waitFor();
  const read = () => act("model/entity_get", { modelRef, entityRef: "key:book", expand: "keys" });
  await expect.poll(async () => (await read()).primaryKeyByKey).toEqual(["key:isbn", "key:title"]);

  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Delete entity book" });
  await dialog.getByRole("listitem").filter({ hasText: "pages" }).waitFor();
  await dialog.getByRole("button", { name: "Delete entity book and 3 attributes" }).click();
  await page.getByText("No entities yet").waitFor();
  const { items } = await act("model/entity_list", { modelRef });
  expect(items).toEqual([]);
});

test("selected attributes are deleted as one", async () => {
  const modelRef = await makeLibrary(application, "chosen");
  const page = await application.open(`/models/${modelRef}/entities/key:book`);
  await page.getByRole("checkbox", { name: "Select title" }).click();
  await page.getByRole("checkbox", { name: "Select pages" }).click();
  await page.getByRole("button", { name: "Delete 2 attributes" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete 2 attributes", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => attributeKeys(application, modelRef, "key:book")).toEqual(["isbn"]);
});

test("a field for a ref accepts complete refs only", async () => {
  const modelRef = await makeLibrary(application, "refs");
  const page = await application.open(`/models/${modelRef}/entities/key:book`);
  await page.getByRole("button", { name: "Add attribute" }).first().click();
  const type = page.getByRole("dialog").getByLabel("Type");
  for (const [typed, taken] of [
    ["key:money", "key:money"],
    ["id:0199", "key:money"],
    ["key:", "key:money"],
    ["integer", "key:money"],
    ["key:integer", "integer"],
  ] as const) {
    await type.fill(typed);
    await type.press("Tab");
    await expect.poll(() => type.inputValue()).toBe(taken);
  }
});
