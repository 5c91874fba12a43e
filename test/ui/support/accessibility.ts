import axe, { type AxeResults, type RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const OPTIONS: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  resultTypes: ["violations"],
};

/** Waits for all that moves or fades to its end; what goes on for ever is left to go on. */
const RESTING = `Promise.all(document.getAnimations()
  .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished.catch(() => undefined)))`;

/** Fails with every violation that axe finds in a page at rest: rule, description and elements. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(`${RESTING}.then(() => undefined)`);
  // Not as a script of the page, which its policy forbids.
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(OPTIONS)})`)) as AxeResults;
  const told = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  ${target.join(" ")}\n  ${failureSummary}`),
  );
  expect(told, page.url()).toEqual([]);
}
