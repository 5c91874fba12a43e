import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Returns the path of the browser of this machine. */
export function findBrowser(): string | undefined {
  return PLACES.find((place) => existsSync(place));
}

/** Starts the browser of this machine, without a window; an error that says how to get one. */
export function startBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error(`no browser at ${PLACES.join(", ")}: run apt-get install chromium`);
  return chromium.launch({
    executablePath,
    // Containers that run tests have no sandbox for it, and it has nowhere to call but here.
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
  });
}
