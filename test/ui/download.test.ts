import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { EXPORT_FORMAT_NAMES } from "../../shared/domain/values/export-formats.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { DESKTOP, PHONE, useApplication } from "./support/application.ts";
import { importLibrary } from "./support/library.ts";

const application = useApplication();
const { act } = application;
const modelRef = "key:library";

beforeAll(async () => {
  await importLibrary(application, "library");
  await act("model/entity_update_key", { modelRef, entityRef: "key:loan", value: "lending" });
});

/** The name and the text of the file that a page downloads when something is done. */
async function downloadedBy(page: Page, step: () => Promise<void>): Promise<readonly [string, string]> {
  const [download] = await Promise.all([page.waitForEvent("download"), step()]);
  return [download.suggestedFilename(), await readFile(await download.path(), "utf8")];
}

test("a model is downloaded in a described format, by keyboard only, and members that the file omits are listed", async () => {
  const page = await application.open("/models/key:library", { acceptDownloads: true });
  await page.getByRole("button", { name: "Download as…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Download model" });
  await dialog.getByRole("radio", { name: "dbml" }).waitFor();
  const radios = dialog.getByRole("radio");
  const offered = async () => Promise.all((await radios.all()).map((radio) => radio.getAttribute("value")));
  await expect.poll(offered).toEqual(["metaction", ...EXPORT_FORMAT_NAMES]);
  await dialog.getByText("a DBML text").waitFor();
  await dialog.getByRole("radio", { name: "avro" }).focus();
  await page.keyboard.press("Space");
  const [name, text] = await downloadedBy(page, () => page.keyboard.press("Enter"));
  const expected = await act("model/model_export_as", { modelRef, format: "avro" });
  expect([name, text]).toEqual([expected.fileName, expected.content]);
  await dialog.getByText(`${expected.fileName} is downloaded`).waitFor();
  expect(expected.warnings.length).toBeGreaterThan(0);
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Close");
  const closed = dialog.locator("details:not([open]) > summary");
  // From the last on, since those that are open are no longer among them.
  for (const summary of (await closed.all()).reverse()) await summary.press("Enter");
  for (const { detail } of expected.warnings) await dialog.getByText(detail).waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().press("Enter");
  await dialog.waitFor({ state: "detached" });
});

test("a released state is downloaded as the model's own document, which import takes", async () => {
  const page = await application.open("/models/key:library", { acceptDownloads: true });
  await page.getByRole("button", { name: "Download as…" }).click();
  const dialog = page.getByRole("dialog", { name: "Download model" });
  await dialog.getByRole("combobox", { name: "State" }).selectOption("1.2.0");
  await dialog.getByRole("radio", { name: "metaction" }).click();
  const [name, text] = await downloadedBy(page, () => dialog.getByRole("button", { name: "Download" }).click());
  expect(name).toBe("library.json");
  expect(JSON.parse(text)).toEqual(await act("model/model_export", { modelRef, version: "1.2.0" }));
  await dialog.getByText("The file contains the whole model; no warnings.").waitFor();
  await dialog.getByRole("button", { name: "Another format" }).click();
  await dialog.getByRole("radio", { name: "metaction" }).waitFor();
});

test("a difference is downloaded as a migration and as a report", async () => {
  const page = await application.open("/compare", { acceptDownloads: true });
  await page.getByRole("heading", { name: "Compare two states" }).waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Download as…" }).count()).toBe(0);
  await page.goto(`${application.service.url}/compare?left=${modelRef}&leftAt=1.2.0&right=${modelRef}`);
  await page.getByRole("button", { name: "Download as…" }).click();
  const dialog = page.getByRole("dialog", { name: "Download difference" });
  const sides = { leftModelRef: modelRef, leftModelVersion: "1.2.0", rightModelRef: modelRef };
  for (const format of ["postgresql", "markdown"]) {
    await dialog.getByRole("radio", { name: format }).click();
    const file = await downloadedBy(page, () => dialog.getByRole("button", { name: "Download" }).click());
    const { fileName, content } = await act("model/model_compare_as", { ...sides, format });
    expect(file).toEqual([fileName, content]);
    await dialog.getByRole("button", { name: "Another format" }).click();
  }
});

test("a refused download is reported, and another can be requested", async () => {
  await act("model/model_create", { key: "leaving", name: "Leaving" });
  application.expectComplaint(/^answer: 404 POST \/api\/model\//);
  const page = await application.open("/models/key:leaving");
  await page.getByRole("button", { name: "Download as…" }).click();
  const dialog = page.getByRole("dialog", { name: "Download model" });
  await dialog.getByRole("radio", { name: "dbml" }).click();
  await act("model/model_delete", { modelRef: "key:leaving" });
  await dialog.getByRole("button", { name: "Download" }).click();
  await dialog.getByRole("alert").getByText("Not found").waitFor();
});

test.each([
  ["light", DESKTOP, "fr-FR", "Télécharger en…"],
  ["dark", PHONE, "en-GB", "Download as…"],
] as const)("the dialog is accessible: %s, %o, %s", async (colorScheme, viewport, locale, name) => {
  const page = await application.open("/models/key:library", { colorScheme, viewport, locale, acceptDownloads: true });
  await page.getByRole("button", { name }).click();
  await page.getByRole("radio", { name: "postgresql" }).click();
  await expectAccessible(page);
  await downloadedBy(page, () => page.getByRole("dialog").locator("[type=submit]").click());
  await page.getByRole("status").last().waitFor();
  await expectAccessible(page);
});
