import type { Page, Request } from "playwright-core";
import { expect } from "vitest";
import { toPointer } from "../../../ui/screens/runner/form/form-state.ts";
import type { Step } from "../../web/support/filling.ts";

/** Opens an action of the runner by the palette, without loading the page again. */
export async function openByPalette(page: Page, ref: string): Promise<void> {
  // Nobody listens to keys before the frame is there.
  await page.getByRole("navigation", { name: "Main menu" }).first().waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Go to, search, run" }).fill(ref);
  await chooseInPalette(page, ref);
  await page.locator(`[data-action="${ref}"]`).waitFor();
}

/** Goes down to the entry of the palette that ends with a text, and runs it. */
export async function chooseInPalette(page: Page, end: string): Promise<void> {
  await page.getByRole("option").filter({ hasText: end }).first().waitFor();
  const chosen = page.locator("[role=option][aria-selected=true]");
  for (let downs = 0; downs < 40 && !(await chosen.textContent())?.endsWith(end); downs++) {
    const before = await chosen.getAttribute("id");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => chosen.getAttribute("id")).not.toBe(before);
  }
  await page.keyboard.press("Enter");
}

/** Does one step in the form that is open, as somebody does by keyboard. */
export async function doStep(page: Page, step: Step): Promise<void> {
  const pointer = toPointer(step.path);
  const field = page.locator(`[data-pointer=${JSON.stringify(pointer)}]`);
  const control = page.locator(`[id=${JSON.stringify(`f${pointer}`)}]`);
  switch (step.do) {
    case "type":
      return control.fill(step.text);
    case "choose":
      if (typeof step.value === "string") return void (await control.selectOption(step.value));
      return pressOn(page, field.locator(`input[value="${step.value}"]`), "Space");
    case "tick":
      return pressOn(page, field.locator(`input[value=${JSON.stringify(step.value)}]`), "Space");
    case "give":
      return pressOn(page, field.locator("> [data-give]"), "Enter");
    case "more":
      return pressOn(page, field.locator("> * > [data-more]"), "Enter");
    case "less":
      return pressOn(page, field.getByRole("button", { name: /^Remove/ }).first(), "Enter");
    case "shape":
      return void (await page.locator(`[id=${JSON.stringify(`f${pointer}-shape`)}]`).selectOption(String(step.at)));
  }
}

async function pressOn(page: Page, place: ReturnType<Page["locator"]>, key: string) {
  await place.focus();
  await page.keyboard.press(key);
}

/** Presses the button that runs, and answers what the page sent to the action. */
export async function sentByRun(page: Page, ref: string): Promise<Request> {
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === "POST" && new URL(one.url()).pathname === `/api/${ref}`),
    pressOn(page, page.locator("[data-run]"), "Enter"),
  ]);
  await page.locator("[data-ended]").waitFor();
  return request;
}
