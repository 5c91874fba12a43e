import type { Page } from "playwright-core";
import { type Chance, countOfRun, createChance, seedOf } from "../../support/chance.ts";

/** How many times as slow as this machine the pages of the run are. */
const SLOWNESS = countOfRun("METACTION_UI_SLOWNESS", 1);
/** The longest that an answer is held back, in milliseconds, for each time that pages are slower. */
const LATENCY = 60;

let chance: Chance | undefined;

/** Makes a page as slow as the run asks for: its scripts and drawing, and the answers it waits for, each by another delay. */
export async function slowDown(page: Page): Promise<void> {
  if (SLOWNESS === 1) return;
  chance ??= createChance(seedOf("slowness"));
  const drawn = chance;
  const session = await page.context().newCDPSession(page);
  const delayNext = async (): Promise<void> => {
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
