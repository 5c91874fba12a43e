import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useApplication } from "./support/application.ts";

const application = useApplication({ isFirstRun: true });

const PASSWORD = "Violet-Harbor-7-Lantern";

function printedLink(): string {
  const link = /http\S+(?<path>\/first-run#secret=\S+)/.exec(application.service.said());
  return link?.groups?.path ?? "no link was printed";
}

async function fill(page: Page, password: string) {
  await page.getByLabel("Full name").fill("Ada Lovelace");
  await page.getByLabel("Username").fill("ada");
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Create administrator" }).click();
}

test("from the printed link to the example in one go, without the terminal", async () => {
  application.expectComplaint(/^answer: 400 POST \/api\/auth\/admin_bootstrap$/);
  const page = await application.open(printedLink(), { token: null });
  await page.waitForURL(/\/first-run$/);
  await expect.poll(() => page.evaluate("location.hash")).toBe("");

  await fill(page, "short");
  await page.getByText("at least 14").last().waitFor();
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create administrator" }).click();

  await page.getByRole("heading", { name: "No models yet" }).waitFor();
  const ways = page.getByRole("button", { name: /^(Import|Start from the example|New model)$/ });
  await expect.poll(() => ways.count()).toBe(3);
  await page.getByRole("button", { name: "Start from the example" }).click();
  await page.waitForURL(/\/models\/key:library$/);
  await page.getByRole("heading", { level: 1, name: /City library/ }).waitFor();
  await page.getByRole("gridcell", { name: /Book/ }).first().waitFor();
});

test("a used link is reported, and the sign-in page no longer offers it", async () => {
  application.expectComplaint(/^answer: 410 POST \/api\/auth\/admin_bootstrap$/);
  const page = await application.open(printedLink(), { token: null });
  await fill(page, PASSWORD);
  await page.getByRole("alert").getByText("Bootstrap already used").waitFor();

  const signIn = await application.open("/sign-in", { token: null });
  await signIn.getByRole("button", { name: "Sign in" }).waitFor();
  await expect.poll(() => signIn.getByText("This instance is new").count()).toBe(0);
});
