import type { Page } from "playwright-core";

/** Goes through the screens of a page that is open, as links do. */
export interface Visits {
  /** Goes to an address within the application and waits until all that it asked for was answered and drawn. */
  readonly go: (path: string) => Promise<void>;
  /** Waits until all that was asked for was answered and drawn. */
  readonly settled: () => Promise<void>;
  /** The requests to other origins so far. */
  readonly foreign: () => readonly string[];
  /** The number of files that scripts and styles were loaded from so far. */
  readonly loaded: () => number;
}

/** Two frames later, what was answered is drawn. */
const DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))";

/** Follows the requests of a page from now on. */
export function visitsOf(page: Page): Visits {
  let underWay = 0;
  let begun = 0;
  const foreign: string[] = [];
  const files = new Set<string>();
  const ended = (): void => void underWay--;
  const { origin } = new URL(page.url());
  page.on("request", (request) => {
    underWay++;
    begun++;
    if (["script", "stylesheet"].includes(request.resourceType())) files.add(request.url());
    const url = URL.parse(request.url());
    if (url?.origin !== origin && url?.protocol !== "data:" && url?.protocol !== "blob:") foreign.push(request.url());
  });
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  const settled = async (): Promise<void> => {
    for (;;) {
      const before = begun;
      await page.evaluate(DRAWN);
      if (underWay <= 0 && begun === before) return;
    }
  };
  return {
    go: async (path) => {
      await page.evaluate(`history.pushState({}, "", ${JSON.stringify(path)})`);
      await settled();
    },
    settled,
    foreign: () => foreign,
    loaded: () => files.size,
  };
}
