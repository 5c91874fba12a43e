import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { startBrowser } from "../installed/support/browser.ts";
import { becomeAdministrator, startProcess } from "../support/local-process.ts";
import { DESKTOP, PHONE, sessionScript } from "./support/application.ts";
import { setup } from "./support/built-application.ts";
import { fillForPictures, picturedObjects, type Run, STRANGER } from "./support/pictured-service.ts";
import {
  emptyScreens,
  filledScreens,
  firstScreens,
  type Screen,
  type Screens,
  screenStates,
} from "./support/screens.ts";
import { followVisits, visitsOf } from "./support/visits.ts";

/*
 * Takes a picture of every screen in both themes, as wide as a desktop and as a phone, in English and French:
 * `node test/ui/take-screenshots.ts --into=dist/screenshots`, and `--only=diagram,long` for those whose names hold one of
 * these texts. One that cannot be taken, or that shows a page
 * wider than the window, is told at the end and does not stop the others.
 */

const { values } = parseArgs({
  options: { into: { type: "string", default: "dist/screenshots" }, only: { type: "string", default: "" } },
});
const wanted = values.only.split(",");
setup();
const service = await startProcess(undefined, { METACTION_UI: "on" });
const browser = await startBrowser();
const faults: string[] = [];
const tokens = { administrator: "", stranger: "" };
const run: Run = async (action, payload) => {
  const { status, body } = await service.call(action, payload, tokens.administrator);
  if (status !== 200) throw new Error(`${action} answered ${status}: ${JSON.stringify(body)}`);
  return body;
};

const tokenOf = ({ as }: Screen): string | undefined =>
  as === "nobody"
    ? undefined
    : as === "stranger"
      ? tokens.stranger
      : // Nobody signed it so.
        `${tokens.administrator}${as === "expired" ? "x" : ""}`;

async function take(name: string, picture: Screen, size: "desktop" | "phone", theme: "light" | "dark") {
  const locale = size === "phone" && theme === "light" ? "fr-FR" : "en-GB";
  const viewport = size === "phone" ? PHONE : DESKTOP;
  const context = await browser.newContext({ viewport, colorScheme: theme, locale, reducedMotion: "reduce" });
  try {
    const page = await context.newPage();
    followVisits(page, service.url);
    const token = tokenOf(picture);
    if (token) await page.addInitScript(sessionScript(token));
    // What is held is never answered.
    if (picture.isWaiting) await page.route(/\/api\/model\//, () => undefined);
    await page.goto(service.url + picture.path);
    if (!picture.isWaiting) await visitsOf(page).settled();
    if (!picture.isWaiting) await page.locator("h1, h2, form").locator("visible=true").first().waitFor();
    await picture.before?.(page, run);
    if (picture.isWaiting) await page.waitForTimeout(1_500);
    else await expectDrawn(page);
    const excess = await page.evaluate("document.scrollingElement.scrollWidth - innerWidth");
    if (Number(excess) > 0) faults.push(`${name}-${size}-${theme}: the page is ${excess} pixels too wide`);
    await page.screenshot({ path: join(values.into, `${name}-${size}-${theme}.png`) });
  } finally {
    await context.close();
  }
}

/** Waits until nothing is under way, and nothing stands in for what is not there yet. */
async function expectDrawn(page: Page) {
  const { settled } = visitsOf(page);
  await settled();
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  await settled();
  await page.waitForTimeout(300);
}

async function takeAll(pictures: Screens) {
  for (const [name, picture] of Object.entries(pictures)) {
    if (!wanted.some((text) => name.includes(text))) continue;
    for (const size of ["desktop", "phone"] as const) {
      for (const theme of ["light", "dark"] as const) {
        await take(name, picture, size, theme).catch((error: unknown) => {
          faults.push(`${name}-${size}-${theme}: ${String(error)}`);
        });
      }
    }
    process.stderr.write(`${name}\n`);
  }
}

try {
  await mkdir(values.into, { recursive: true });
  await takeAll(firstScreens(/http\S+(\/first-run#secret=\S+)/.exec(service.said())?.[1] ?? "/first-run"));
  tokens.administrator = await becomeAdministrator(service);
  await takeAll(emptyScreens);
  await fillForPictures(run);
  tokens.stranger = (await service.call("auth/login", STRANGER)).body.access_token;
  const objects = await picturedObjects(run);
  await takeAll({ ...filledScreens(objects), ...screenStates(objects) });
} finally {
  await browser.close();
  await service.interrupt();
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
