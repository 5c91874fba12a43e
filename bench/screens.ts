import { loadavg } from "node:os";
import type { Page } from "playwright-core";
import { documentOf, entity } from "../test/diagram/support/diagram-parts.ts";
import { type BenchedApplication, withApplication } from "./application.ts";
import { recordTasks } from "./page-tasks.ts";

const ROWS = 2_000;
const SLOWDOWN = 4;
const LONG_MS = 50;
const AT_ONCE = 100;

/** Figures of a screen, in milliseconds. */
interface Figure {
  readonly screen: string;
  readonly shown?: number;
  readonly firstPaint?: number;
  /** Tasks of the main thread, and the processor time of the longest. */
  readonly tasks?: number;
  readonly over50?: number;
  readonly longest?: number;
}

/**
 * Measures screens in a browser: the first paint on a processor that is four times slower, and showing, scrolling and editing
 * lists of 2,000 rows. Wall times depend on the load of the machine, which is printed as well.
 */
export async function benchScreens(): Promise<void> {
  await withApplication(async (application) => {
    await fill(application);
    const figures: Figure[] = [];
    for (const path of ["/sign-in", "/models/key:wide"]) figures.push(await firstPaint(application, path));
    figures.push(...(await list(application, "/models", "the list of 2,000 models")));
    const table = "/models/key:wide/entities/key:wide";
    figures.push(...(await list(application, table, "the table of 2,000 attributes", edit)));
    console.table(figures);
    const load = Math.round(loadavg()[0] ?? 0);
    console.log(JSON.stringify({ bench: "screens", load, figures }));
  });
}

async function fill({ service, token }: BenchedApplication): Promise<void> {
  const run = async (action: string, payload: object): Promise<void> => {
    const { status, body } = await service.call(action, payload, token);
    if (status !== 200) throw new Error(`${action} answered ${status}: ${JSON.stringify(body)}`);
  };
  const keys = Array.from({ length: ROWS }, (_, at) => `attribute_${at}`);
  await run("model/import", { content: documentOf("wide", { entities: [entity("wide", keys)] }) });
  // The limit of models in one transaction.
  for (let begun = 1; begun < ROWS; begun += AT_ONCE / 4) {
    const numbers = Array.from({ length: Math.min(AT_ONCE / 4, ROWS - begun) }, (_, at) => begun + at);
    const actions = numbers.map((number) => ({
      group: "model",
      action: "model_create",
      payload: { key: `model_${number}`, name: `Model ${number}` },
    }));
    await run("batch/batch_run", { actions });
  }
}

async function firstPaint({ service, open }: BenchedApplication, path: string): Promise<Figure> {
  const page = await open();
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  const began = performance.now();
  await page.goto(service.url + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const shown = Math.round(performance.now() - began);
  const painted = await page.evaluate(`performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0`);
  await page.close();
  return { screen: `${path}, ${SLOWDOWN} times slower`, firstPaint: Math.round(Number(painted)), shown };
}

async function list(
  { service, open }: BenchedApplication,
  path: string,
  screen: string,
  more?: (page: Page) => Promise<void>,
): Promise<readonly Figure[]> {
  const page = await open();
  const began = performance.now();
  await page.goto(service.url + path);
  await page.getByRole("gridcell").first().waitFor();
  const shown = Math.round(performance.now() - began);
  await page.waitForLoadState("networkidle");
  const box = await page.getByRole("grid").boundingBox();
  if (!box) throw new Error("the list is not there");
  await page.mouse.move(box.x + 200, Math.min(box.y + 200, 700));
  const scrolled = await recordTasks(page, async () => {
    for (let turns = 0; turns < 60; turns++) await page.mouse.wheel(0, 400);
    await page.waitForLoadState("networkidle");
  });
  const figures = [{ screen, shown, ...summary(scrolled) }];
  if (!more) return figures;
  const edited = await recordTasks(page, () => more(page));
  await page.close();
  return [...figures, { screen: `${screen}, a cell edited`, ...summary(edited) }];
}

/** Edits the name in a visible row. */
async function edit(page: Page): Promise<void> {
  const cell = page.locator("tr[data-row]").nth(15).locator("td").nth(2);
  await cell.dblclick();
  await page.keyboard.type("A name");
  await page.keyboard.press("Enter");
  await page.getByRole("gridcell", { name: "A name" }).first().waitFor();
}

function summary(tasks: readonly number[]): Pick<Figure, "tasks" | "over50" | "longest"> {
  return {
    tasks: tasks.length,
    over50: tasks.filter((ms) => ms > LONG_MS).length,
    longest: Math.max(0, ...tasks),
  };
}
