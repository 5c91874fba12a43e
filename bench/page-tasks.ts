import type { Page } from "playwright-core";

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time of the thread in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const nameThread = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;

/** Returns the milliseconds of work of each task of the main thread of a page during `work`. */
export async function recordTasks(page: Page, work: () => Promise<void>): Promise<readonly number[]> {
  const browser = page.context().browser();
  await browser?.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
  await work();
  const trace = (await browser?.stopTracing())?.toString("utf8") ?? '{"traceEvents":[]}';
  // The format of Chromium's traces.
  const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] };
  const main = new Set(traceEvents.filter(({ args }) => args?.name === "CrRendererMain").map(nameThread));
  return traceEvents
    .filter((event) => event.name.endsWith("RunTask") && main.has(nameThread(event)))
    .map(({ tdur = 0 }) => Math.round(tdur / 100) / 10);
}
