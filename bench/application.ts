import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { resolveInRepository } from "../packaging/web/sources.ts";
import { startBrowser } from "../test/installed/support/browser.ts";
import { becomeAdministrator, type LocalProcess, startProcess } from "../test/support/local-process.ts";

/** A service with the built web application, and a browser in which the administrator is signed in. */
export interface BenchedApplication {
  readonly service: LocalProcess;
  readonly token: string;
  /** Opens an empty page, 1280 pixels wide. */
  readonly open: () => Promise<Page>;
}

/** Builds the web application, starts a service with it for `work`, and stops it afterwards. */
export async function withApplication<T>(work: (application: BenchedApplication) => Promise<T>): Promise<T> {
  spawnSync(process.execPath, [resolveInRepository("packaging/web/build.ts")], { stdio: "inherit" });
  const folder = await mkdtemp(join(tmpdir(), "metaction-bench-"));
  const service = await startProcess(folder, { METACTION_UI: "on" });
  const browser = await startBrowser();
  try {
    const token = await becomeAdministrator(service);
    const open = async (): Promise<Page> => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      const session = JSON.stringify({ token, ends: Date.now() + 3_600_000 });
      await page.addInitScript(`sessionStorage.setItem("metaction.session", ${JSON.stringify(session)})`);
      return page;
    };
    return await work({ service, token, open });
  } finally {
    await browser.close();
    await service.interrupt();
    await rm(folder, { recursive: true, force: true });
  }
}
