import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startBrowser } from "../installed/support/browser.ts";
import { becomeAdministrator, startProcess } from "../support/local-process.ts";
import { DESKTOP, PHONE, sessionScript } from "./support/application.ts";
import { setup } from "./support/built-application.ts";
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
  const { entityKey, attributeKey, relationshipKey, typeKey } = await picturedObjects(service, token);
  const model = "/models/key:library";
  const entity = `${model}/entities/key:${entityKey}`;
  const screens: Readonly<Record<string, string>> = {
    models: "/models",
    model,
    entity,
    attribute: `${entity}/attributes/key:${attributeKey}`,
    relationship: `${model}/relationships/key:${encodeURIComponent(relationshipKey)}`,
    type: `${model}/types/key:${typeKey}`,
    diagram: `${model}/diagram`,
    history: `${model}/history`,
    compare: "/compare?left=key:library&leftAt=2.0.0&right=key:library",
    search: "/search?q=name",
    actions: "/actions",
    action: "/actions/model/entity_create",
    batch: "/batch",
    jobs: "/jobs",
    people: "/administration/people",
    roles: "/administration/roles",
    tokens: "/administration/tokens",
    properties: "/administration/properties",
    issuers: "/administration/issuers",
    audit: "/administration/audit",
  };
  await mkdir(values.into, { recursive: true });
  for (const [name, path] of Object.entries(screens).filter(([name]) => name.includes(values.only))) {
    for (const [size, viewport] of [
      ["desktop", DESKTOP],
      ["phone", PHONE],
    ] as const) {
      for (const colorScheme of ["light", "dark"] as const) {
        const locale = size === "phone" && colorScheme === "light" ? "fr-FR" : "en-GB";
        const context = await browser.newContext({ viewport, colorScheme, locale, reducedMotion: "reduce" });
        const page = await context.newPage();
        await page.addInitScript(sessionScript(token));
        await page.goto(service.url + path, { waitUntil: "networkidle" });
        await page.waitForTimeout(name === "diagram" ? 2_500 : 400);
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
