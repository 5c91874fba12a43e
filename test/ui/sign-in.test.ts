import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ADMINISTRATOR } from "../support/local-process.ts";
import { useApplication } from "./support/application.ts";

const application = useApplication();

async function signIn(page: Page, password: string) {
  await page.getByLabel("Username").fill(ADMINISTRATOR.username);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("a wrong password is reported at the form, the right one continues to the requested page", async () => {
  application.expectComplaint(/^answer: 401 POST \/api\/auth\/login$/);
  const page = await application.open("/models?q=crm&sort=-name", { token: null });
  await page.waitForURL(/\/sign-in\?to=/);
  await signIn(page, "wrong");
  await page.getByRole("alert").waitFor();
  await signIn(page, ADMINISTRATOR.password);
  await page.waitForURL(/\/models\?q=crm&sort=-name$/);
});

test("a session ends with the page unless it is kept for the tab, and sign-out deletes it", async () => {
  const page = await application.open("/sign-in", { token: null });
  await signIn(page, ADMINISTRATOR.password);
  await page.getByRole("heading", { name: "No models yet" }).waitFor();
  await page.reload();
  await page.waitForURL(/\/sign-in/);

  await page.getByLabel("Stay signed in").check();
  await signIn(page, ADMINISTRATOR.password);
  await page.getByRole("heading", { name: "No models yet" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "No models yet" }).waitFor();

  const session: { token: string } = await page.evaluate("JSON.parse(sessionStorage.getItem('metaction.session'))");
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
  const headers = { authorization: `Bearer ${session.token}` };
  await expect
    .poll(async () => (await fetch(`${application.service.url}/api/auth/whoami`, { headers })).status)
    .toBe(401);
  await expect.poll(() => page.evaluate("sessionStorage.getItem('metaction.session')")).toBeNull();
});

test("only an address of the application is a valid target", async () => {
  const page = await application.open("/sign-in?to=%2F%2Fevil.example%2F", { token: null });
  await signIn(page, ADMINISTRATOR.password);
  await page.waitForURL(/\/models$/);
});

test("an expired session requires a sign-in, and the typed text is saved with the new one", async () => {
  application.expectComplaint(/^answer: 401 POST \/api\/model\/model_update_description$/);
  await application.act("model/model_create", { key: "crm", name: "Customers" });
  const page = await application.open("/models/key:crm");
  await page.getByRole("button", { name: "Edit description" }).press("e");
  await page.getByRole("textbox", { name: "description" }).fill("Everybody who *buys*");
  // The service itself refuses the call: the token is spoilt on its way, once.
  await page.route(
    "**/api/model/model_update_description",
    (route) => route.continue({ headers: { ...route.request().headers(), authorization: "Bearer spoilt" } }),
    { times: 1 },
  );
  await page.getByRole("textbox", { name: "description" }).press("Control+Enter");
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.waitFor();
  await dialog.getByLabel("Username").fill(ADMINISTRATOR.username);
  await dialog.getByRole("textbox", { name: "Password" }).fill(ADMINISTRATOR.password);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await page.locator("em", { hasText: "buys" }).waitFor();
  await dialog.waitFor({ state: "hidden" });
  const { description } = await application.act("model/model_get", { modelRef: "key:crm" });
  expect(description).toBe("Everybody who *buys*");
});
