import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { useApplication } from "./support/application.ts";

import { LONG } from "./support/patience.ts";

const application = useApplication();
const { act } = application;
/** What the service may take for a job of that size on a busy machine. */
const JOB = { timeout: 120_000 };
const FIELDS = 200;
/** Tables of so many fields that writing the model takes longer than a call has. */
const TABLES = Math.ceil(((LIMITS.callStagingMs / 1_000) * LIMITS.partitionUnits) / FIELDS) + 1;

const fields = Array.from({ length: FIELDS }, (_, at) => ({ name: `field_${at}`, type: "string" }));
/** A data package of more objects than one call writes, with names and members that the import warns of. */
const SOURCE = {
  name: "warehouse",
  title: "Warehouse",
  version: "1.0.0",
  resources: Array.from({ length: TABLES }, (_, at) => ({
    name: `table_${at}`,
    path: `table_${at}.csv`,
    schema: { fields: at === 0 ? [{ name: "código", type: "string" }, { name: "b", titel: "x" }, ...fields] : fields },
  })),
};

const row = (page: Page, action: string) => page.getByRole("row", { name: new RegExp(action) });

test(
  "an import too large for a call continues as a job: with its progress, to its report, and on the page of jobs",
  LONG,
  async () => {
    const page = await application.open("/models?do=import");
    const dialog = page.getByRole("dialog", { name: "Import" });
    await dialog.locator("input[type=file]").setInputFiles({
      name: "warehouse.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(SOURCE)),
    });
    await dialog.getByText("warehouse.json").waitFor();
    const accepted = page.waitForResponse((answer) => answer.url().endsWith("/api/model/import"));
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    const answer = await accepted;
    expect(answer.status()).toBe(202);
    await dialog.getByText(/^\d[\d,]* of \d[\d,]* objects written$/).waitFor(JOB);
    await expectAccessible(page);
    const jobs = await application.open("/jobs", { beside: page });
    await row(jobs, "model/import").waitFor();

    await dialog.getByText("The model warehouse is imported").waitFor(JOB);
    const count = (TABLES * FIELDS + 2).toLocaleString("en-GB");
    await dialog.locator("dl").getByText(count).waitFor();
    await dialog.getByText("Likely misspelt").waitFor();
    await dialog.getByText("Names converted to keys").click();
    await dialog.getByText(/is not a valid key, so it became "codigo"/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Open the model" }).click();
    await page.getByRole("heading", { level: 1, name: /Warehouse/ }).waitFor();

    // The other page followed it without being asked.
    await row(jobs, "model/import").getByText("Done", { exact: true }).waitFor(JOB);
    await row(jobs, "model/import").getByRole("button", { name: "Details" }).click();
    await jobs
      .getByRole("complementary")
      .getByText(/likely_typo/)
      .waitFor();
    await expectAccessible(jobs);
  },
);

test("a restore too large for a call continues as a job, and the model is restored", LONG, async () => {
  const modelRef = "key:warehouse";
  await act("model/entity_delete", { modelRef, entityRef: "key:table_1" });
  const page = await application.open("/models/key:warehouse/history?version=1.0.0");
  await page.getByRole("button", { name: "Restore 1.0.0…" }).click(JOB);
  const dialog = page.getByRole("dialog", { name: "Restore version 1.0.0" });
  await dialog.getByRole("region", { name: "Planned changes" }).getByText("table_1").first().waitFor(JOB);
  const accepted = page.waitForResponse(
    (answer) =>
      answer.url().endsWith("/api/model/model_restore") && answer.request().headers()["dry-run"] === undefined,
    JOB,
  );
  await dialog.getByRole("button", { name: "Restore version 1.0.0" }).click();
  const answer = await accepted;
  expect(answer.status()).toBe(202);
  await dialog.getByRole("progressbar").waitFor();
  await dialog.waitFor({ state: "detached", ...JOB });
  const { key } = await act("model/entity_get", { modelRef, entityRef: "key:table_1" });
  expect(key).toBe("table_1");
  const jobs = await application.open("/jobs", { beside: page });
  await row(jobs, "model/model_restore").getByText("Done", { exact: true }).waitFor();
});
