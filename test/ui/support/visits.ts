import type { Page, Request } from "playwright-core";
import { ONE_WAIT } from "./patience.ts";

/** Goes through the screens of a page that is open, as links do. */
export interface Visits {
  /** Goes to an address within the application and waits until all that it asked for was answered and drawn. */
  readonly go: (path: string) => Promise<void>;
  /** Waits until all that was asked for was answered and drawn. */
  readonly settled: () => Promise<void>;
  readonly foreign: () => readonly string[];
  /** The number of files that scripts and styles were loaded from so far. */
  readonly loaded: () => number;
}

const DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))";

const followed = new WeakMap<Page, Visits>();

/** The visits of a page that the application opened. */
export function visitsOf(page: Page): Visits {
  const visits = followed.get(page);
  if (!visits) throw new Error("the application did not open this page");
  return visits;
}

/** Follows the requests of a page of an origin from now on. */
export function followVisits(page: Page, origin: string): void {
  const underWay = new Set<Request>();
  let begun = 0;
  const foreign: string[] = [];
  const files = new Set<string>();
  page.on("request", (request) => {
    underWay.add(request);
    begun++;
    if (["script", "stylesheet"].includes(request.resourceType())) files.add(request.url());
    const url = URL.parse(request.url());
    if (url?.origin !== origin && url?.protocol !== "data:" && url?.protocol !== "blob:") foreign.push(request.url());
  });
  page.on("requestfinished", (request) => underWay.delete(request));
  page.on("requestfailed", (request) => underWay.delete(request));
  const settled = async () => {
    const deadline = performance.now() + ONE_WAIT;
    while (performance.now() < deadline) {
      const before = begun;
      await page.evaluate(DRAWN);
      if (underWay.size === 0 && begun === before) return;
    }
    throw new Error(`not answered: ${[...underWay].map((request) => request.url()).join(", ")}`);
  };
  followed.set(page, {
    go: async (path) => {
      await page.evaluate(`history.pushState({}, "", ${JSON.stringify(path)})`);
      await settled();
    },
    settled,
    foreign: () => foreign,
    loaded: () => files.size,
  });
}
