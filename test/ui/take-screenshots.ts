import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startBrowser } from "../installed/support/browser.ts";
import { becomeAdministrator, startProcess } from "../support/local-process.ts";
import { DESKTOP, PHONE, sessionScript } from "./support/application.ts";
import { setup } from "./support/built-application.ts";
import { pictures } from "./support/pictured-screens.ts";
import { fillForPictures, picturedObjects } from "./support/pictured-service.ts";

/*
 * Takes a picture of every screen in both themes, as wide as a desktop and as a phone, in English and French:
 * `node test/ui/take-screenshots.ts --into=dist/screenshots`, and `--only=diagram` for those whose names hold a text.
 */

const { values } = parseArgs({
  options: { into: { type: "string", default: "dist/screenshots" }, only: { type: "string", default: "" } },
});
setup();
const service = await startProcess(await mkdtemp(join(tmpdir(), "metaction-pictures-")), { METACTION_UI: "on" });
const browser = await startBrowser();
try {
  const token = await becomeAdministrator(service);
  await fillForPictures(service, token);
  const screens = pictures(await picturedObjects(service, token));
  await mkdir(values.into, { recursive: true });
  for (const [name, picture] of Object.entries(screens).filter(([name]) => name.includes(values.only))) {
    for (const [size, viewport] of [
      ["desktop", DESKTOP],
      ["phone", PHONE],
    ] as const) {
      for (const colorScheme of ["light", "dark"] as const) {
        const locale = size === "phone" && colorScheme === "light" ? "fr-FR" : "en-GB";
        const context = await browser.newContext({ viewport, colorScheme, locale, reducedMotion: "reduce" });
        const page = await context.newPage();
        if (!picture.isForNobody) await page.addInitScript(sessionScript(token));
        await page.goto(service.url + picture.path, { waitUntil: "networkidle" });
        await page.locator("h1, h2, form").first().waitFor();
        await picture.before?.(page);
        await page.waitForTimeout(name.includes("diagram") ? 2_500 : 400);
        await page.screenshot({ path: join(values.into, `${name}-${size}-${colorScheme}.png`) });
        await context.close();
      }
    }
    process.stderr.write(`${name}\n`);
  }
} finally {
  await browser.close();
  await service.interrupt();
}
