import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { API, type CertifiedProvider, CLI, startCertifiedProvider } from "../cli/support/certified-provider.ts";
import { commandLine } from "../cli/support/command.ts";
import { type LocalProcess, startProcess } from "../support/local-process.ts";
import { startBrowser } from "./support/browser.ts";

let provider: CertifiedProvider;
let service: LocalProcess;
let browser: Browser;

beforeAll(async () => {
  provider = await startCertifiedProvider();
  const folder = await mkdtemp(join(tmpdir(), "metaction-login-"));
  const issuers = join(folder, "issuers.json");
  const { issuer } = provider;
  await writeFile(issuers, JSON.stringify({ issuers: [{ issuer, audiences: [API], clientIds: [CLI] }] }));
  service = await startProcess(folder, { METACTION_ISSUERS: issuers });
  browser = await startBrowser();
});

afterAll(async () => {
  await browser.close();
  await service.interrupt();
  provider.close();
});

/** Signs in as a person does, and answers what the last page says. */
async function signIn(address: string): Promise<string> {
  const page = await browser.newPage();
  await page.goto(address);
  await page.fill("input[name=login]", "grace@example.org");
  await page.fill("input[name=password]", "any");
  await page.click("button[type=submit]");
  await page.click("text=Continue");
  await page.waitForURL(/^http:\/\/localhost:\d+\/callback/);
  return (await page.textContent("body")) ?? "";
}

test("a person signs in on the provider's pages and returns to the terminal", async () => {
  const user = await commandLine(service.url);
  const pages: Promise<string>[] = [];
  const login = ["login", `--issuer=${provider.issuer}`, `--client-id=${CLI}`, "--port=0", `--resource=${API}`];
  const ended = await user.run(login, {
    visit: /^http\S+\/auth\?\S+$/m,
    visitor: (address) => pages.push(signIn(address)),
  });
  expect(ended.stderr).toContain("Signed in to");
  expect(ended.code).toBe(0);
  expect(await Promise.all(pages)).toEqual(["You can close this page and go back to the terminal.\n"]);
  const { stdout } = await user.run(["whoami"]);
  expect(JSON.parse(stdout)).toMatchObject({ issuer: provider.issuer, sub: "grace@example.org", admin: false });
});
