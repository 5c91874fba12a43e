import type { Page } from "playwright-core";
import { layOutDiagram } from "../shared/diagram/diagram-layout.ts";
import { createGraph } from "../shared/diagram/graph-of-model.ts";
import { loadDot } from "../shared/diagram/graphviz-engine.ts";
import { largeModel } from "../test/diagram/support/diagram-models.ts";
import { withApplication } from "./application.ts";
import { recordTasks } from "./page-tasks.ts";

const ENTITIES = 300;
const MOST_LAYOUT_MS = 2_000;
const LONGEST_TASK_MS = 50;
const ROUNDS = 5;

/** Measures the layout of 300 entities with 3,000 attributes, and the tasks of the page while panning. Returns the goals that were missed. */
export async function benchDiagram(): Promise<readonly string[]> {
  const layoutMs = await measureLayout();
  const { shownMs, tasks } = await measureInBrowser();
  const longest = Math.max(0, ...Object.values(tasks).flat());
  console.table({ "layout, first time": { ms: layoutMs }, "from address to boxes": { ms: shownMs } });
  console.table(
    Object.entries(tasks).map(([view, all]) => ({
      view,
      tasks: all.length,
      "over 50 ms": all.filter((ms) => ms > LONGEST_TASK_MS).length,
      longest: Math.max(0, ...all),
    })),
  );
  const faults = [
    ...(Object.values(tasks).some((all) => all.length === 0) ? ["no task was seen while panning"] : []),
    ...(layoutMs > MOST_LAYOUT_MS ? [`the layout takes ${layoutMs} ms, more than ${MOST_LAYOUT_MS}`] : []),
    ...(longest > LONGEST_TASK_MS ? [`a task of ${longest} ms holds panning up, longer than ${LONGEST_TASK_MS}`] : []),
  ];
  for (const fault of faults) console.log(`FAULT ${fault}`);
  console.log(JSON.stringify({ bench: "diagram", layoutMs, shownMs, longestTaskMs: longest, faults }));
  return faults;
}

/** Returns the processor time in milliseconds of loading the engine and the first layout. */
async function measureLayout(): Promise<number> {
  const graph = createGraph(largeModel(ENTITIES));
  const before = process.cpuUsage();
  layOutDiagram(graph, await loadDot());
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / 1_000);
}

interface InBrowser {
  readonly shownMs: number;
  /** Milliseconds of work of each task while panning, by view. */
  readonly tasks: Readonly<Record<string, readonly number[]>>;
}

function measureInBrowser(): Promise<InBrowser> {
  return withApplication(async ({ service, token, open }) => {
    await service.call("model/import", { content: largeModel(ENTITIES) }, token);
    const page = await open();
    const start = performance.now();
    await page.goto(`${service.url}/models/key:large/diagram`);
    await page.locator(".react-flow__node").first().waitFor();
    const shownMs = Math.round(performance.now() - start);
    const boxes = await recordPanning(page);
    await page.goto(`${service.url}/models/key:large/diagram?entity=key:entity_120`);
    await page.locator(".react-flow__node").first().waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    return { shownMs, tasks: { "all 300 as boxes": boxes, "full detail": await recordPanning(page) } };
  });
}

/** Pans back and forth with the mouse. Returns the milliseconds of work of each task during that. */
async function recordPanning(page: Page): Promise<readonly number[]> {
  await page.waitForTimeout(1_000);
  // The mouse must be on the background: it would move a box.
  const [x, y] = (await page.evaluate(`(() => {
    for (let y = 700; y > 300; y -= 7) for (let x = 300; x < 1100; x += 7)
      if (document.elementFromPoint(x, y)?.classList.contains("react-flow__pane")) return [x, y];
  })()`)) as [number, number];
  return recordTasks(page, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 560, y - 380, { steps: 40 });
      await page.mouse.move(x, y, { steps: 40 });
      await page.mouse.up();
    }
  });
}
