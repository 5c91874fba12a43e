import { appendFile, cp, readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBrowser } from "../installed/support/browser.ts";
import { type LocalProcess, startProcess } from "../support/local-process.ts";
import { createFolder } from "../support/temporary-folder.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDERS = ["client", "examples", "functions", "local", "packaging", "shared", "ui"];
const PARTS = [...FOLDERS, "package.json", "package-lock.json", "tsconfig.json"];

const copy = createFolder();
let browser: Browser;
let service: LocalProcess | undefined;

beforeAll(async () => {
  for (const part of PARTS) await cp(join(ROOT, part), join(copy, part), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  browser = await startBrowser();
});

afterAll(async () => {
  await browser.close();
  await service?.interrupt();
});

const start = async (): Promise<LocalProcess> => {
  await service?.interrupt();
  service = await startProcess(join(copy, "data"), { METACTION_UI: "on" }, copy);
  return service;
};

const stamp = async (): Promise<number> => (await stat(join(copy, "dist/ui/index.html"))).mtimeMs;

test("a first start answers the API at once, shows the running build, and then loads the application", async () => {
  const { url } = await start();
  expect((await fetch(`${url}/health`)).status).toBe(200);
  const page = await browser.newPage();
  const first = await page.goto(`${url}/models`);
  expect(first?.status()).toBe(503);
  expect(await first?.text()).toContain("<h1>Building the web application</h1>");
  expect((await fetch(`${url}/api/config/sign_in_options`)).status).toBe(200);
  await page.locator("#app > *").first().waitFor({ state: "attached", timeout: 120_000 });
  await expect.poll(() => new URL(page.url()).pathname).not.toBe("/");
  await page.close();
}, 180_000);

test("a second start serves the same build at once", async () => {
  const before = await stamp();
  const { url } = await start();
  const page = await fetch(url);
  expect([page.status, await page.text()]).toEqual([200, await readFile(join(copy, "dist/ui/index.html"), "utf8")]);
  expect(await stamp()).toBe(before);
});

test("a source that does not build is reported, on the page too, and the API continues", async () => {
  await appendFile(join(copy, "ui/main.tsx"), "\nthis is no program");
  const { url, said } = await start();
  await expect.poll(said, { timeout: 120_000, interval: 200 }).toContain("The web application could not be built");
  expect(said()).toContain("main.tsx");
  const page = await fetch(url);
  expect([page.status, await page.text()]).toEqual([503, expect.stringContaining("could not be built")]);
  expect((await fetch(`${url}/api`)).status).toBe(200);
}, 180_000);

test("stopping during a build ends the build, and leaves nothing incomplete", async () => {
  await appendFile(join(copy, "ui/main.tsx"), " either");
  const { url } = await start();
  expect((await fetch(url)).status).toBe(503);
  await service?.interrupt();
  service = undefined;
  expect((await readdir(join(copy, "dist"))).filter((name) => name.startsWith("ui"))).toEqual(["ui"]);
});
