import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lambdaPrice, PRICES } from "../../bench/prices.ts";
import { CALLER_UNITS } from "../../bench/units.ts";
import { UNIT_STEPS } from "../store/unit-budget/unit-steps.ts";

const page = readFileSync("docs/deploy.md", "utf8");

function price(row: string): number {
  const found = page.split("\n").find((line) => line.startsWith(`| ${row}`));
  const dollars = /\$([\d.,]+) (?:at 30 ms )?\|$/.exec(found ?? "")?.[1];
  if (dollars === undefined) throw new Error(`no price of ${row}`);
  return Number(dollars.replace(",", ""));
}

test("the page has the prices of the measurements, and their date", () => {
  expect(price("write units")).toBe(PRICES.writeUnits);
  expect(price("read units")).toBe(PRICES.readUnits);
  expect(price("KB written to logs")).toBe(PRICES.logGigabyte);
  expect(page).toContain(`API $${PRICES.apiCalls.toFixed(2)}, Lambda $${PRICES.lambdaRuns.toFixed(2)}`);
  const perMs = lambdaPrice(1, 512) - PRICES.lambdaRuns;
  expect(page).toContain(`and $${perMs.toFixed(4)} for each millisecond one takes`);
  expect(page).toContain(`as of ${PRICES.asOf}`);
});

const rows = [
  ...page.matchAll(/^\| `(\w+\/\w+)`(?:, ([a-z ]+))? \| (\d+) \| (\d+) \| \$([\d.]+) \| \$([\d.]+) \|$/gm),
].map(([, action = "", variant = "", ...figures]) => ({ action, variant, figures: figures.map(Number) }));

test("the page has the costs of reads, updates and creations", () => {
  const named = rows.map(({ action }) => action);
  for (const part of ["_get", "_update_", "_create"]) expect(named.some((name) => name.includes(part))).toBe(true);
});

test.each(rows)("$action $variant costs the price of its measured units, the caller included", (row) => {
  const step = UNIT_STEPS.find(({ action, variant }) => action === row.action && variant === row.variant);
  if (!step) throw new Error(`${row.action} ${row.variant} is not measured`);
  const [write, read] = [step.write, step.read + CALLER_UNITS];
  const units = write * price("write units") + read * price("read units");
  const cents = (dollars: number) => Math.round(dollars * 100 + 1e-6) / 100;
  expect(row.figures).toEqual([write, read, cents(units), cents(units + price("calls:"))]);
});
