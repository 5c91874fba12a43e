import type { Page, Request } from "playwright-core";
import { collectViolations, type PolicyViolation } from "./policy-violations.ts";

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
  const isOurs = (url: string): boolean => URL.parse(url)?.origin === origin;
  /** True for a request to the service, and for one that a page of its own made. */
  const concernsUs = (request: Request): boolean =>
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
  return () => [...lines, ...violations.filter(({ document }) => isOurs(document)).map(told)];
}

function told({ directive, blocked, place }: PolicyViolation): string {
  return `policy: ${directive} forbids ${blocked} at ${place}`;
}
