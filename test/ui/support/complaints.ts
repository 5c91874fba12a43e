import type { Page, Request } from "playwright-core";

/** The complaints of a page, one line each, in the order they came. */
export type Complaints = () => readonly string[];

/**
 * Collects what goes wrong in a page under an origin: errors on its console, exceptions that nobody caught, requests that
 * failed or were answered with an error, violations of its policy. Requests that the page itself gave up are none, nor is
 * anything on pages of others.
 */
export async function collectComplaints(page: Page, origin: string): Promise<Complaints> {
  const lines: string[] = [];
  const violations = await collectViolations(page);
  const isOurs = (url: string) => URL.parse(url)?.origin === origin;
  /** True for a request to the service, and for one that a page of its own made. */
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
    // What the policy forbade is told by its violation.
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

/** Console line about a violation of a Content-Security-Policy, and the address of the document. */
type PolicyViolation = Readonly<Record<"line" | "document", string>>;

/** The name of the function by which a page tells of its violations. */
const TELL = "tellOfViolation";

/** Runs in each document before its own scripts do. */
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
