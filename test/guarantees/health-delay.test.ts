import { cpSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { findJsonTextFault } from "../../shared/domain/text/json-faults.ts";
import { type LocalProcess, signIn, startProcess } from "../support/local-process.ts";
import { createFolder } from "../support/temporary-folder.ts";
import { listExampleCalls, WORST_CALLS, type WorstCall } from "./support/worst/calls.ts";
import { type ProbedCall, probeCall } from "./support/worst/probed-call.ts";
import { getAllowedDelay, runReferenceLoop } from "./support/worst/reference-loop.ts";
import { type ExampleIds, fillFolder } from "./support/worst/stored-models.ts";

interface Row extends ProbedCall {
  readonly name: string;
  readonly referenceMs: number;
}

/** A folder for the CPU profiles of the service, one for each call. */
const PROFILES = process.env.METACTION_DELAY_PROFILES;
/** Only calls whose names match. */
const CALLS = new RegExp(process.env.METACTION_DELAY_CALLS ?? "");

const rows: Row[] = [];
let folder: string;
let ids: ExampleIds;

beforeAll(async () => {
  folder = createFolder();
  ids = await fillFolder(folder);
}, 600_000);

afterAll(() => {
  const columns = [
    "call",
    "status",
    "delay ms",
    "call ms",
    "processor ms",
    "peak MB",
    "MB grown",
    "reference ms",
    "problem",
  ];
  const print = ({ name, status, delayMs, busyMs, ms, cpuMs, peakMb, startMb, referenceMs, problem }: Row) => {
    const grown = peakMb === undefined || startMb === undefined ? undefined : peakMb - startMb;
    return [
      name,
      status,
      delayMs.toFixed(0),
      busyMs?.toFixed(0),
      ms.toFixed(0),
      cpuMs,
      peakMb,
      grown,
      referenceMs.toFixed(0),
      problem,
    ];
  };
  const table = [columns, columns.map(() => "---"), ...rows.toSorted((a, b) => b.delayMs - a.delayMs).map(print)];
  console.log(table.map((cells) => `| ${cells.map((cell) => cell ?? "-").join(" | ")} |`).join("\n"));
});

/** Starts the service on the data, or on a copy of it. */
async function start({ name, writes }: Pick<WorstCall, "name" | "writes">): Promise<LocalProcess> {
  let own = folder;
  if (writes) {
    own = createFolder();
    cpSync(folder, own, { recursive: true });
  }
  const profile = PROFILES && `--cpu-prof --cpu-prof-dir=${PROFILES}/${name.replaceAll(/[^\w]+/g, "-")}`;
  return startProcess(own, profile ? { NODE_OPTIONS: profile } : {});
}

async function measure(service: LocalProcess, token: string, call: WorstCall): Promise<Row> {
  const { action, headers } = call;
  const body = JSON.stringify(call.makePayload());
  expect(findJsonTextFault(body), "the body is legal").toBeUndefined();
  expect(Buffer.byteLength(JSON.stringify(body)), "bytes of the body").toBeLessThan(LIMITS.requestBytes - 1_000);
  const before = runReferenceLoop();
  const probed = await probeCall(service, { action, body, token, headers });
  const row = { ...probed, name: call.name, referenceMs: (before + runReferenceLoop()) / 2 };
  rows.push(row);
  return row;
}

function expectNoDelay({ name, status, problem, delayMs, referenceMs }: Row) {
  const outcome = `${name}: ${status} ${problem}`;
  expect.soft(delayMs, outcome).toBeLessThan(getAllowedDelay(referenceMs));
  expect.soft(["died", "late", 500], outcome).not.toContain(status);
}

describe("no call delays /health by more than a second", () => {
  test.each(WORST_CALLS.filter(({ name }) => CALLS.test(name)).map((call) => [call.name, call] as const))(
    "%s",
    async (_, call) => {
      const service = await start(call);
      try {
        const token = await signIn(service);
        await service.call("model/model_list", {}, token);
        expectNoDelay(await measure(service, token, call));
      } finally {
        await (PROFILES ? service.interrupt() : service.kill());
      }
    },
    240_000,
  );

  test("the example of any action", async () => {
    const service = await start({ name: "examples" });
    const token = await signIn(service);
    try {
      for (const call of listExampleCalls(ids).filter(({ name }) => CALLS.test(name)))
        expectNoDelay(await measure(service, token, call));
    } finally {
      await service.kill();
    }
  }, 600_000);
});
