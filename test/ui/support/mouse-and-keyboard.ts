import type { JSHandle, Locator } from "playwright-core";
import { expect } from "vitest";

type Box = NonNullable<Awaited<ReturnType<Locator["boundingBox"]>>>;
type Point = Pick<Box, "x" | "y">;

/** Where an element is once it has stopped moving. */
export async function restingBox(element: Locator): Promise<Box> {
  const seen: (Box | null)[] = [];
  const isAtRest = async (): Promise<boolean> => {
    seen.push(await element.boundingBox());
    const [before, now] = seen.slice(-2);
    return Boolean(now) && JSON.stringify(before) === JSON.stringify(now);
  };
  await expect.poll(isAtRest, { message: `${element} comes to rest`, interval: 100 }).toBe(true);
  const box = seen.at(-1);
  if (!box) throw new Error(`${element} is not there`);
  return box;
}

/** Drags by mouse from one place to another, as both are once nothing moves any more. */
export async function drag(from: Locator, grip: Point, to: (start: Box) => Point): Promise<void> {
  const { mouse } = from.page();
  const start = await restingBox(from);
  const end = to(start);
  await mouse.move(start.x + grip.x, start.y + grip.y);
  await mouse.down();
  await mouse.move(end.x, end.y, { steps: 5 });
  await mouse.up();
}

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

const isFocused = async (element: Locator): Promise<boolean> =>
  (await element.and(element.page().locator(":focus")).count()) === 1;

const isActive = (element: JSHandle): Promise<boolean> =>
  element.evaluate((one) => {
    const { document } = globalThis as unknown as { document: { activeElement: unknown } };
    return document.activeElement === one;
  });
