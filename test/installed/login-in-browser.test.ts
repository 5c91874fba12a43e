import { expect, test } from "vitest";
import { API, CLI, useCertifiedProvider } from "../cli/support/certified-provider.ts";
import { commandLine } from "../cli/support/command.ts";
import { startBrowser } from "./support/browser.ts";

const here = useCertifiedProvider();

async function signIn(address: string): Promise<string> {
  await using browser = await startBrowser();
  const page = await browser.newPage();
  await page.goto(address);
  await page.fill("input[name=login]", "grace@example.org");
  await page.fill("input[name=password]", "any");
  await page.click("button[type=submit]");
  await page.click("text=Continue");
  await page.waitForURL(/^http:\/\/localhost:\d+\/callback/);
  return (await page.textContent("body")) ?? "";
}

test("a person signs in on the provider's pages in a browser, and returns to the terminal", async () => {
  const user = await commandLine(here.url);
  const pages: Promise<string>[] = [];
  const login = ["login", `--issuer=${here.issuer}`, `--client-id=${CLI}`, "--port=0", `--resource=${API}`];
  const ended = await user.run(login, {
    visit: /^http\S+\/auth\?\S+$/m,
    visitor: (address) => pages.push(signIn(address)),
  });
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining("Signed in to") });
  expect(await Promise.all(pages)).toEqual(["You can close this page and go back to the terminal.\n"]);
  const { stdout } = await user.run(["whoami"]);
  expect(JSON.parse(stdout)).toMatchObject({ issuer: here.issuer, sub: "grace@example.org", admin: false });
});
