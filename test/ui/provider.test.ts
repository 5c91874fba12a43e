import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { API, startCertifiedProvider, WEB, writeIssuers } from "../cli/support/certified-provider.ts";
import { serve } from "../formats/source-server.ts";
import { useApplication } from "./support/application.ts";

// The provider has to know the address of the application before that starts.
const { port, close } = await serve(() => undefined);
await close();
const provider = await startCertifiedProvider(`http://127.0.0.1:${port}/sign-in`);
const issuers = await writeIssuers({
  ...{ issuer: provider.issuer, audiences: [API], clientIds: [WEB] },
  signIn: { clientId: WEB, label: "Acme", scopes: ["openid", "metadata"], resource: API },
});
const application = useApplication({ environment: { PORT: String(port), METACTION_ISSUERS: issuers } });
afterAll(() => provider.close());

async function signInAtProvider(page: Page, name: string) {
  await page.fill("input[name=login]", name);
  await page.fill("input[name=password]", "any");
  await page.click("button[type=submit]");
  await page.click("text=Continue");
}

async function give(sub: string, role: string) {
  const { items } = await application.act("auth/actor_list");
  const actor = items.find((one: { subject: string }) => one.subject === sub);
  await application.act("auth/actor_add_role", { actorId: actor.id, roleRef: `key:${role}` });
}

test("a user signs in at a certified provider with PKCE, and returns to the requested page", async () => {
  const page = await application.open("/models?q=crm", { token: null });
  const asked = page.waitForRequest((request) => request.url().startsWith(`${provider.issuer}/auth?`));
  const listed = page.waitForResponse((response) => response.url().endsWith("/api/model/model_list"));
  const exchanged = page.waitForRequest((request) => request.url() === `${provider.issuer}/token`);
  await page.getByRole("button", { name: "Sign in with Acme" }).click();
  const { searchParams } = new URL((await asked).url());
  expect(Object.fromEntries(searchParams)).toMatchObject({
    client_id: WEB,
    redirect_uri: `${application.service.url}/sign-in`,
    response_type: "code",
    code_challenge_method: "S256",
    resource: API,
  });
  await signInAtProvider(page, "grace@example.org");
  const sent = new URLSearchParams((await exchanged).postData() ?? "");
  expect(sent.get("code_verifier")?.length).toBeGreaterThan(42);
  expect(sent.has("client_secret")).toBe(false);
  // Whoever is new has no rights yet, and the page says so.
  application.expectComplaint(/^answer: 403 POST \/api\/model\/model_list$/);
  await page.waitForURL(/\/models\?q=crm$/);
  const refused = await listed;
  expect(refused.status()).toBe(403);
  await give("grace@example.org", "reader");
});

test("neither the code nor the token stays in an address, in the history or in the tab's storage", async () => {
  const page = await application.open("/models", { token: null });
  await page.getByRole("button", { name: "Sign in with Acme" }).click();
  await signInAtProvider(page, "grace@example.org");
  await page.waitForURL(/\/models$/);
  await page.getByRole("heading", { name: "Models", exact: true }).waitFor();
  await expect.poll(() => page.url()).not.toContain("code=");
  const kept = (await page.evaluate("JSON.stringify([{ ...sessionStorage }, { ...localStorage }])")) as string;
  expect(kept).not.toContain("eyJ");
  expect(kept).not.toContain("verifier");
  await page.goBack();
  await expect.poll(() => page.url()).not.toContain("code=");
});

test("an unsolicited answer signs nobody in", async () => {
  const answer = `code=stolen&state=guessed&iss=${encodeURIComponent(provider.issuer)}`;
  const page = await application.open(`/sign-in?${answer}`, { token: null });
  await page
    .getByRole("alert")
    .getByText(/Sign-in was not started in this tab\. Sign in again\./)
    .waitFor();
});

test("a refusal at the provider is reported, and can be retried", async () => {
  const page = await application.open("/models", { token: null });
  await page.getByRole("button", { name: "Sign in with Acme" }).click();
  await page.click("text=Cancel");
  await page.getByRole("alert").waitFor();
  await page.getByRole("button", { name: "Sign in with Acme" }).waitFor();
});
