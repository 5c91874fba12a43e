import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { startBrowser } from "../../installed/support/browser.ts";
import { type Chance, countOfRun, createChance, seedOf } from "../../support/chance.ts";
import { becomeAdministrator, type Called, type LocalProcess, startProcess } from "../../support/local-process.ts";
import { ONE_WAIT } from "./patience.ts";
import { followVisits } from "./visits.ts";

/** The complaints of a page, one line each, in the order they came. */
type Complaints = () => readonly string[];

async function collectComplaints(page: Page, origin: string): Promise<Complaints> {
  const lines: string[] = [];
  const violations = await collectViolations(page);
  const isOurs = (url: string) => URL.parse(url)?.origin === origin;
  const concernsUs = (request: Request) =>
    isOurs(request.url()) || (!request.isNavigationRequest() && isOurs(request.frame().url()));
  page.on("console", (message) => {
    // The browser repeats there what is known of the answer itself.
    if (message.type() !== "error" || /^Failed to load resource/.test(message.text())) return;
    if (isOurs(page.url())) lines.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => {
    if (isOurs(page.url())) lines.push(`exception: ${error.stack ?? error.message}`);
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "failed";
    // A violation event reports what the policy forbade.
    if (reason === "net::ERR_ABORTED" || reason === "csp" || !concernsUs(request)) return;
    lines.push(`request: ${request.method()} ${request.url()} ${reason}`);
  });
  page.on("response", (response) => {
    if (response.status() < 400 || !concernsUs(response.request())) return;
    const { pathname, search } = new URL(response.url());
    lines.push(`answer: ${response.status()} ${response.request().method()} ${pathname}${search}`);
  });
  return () => [...lines, ...violations.filter(({ document }) => isOurs(document)).map(({ line }) => line)];
}

type PolicyViolation = Readonly<Record<"line" | "document", string>>;

const TELL = "tellOfViolation";

const LISTENER = `document.addEventListener("securitypolicyviolation", (event) => {
  const place = (event.sourceFile || event.documentURI) + ":" + event.lineNumber;
  const line = "policy: " + event.effectiveDirective + " forbids " + event.blockedURI + " at " + place;
  globalThis.${TELL}({ line, document: event.documentURI });
});`;

/** Collects the violations in all documents of a page, from its next navigation on; the list grows as they come. */
async function collectViolations(page: Page): Promise<readonly PolicyViolation[]> {
  const violations: PolicyViolation[] = [];
  await page.exposeFunction(TELL, (violation: PolicyViolation) => void violations.push(violation));
  await page.addInitScript(LISTENER);
  return violations;
}

/** The sizes of window at which screens are looked at. */
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** Both sizes in both themes. */
export const LOOKS = (["light", "dark"] as const).flatMap((colorScheme) => [
  { device: "desktop", colorScheme, viewport: DESKTOP },
  { device: "phone", colorScheme, viewport: PHONE },
]);

/** How a page is opened: a window of its own, in English, at desktop size, unless told otherwise. */
export interface Opening
  extends Pick<BrowserContextOptions, "viewport" | "colorScheme" | "locale" | "acceptDownloads"> {
  /** The access token with which the page is signed in; null for nobody, the administrator's where absent. */
  readonly token?: string | null;
  /** Opens the page in the window of another one, as a second tab. */
  readonly beside?: Page;
}

/** The service with the built web application, and a browser, for the tests of one file. */
export interface Application {
  readonly service: LocalProcess;
  /** The administrator's access token; empty where the instance was left without one. */
  readonly token: string;
  /** Runs an action as the administrator and returns its answer; throws where it is refused. */
  act(action: string, payload?: object): Promise<Called["body"]>;
  /** Opens a page at a path of the application and waits for its load event. */
  open(path: string, opening?: Opening): Promise<Page>;
  /** Expects a complaint such as `answer: 412 POST /api/...`; the test fails if there is none. */
  expectComplaint(pattern: RegExp): void;
}

export interface Stage {
  readonly environment?: Readonly<Record<string, string>>;
  /** True to leave the instance without an administrator. */
  readonly isFirstRun?: boolean;
}

/** The member of a tab's storage in which `ui/api/session.ts` keeps who is signed in. */
const SESSION = "metaction.session";

/** Runs service and browser during the tests of a file; a test fails after an unexpected complaint of a page. */
export function useApplication({ environment = {}, isFirstRun = false }: Stage = {}): Application {
  let service: LocalProcess | undefined;
  let browser: Browser | undefined;
  let token = "";
  const contexts = new Set<BrowserContext>();
  const complaints: Complaints[] = [];
  const expected: RegExp[] = [];
  const started = <T>(one: T | undefined): T => {
    if (one === undefined)
      throw new Error("the application is started before the first test, not while the file is read");
    return one;
  };

  beforeAll(async () => {
    service = await startProcess(undefined, { METACTION_UI: "on", ...environment });
    await untilServed(service);
    if (!isFirstRun) token = await becomeAdministrator(service);
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.interrupt();
  });
  afterEach(async () => {
    for (const context of contexts) await context.close();
    contexts.clear();
    const lines = complaints.splice(0).flatMap((told) => told());
    const patterns = expected.splice(0);
    const unexpected = lines.filter((line) => !patterns.some((pattern) => pattern.test(line)));
    expect(unexpected, unexpected.length > 0 ? refusalsIn(started(service).said()) : "").toEqual([]);
    expect(patterns.filter((pattern) => !lines.some((line) => pattern.test(line)))).toEqual([]);
  });

  return {
    get service() {
      return started(service);
    },
    get token() {
      return token;
    },
    act: async (action, payload = {}) => {
      const { status, body } = await started(service).call(action, payload, token);
      if (status !== 200) throw new Error(`${action} answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    open: async (path, { token: bearer = token, beside, ...options } = {}) => {
      const context =
        beside?.context() ??
        (await started(browser).newContext({
          locale: "en-GB",
          viewport: DESKTOP,
          reducedMotion: "reduce",
          ...options,
        }));
      context.setDefaultTimeout(ONE_WAIT);
      contexts.add(context);
      const page = await context.newPage();
      await slowDown(page);
      const { origin } = new URL(started(service).url);
      followVisits(page, origin);
      complaints.push(await collectComplaints(page, origin));
      if (bearer) await page.addInitScript(sessionScript(bearer));
      await page.goto(started(service).url + path);
      return page;
    },
    expectComplaint: (pattern) => void expected.push(pattern),
  };
}

/** How many times as slow as this machine the pages of the run are. */
const SLOWNESS = countOfRun("METACTION_UI_SLOWNESS", 1);
/** The longest that an answer is held back, in milliseconds, for each time that pages are slower. */
const LATENCY = 60;

let chance: Chance | undefined;

/** Makes a page as slow as the run asks for: its scripts and drawing, and the answers it waits for, each by another delay. */
async function slowDown(page: Page) {
  if (SLOWNESS === 1) return;
  chance ??= createChance(seedOf("slowness"));
  const drawn = chance;
  const session = await page.context().newCDPSession(page);
  const delayNext = async () => {
    const latency = drawn.below(LATENCY * SLOWNESS);
    const unlimited = { downloadThroughput: -1, uploadThroughput: -1 };
    await session.send("Network.emulateNetworkConditions", { offline: false, latency, ...unlimited });
  };
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWNESS });
  await session.send("Network.enable");
  await delayNext();
  // The page may be gone by then.
  page.on("request", () => void delayNext().catch(() => undefined));
}

/** The newest lines of a service's log that tell of a refused call, with its code. */
const refusalsIn = (log: string): string =>
  log
    .split("\n")
    .filter((line) => /"status":[45]/.test(line))
    .slice(-5)
    .join("\n");

/** Waits until the service has looked at the build and answers with it, and no longer with the page that waits. */
async function untilServed({ url }: LocalProcess) {
  for (let waited = 0; waited < ONE_WAIT; waited += 50) {
    const { status } = await fetch(url, { headers: { accept: "text/html" } });
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the service does not answer with the web application");
}

/** The script that signs a tab in, once: whoever signs out in it stays signed out. */
export function sessionScript(token: string): string {
  const session = JSON.stringify({ token, ends: expiryOf(token) });
  return `if (!sessionStorage.getItem("began")) {
    sessionStorage.setItem("began", "1");
    sessionStorage.setItem(${JSON.stringify(SESSION)}, ${JSON.stringify(session)});
  }`;
}

function expiryOf(token: string): number {
  const { exp } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8")) as { exp: number };
  return exp * 1_000;
}
