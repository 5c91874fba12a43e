import type { Locator } from "playwright-core";

/** Whether an element has the focus of the keyboard. */
export async function isFocused(element: Locator): Promise<boolean> {
  return (await element.and(element.page().locator(":focus")).count()) === 1;
}
