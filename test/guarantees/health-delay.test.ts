import { cpSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { findJsonTextFault } from "../../shared/domain/text/json-faults.ts";
import { type Listening, serve } from "../formats/source-server.ts";
import { type LocalProcess, signIn, startProcess } from "../support/local-process.ts";
import { createFolder } from "../support/temporary-folder.ts";
import { listExampleCalls, WORST_CALLS, type WorstCall } from "./support/worst/calls.ts";
import { type ProbedCall, probeCall } from "./support/worst/probed-call.ts";
import { getAllowedDelay, runReferenceLoop } from "./support/worst/reference-loop.ts";
import { type ExampleIds, fillFolder } from "./support/worst/stored-models.ts";

/** A folder for the CPU profiles of the service, one for each call. */
const PROFILES = process.env.METACTION_DELAY_PROFILES;
/** Only calls whose names match. */
const CALLS = new RegExp(process.env.METACTION_DELAY_CALLS ?? "");
/** Seconds for a call and its job on a machine without other work: twice the deadline of a call. */
const PATIENCE_SECONDS = 60;

const rows: (ProbedCall & { readonly name: string; readonly referenceMs: number })[] = [];
type Row = (typeof rows)[number];
/** Texts of sources, by path. */
const texts = new Map<string, string>();
let server: Listening;
let folder: string;
let ids: ExampleIds;

beforeAll(async () => {
  server = await serve(({ url = "" }, response) => response.end(texts.get(url)));
  folder = createFolder();
  ids = await fillFolder(folder);
}, 900_000);

afterAll(async () => {
  await server.close();
  const columns = [
    "call",
    "status",
    "delay ms",
    "of it busy",
    "call ms",
    "peak MB",
    "MB grown",
    "reference ms",
    "problem",
  ];
  const cells = rows
    .toSorted((a, b) => b.delayMs - a.delayMs)
    .map(({ name, status, delayMs, busyMs, ms, peakMb, startMb, referenceMs, problem }) => {
      const numbers = [delayMs, busyMs, ms, peakMb, peakMb - startMb, referenceMs].map(Math.round);
      return [name, status, ...numbers, problem];
    });
  console.log([columns, columns.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n"));
});

/** Starts the service on the data, or on a copy of it. */
async function start({ name, writes }: Pick<WorstCall, "name" | "writes">): Promise<LocalProcess> {
  const own = writes ? createFolder() : folder;
  if (writes) cpSync(folder, own, { recursive: true });
  const profile = `--cpu-prof --cpu-prof-dir=${PROFILES}/${name.replaceAll(/\W+/g, "-")}`;
  return startProcess(own, { METACTION_IMPORT_ALLOW_PRIVATE: "1", ...(PROFILES && { NODE_OPTIONS: profile }) });
}

function serveText(path: string, text: string): string {
  texts.set(path, text);
  return `http://127.0.0.1:${server.port}${path}`;
}

/** Makes a call and expects that it did not delay `/health`. Returns false if the process is gone. */
async function expectNoDelay(service: LocalProcess, token: string, call: WorstCall): Promise<boolean> {
  const { name, action, headers, times, isAccepted, isRefused } = call;
  const body = JSON.stringify(call.makePayload(serveText));
  expect(findJsonTextFault(body), "the body is one that the service reads").toBeUndefined();
  expect(Buffer.byteLength(JSON.stringify(body)), "bytes of the body").toBeLessThan(LIMITS.requestBytes - 1_000);
  const before = runReferenceLoop();
  const patienceMs = PATIENCE_SECONDS * getAllowedDelay(before);
  const probed = await probeCall(service, { action, body, token, headers, times }, patienceMs);
  const row: Row = { ...probed, name, referenceMs: (before + runReferenceLoop()) / 2 };
  rows.push(row);
  const outcome = `${name}: ${row.status} ${row.problem}`;
  expect.soft(row.delayMs, outcome).toBeLessThan(getAllowedDelay(row.referenceMs));
  expect.soft(["died", "late", 500], outcome).not.toContain(row.status);
  if (isRefused) expect.soft([row.status, row.ms < getAllowedDelay(row.referenceMs)], outcome).toEqual([413, true]);
  if (isAccepted) expect.soft(row.status, outcome).toBe(200);
  return typeof row.status === "number";
}

async function withService(
  call: Pick<WorstCall, "name" | "writes">,
  use: (service: LocalProcess, token: string) => Promise<unknown>,
) {
  const service = await start(call);
  try {
    const token = await signIn(service);
    // Loads what the first read of models needs.
    await service.call("model/model_list", {}, token);
    await use(service, token);
    // A profile is written at the end.
    if (PROFILES) await service.interrupt();
  } finally {
    await service.kill();
  }
}

test.each(WORST_CALLS.filter(({ name }) => CALLS.test(name)).map((call) => [call.name, call] as const))(
  "/health is delayed by at most a second: %s",
  (_, call) => withService(call, (service, token) => expectNoDelay(service, token, call)),
  900_000,
);

test("/health is delayed by at most a second: the example of any action", async () => {
  const calls = listExampleCalls(ids).filter(({ name }) => CALLS.test(name));
  await withService({ name: "examples" }, async (service, token) => {
    for (const call of calls) if (!(await expectNoDelay(service, token, call))) return;
  });
}, 900_000);
