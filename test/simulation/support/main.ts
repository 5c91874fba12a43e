// First of all: whatever reads a limit has to find the small ones.
import "./small-limits.ts";
import { parseArgs } from "node:util";
import { weatherOf } from "./call-mix.ts";
import { type Plan, planOf, type Ran, runSchedule } from "./schedule.ts";
import { shrunken } from "./shrink.ts";
import { createTrace } from "./trace.ts";
import { faultsOf } from "./verdict.ts";

/* Runs schedules and prints lines of JSON: a `Finding` for each failure, and a `Summary` at the end. */

export interface Finding {
  readonly seed: number;
  readonly faults: readonly string[];
  /** The shortest form of it that was found, line by line. */
  readonly trace: readonly string[];
}

export interface Summary {
  readonly schedules: number;
  readonly calls: number;
  readonly requests: number;
  /** Time that the processor worked, in milliseconds. */
  readonly cpuMs: number;
  /** A number that is the same wherever the same schedules run, in whatever order. */
  readonly hash: number;
}

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    step: { type: "string", default: "1" },
    count: { type: "string", default: "1" },
    clients: { type: "string", default: "5" },
    calls: { type: "string", default: "20" },
    /** Findings after which it ends. */
    most: { type: "string", default: "3" },
    seconds: { type: "string", default: "86400" },
    shrinkSeconds: { type: "string", default: "60" },
  },
});
const numbers = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
const { from = 1, step = 1, count = 1, clients = 5, calls = 20, most = 3, seconds = 0, shrinkSeconds = 0 } = numbers;
const STACK_FRAMES = 0;

const say = (value: Finding | Summary) => process.stdout.write(`${JSON.stringify(value)}\n`);

function ranOut(limit: number): () => boolean {
  const end = performance.now() + limit * 1_000;
  return () => performance.now() >= end;
}

/** Failures that nobody waited for: they would end a process of the service. */
const unhandled: string[] = [];
process.on("unhandledRejection", (error) => unhandled.push(`nobody waits for this failure: ${error}`));

async function allFaultsOf(ran: Ran): Promise<readonly string[]> {
  const faults = await faultsOf(ran);
  return [...unhandled.splice(0), ...faults];
}

async function trial(plan: Plan) {
  const ran = await runSchedule(plan);
  const faults = await allFaultsOf(ran);
  return { faults, made: ran.made, struck: ran.network.struck };
}

/** The finding of a failed schedule: the smallest plan that still fails, and its trace. */
async function findingOf(plan: Plan): Promise<Finding> {
  const isOver = ranOut(shrinkSeconds);
  const least = await shrunken(plan, trial, () => !isOver());
  Error.stackTraceLimit = 30;
  let ran: Ran | undefined;
  const trace = createTrace(() => ran?.network.timeline.now() ?? 0);
  ran = await runSchedule(least, { note: trace.note, began: (one) => (ran = one) });
  const faults = await allFaultsOf(ran);
  Error.stackTraceLimit = STACK_FRAMES;
  const { struck } = ran.network;
  const weather = weatherOf(plan.seed);
  const head = [
    `seed ${plan.seed}: ${ran.made.length} calls, faults ${struck.join(" ") || "none"}`,
    JSON.stringify({ ...weather, kinds: [...weather.kinds] }),
  ];
  return { seed: plan.seed, faults, trace: [...head, ...trace.lines(ran)] };
}

Error.stackTraceLimit = STACK_FRAMES;
const isOver = ranOut(seconds);
const began = process.cpuUsage().user;
let [schedules, made, requests, hash, found] = [0, 0, 0, 0, 0];
for (let i = 0; i < count && found < most && !isOver(); i++) {
  const plan = planOf(from + i * step, clients, calls);
  const ran = await runSchedule(plan);
  const faults = await allFaultsOf(ran);
  schedules += 1;
  made += ran.ops.length;
  requests += ran.network.requests;
  hash = (hash + ran.network.hash) >>> 0;
  if (faults.length > 0) {
    found += 1;
    // Without time for a shorter form nobody reads how it went.
    say(shrinkSeconds === 0 ? { seed: plan.seed, faults, trace: [] } : await findingOf(plan));
  }
  // The timeline leaves no room for anything else to happen in this process.
  await new Promise((resolve) => setImmediate(resolve));
}
say({ schedules, calls: made, requests, cpuMs: (process.cpuUsage().user - began) / 1_000, hash });
