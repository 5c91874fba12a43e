import type { Page } from "playwright-core";

/** A violation of a page's Content-Security-Policy. */
export interface PolicyViolation {
  /** The directive that forbade it, such as `script-src-elem`. */
  readonly directive: string;
  /** What was not loaded or run: an address, `inline` or `eval`. */
  readonly blocked: string;
  readonly place: string;
  /** The address of the document whose policy it is. */
  readonly document: string;
}

/** The name of the function by which a page tells of its violations. */
const TELL = "tellOfViolation";

/** Runs in each document before its own scripts do. */
const LISTENER = `document.addEventListener("securitypolicyviolation", (event) => globalThis.${TELL}({
  directive: event.effectiveDirective,
  blocked: event.blockedURI,
  document: event.documentURI,
  place: (event.sourceFile || event.documentURI) + ":" + event.lineNumber,
}));`;

/** Collects the violations in all documents of a page, from its next navigation on; the list grows as they come. */
export async function collectViolations(page: Page): Promise<readonly PolicyViolation[]> {
  const violations: PolicyViolation[] = [];
  await page.exposeFunction(TELL, (violation: PolicyViolation) => void violations.push(violation));
  await page.addInitScript(LISTENER);
  return violations;
}
