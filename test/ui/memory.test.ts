import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { useApplication } from "./support/application.ts";
import { makeLibrary } from "./support/library.ts";
import { ONE_WAIT } from "./support/patience.ts";
import { type Visits, visitsOf } from "./support/visits.ts";

// Hundreds of rounds take longer than a token lasts otherwise.
const application = useApplication({ environment: { METACTION_TOKEN_MINUTES: String(LIMITS.mostTokenMinutes) } });
const FIRST = 5;
const ROUNDS = Number(process.env.METACTION_UI_ROUNDS ?? 10);

test("memory does not grow with the rounds of use", { timeout: (ROUNDS + 5) * ONE_WAIT }, async () => {
  await makeLibrary(application, "library");
  const page = await application.open("/models");
  const visits = visitsOf(page);
  /** Goes so many rounds; true where they loaded a file. */
  const rounds = async (count: number): Promise<boolean> => {
    const before = visits.loaded();
    for (let at = 0; at < count; at++) await roundOfUse(page, visits);
    return visits.loaded() > before;
  };
  await rounds(FIRST);
  let before: Held;
  // What a slow machine loads late is code, and no memory that a round leaves behind.
  do before = await heldBy(page);
  while (await rounds(ROUNDS));
  const after = await heldBy(page);
  process.stderr.write(`${JSON.stringify({ rounds: ROUNDS, before, after })}\n`);
  // One screen that stayed would have hundreds of nodes, once for each round.
  expect(after.nodes).toBeLessThan(before.nodes + 100);
  expect(after.listeners).toBeLessThan(before.listeners + 20);
  expect(after.documents).toBe(before.documents);
  // Collections and compiled code move it by two or three percent; what a screen leaves behind in each round, by far more.
  expect(after.madeBytes).toBeLessThan(before.madeBytes * 1.05);
});

interface Held {
  /** Bytes of the objects, functions, lists and texts that scripts made. */
  readonly madeBytes: number;
  readonly nodes: number;
  readonly listeners: number;
  readonly documents: number;
}

const MODEL = "/models/key:library";
/** The screens that a round goes through; the last of them is the one on which is measured. */
const PLACES = [
  MODEL,
  `${MODEL}?show=types`,
  `${MODEL}/entities/key:book`,
  `${MODEL}/entities/key:book?tab=keys`,
  `${MODEL}/entities/key:book?tab=properties`,
  `${MODEL}/types/key:string`,
  `${MODEL}/tags`,
  `${MODEL}/diagram`,
  `${MODEL}/history`,
  ...["/search?q=isbn", "/compare?left=key:library&right=key:library", "/tags", "/actions/model/entity_create"],
  ...["/batch", "/administration/people", "/administration/audit", "/jobs", "/models"],
] as const;

/** One round of use, without loading the page again: all screens, a text that is edited, a panel, a dialog, the palette. */
async function roundOfUse(page: Page, visits: Visits) {
  for (const place of PLACES) await visits.go(place);
  await visits.go(`${MODEL}/entities/key:book?attribute=isbn`);
  const panel = page.getByRole("complementary");
  await panel.getByRole("button", { name: "Edit description" }).press("e");
  await panel.getByRole("textbox", { name: "description" }).fill("never saved");
  await page.keyboard.press("Escape");
  await panel.getByRole("textbox", { name: "description" }).waitFor({ state: "detached" });
  await visits.go("/models?do=create");
  await page.getByRole("dialog", { name: "New model" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("isbn");
  await page.getByRole("option").first().waitFor();
  await visits.settled();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await visits.settled();
}

/** What scripts make themselves; beside it lie compiled code and what the browser notes for its own tools. */
const MADE: ReadonlySet<string> = new Set([
  ...["object", "closure", "array", "string", "concatenated string", "sliced string"],
]);

/** The part of a heap snapshot that is read here: rows of numbers, whose columns and types `meta` names. */
interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] };
  };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
}

/** The numbers of requests, of which the browser keeps one for each that its own tools were told of. */
const REQUEST = /^\d+$/;

async function heldBy(page: Page): Promise<Held> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send("Performance.enable");
    // Some of it becomes garbage only when what referred to it is gone.
    for (let at = 0; at < 5; at++) await session.send("HeapProfiler.collectGarbage");
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
    const chunks: string[] = [];
    session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => void chunks.push(chunk));
    await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
    return {
      // The format of Chromium's snapshots.
      madeBytes: madeBytes(JSON.parse(chunks.join("")) as Snapshot),
      nodes: of("Nodes"),
      listeners: of("JSEventListeners"),
      documents: of("Documents"),
    };
  } finally {
    await session.detach();
  }
}

function madeBytes({ snapshot: { meta }, nodes, strings }: Snapshot): number {
  const [type = 0, name = 0, size = 0] = ["type", "name", "self_size"].map((field) => meta.node_fields.indexOf(field));
  const types = meta.node_types[0];
  let sum = 0;
  for (let row = 0; row < nodes.length; row += meta.node_fields.length) {
    const is = types[nodes[row + type] ?? -1] ?? "";
    const isNoted = is === "string" && REQUEST.test(strings[nodes[row + name] ?? -1] ?? "");
    if (MADE.has(is) && !isNoted) sum += nodes[row + size] ?? 0;
  }
  return sum;
}
