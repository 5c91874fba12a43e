import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { bundleSimulation, type Planting } from "./bundle.ts";
import type { Finding, Summary } from "./main.ts";

export interface Wanted {
  /** Seed of the first one; the others follow it. */
  readonly from: number;
  readonly count: number;
  readonly clients?: number;
  readonly calls?: number;
  /** Processes that share them; one for each core unless given. */
  readonly workers?: number;
  /** Findings after which it ends. */
  readonly most?: number;
  /** Time after which it ends. */
  readonly seconds?: number;
  /** Time for making each finding shorter. */
  readonly shrinkSeconds?: number;
  readonly planting?: Planting;
}

export interface Done extends Summary {
  readonly findings: readonly Finding[];
  readonly seconds: number;
}

/** Runs schedules in processes of their own. */
export async function runSchedules(wanted: Wanted): Promise<Done> {
  const { from, count, workers = availableParallelism(), planting, ...rest } = wanted;
  const folder = await mkdtemp(join(tmpdir(), "metaction-simulation-"));
  const began = performance.now();
  try {
    const bundle = join(folder, "main.mjs");
    await bundleSimulation(bundle, planting);
    const stop = new AbortController();
    const runs = Array.from({ length: Math.min(workers, count) }, (_, worker) => {
      const own = { from: from + worker, step: workers, count: Math.ceil((count - worker) / workers), ...rest };
      return runWorker(bundle, own, stop, rest.most ?? 3);
    });
    const all = await Promise.all(runs);
    const sum = (of: (one: Summary) => number) => all.reduce((total, { summary }) => total + of(summary), 0);
    return {
      findings: all.flatMap(({ findings }) => findings).sort((a, b) => a.seed - b.seed),
      schedules: sum((one) => one.schedules),
      calls: sum((one) => one.calls),
      requests: sum((one) => one.requests),
      cpuMs: sum((one) => one.cpuMs),
      hash: sum((one) => one.hash) >>> 0,
      seconds: (performance.now() - began) / 1_000,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const NOTHING: Summary = { schedules: 0, calls: 0, requests: 0, cpuMs: 0, hash: 0 };

async function runWorker(bundle: string, own: Readonly<Record<string, number>>, stop: AbortController, most: number) {
  const args = Object.entries(own).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(process.execPath, ["--enable-source-maps", "--max-semi-space-size=32", bundle, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    signal: stop.signal,
  });
  const said = text(child.stderr).catch(() => "");
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", resolve);
    child.once("error", () => resolve(null));
  });
  const findings: Finding[] = [];
  let summary: Summary | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    // The last line of a simulation that was stopped may be cut off.
    if (stop.signal.aborted) break;
    const told = JSON.parse(line) as Finding | Summary;
    if ("schedules" in told) summary = told;
    else {
      findings.push(told);
      // One finding is enough: the other simulations need not look for more.
      if (findings.length >= most) stop.abort();
    }
  }
  const code = await ended;
  if (!summary && !stop.signal.aborted)
    throw new Error(`a simulation ended with ${code}: ${(await said).slice(-2_000)}`);
  return { findings, summary: summary ?? NOTHING };
}
