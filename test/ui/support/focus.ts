import type { JSHandle, Locator } from "playwright-core";
import { expect } from "vitest";

/** Fails unless an element comes to have the focus of the keyboard. */
export async function expectFocus(element: Locator): Promise<void> {
  await expect.poll(() => isFocused(element), { message: `the focus of ${element}` }).toBe(true);
}

/** Presses a key until an element has the focus: so often at most, and each time after the focus has moved. */
export async function focusByKey(element: Locator, key: string, most = 80): Promise<void> {
  const page = element.page();
  for (let pressed = 0; pressed < most && !(await isFocused(element)); pressed++) {
    const before = await page.evaluateHandle("document.activeElement");
    await page.keyboard.press(key);
    await expect.poll(() => isActive(before), { message: `${key} moves the focus` }).toBe(false);
  }
  await expectFocus(element);
}

async function isFocused(element: Locator): Promise<boolean> {
  return (await element.and(element.page().locator(":focus")).count()) === 1;
}

function isActive(element: JSHandle): Promise<boolean> {
  return element.evaluate((one) => {
    const { document } = globalThis as unknown as { document: { activeElement: unknown } };
    return document.activeElement === one;
  });
}
