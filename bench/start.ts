import { toLambdaEvent } from "../test/http/support/transports.ts";
import { createCpuShare } from "../test/infra/support/cpu-share.ts";
import { type EmulatedCloud, MODEL_KEY, startEmulatedCloud } from "../test/infra/support/emulated-cloud.ts";
import {
  type DeployedFunction,
  type StartOptions,
  startFunction,
  type Times,
} from "../test/infra/support/emulated-function.ts";
import { sumByOrigin } from "./bundle.ts";
import { profileStart, type TimeByModule } from "./loaded-modules.ts";
import { median } from "./median.ts";

const ROUNDS = Number(process.env.METACTION_BENCH_ROUNDS ?? 25);
/** Limit and aim for the time of an authenticated read, as a multiple of a hello world. */
const GOAL = 3.3;
const AIM = 2.9;
/** Memory of a function in megabytes. Lambda gives a function of 1,769 MB a whole processor, and smaller ones a share. */
const SIZES = [512, 1_024, 1_769] as const;
const getCpuShare = (megabytes: number): number => Math.min(1, megabytes / 1_769);

const CALLS = ["hello", "health", "read"] as const;
type CallName = (typeof CALLS)[number];

/**
 * Figures of one call in milliseconds and megabytes: medians, medians of the ratio to the hello world of the same round, and
 * the ratio of the smallest times, which other programs disturb least.
 */
interface Row {
  readonly call: CallName;
  readonly wall: number;
  readonly cpu: number;
  readonly loadWall: number;
  readonly loadCpu: number;
  readonly handlerWall: number;
  readonly handlerCpu: number;
  readonly rss: number;
  readonly wallTimes: number;
  readonly cpuTimes: number;
  readonly wallLeast: number;
  readonly cpuLeast: number;
}

/**
 * Measures the start of the deployed dispatcher, from the start of its process to its first answer, alternating with a function
 * that answers a constant. Returns the goals that were missed.
 */
export async function benchStart(): Promise<readonly string[]> {
  const cloud = await startEmulatedCloud();
  try {
    const whole = await measure(cloud, {});
    print("a whole processor", whole);
    const shares: Record<string, readonly Row[]> = {};
    let method = "";
    for (const megabytes of SIZES) {
      const share = createCpuShare(getCpuShare(megabytes));
      method = share.method;
      try {
        shares[megabytes] = await measure(cloud, { share }, megabytes);
      } finally {
        share.stop();
      }
      const title = `${megabytes} MB: ${getCpuShare(megabytes).toFixed(2)} of a processor from the event on (${method})`;
      print(title, shares[megabytes]);
    }
    const modules = await profileStart(cloud, createEvents(cloud).read);
    printModules(modules);
    const faults = findMissedGoals(whole);
    console.log(
      JSON.stringify({
        bench: "start",
        rounds: ROUNDS,
        goal: GOAL,
        aim: AIM,
        whole,
        method,
        shares,
        modules: Object.fromEntries(modules),
        faults,
      }),
    );
    return faults;
  } finally {
    await cloud.stop();
  }
}

/** Runs the calls alternately, each in a new process. */
async function measure(
  cloud: EmulatedCloud,
  options: Omit<StartOptions, "client">,
  memoryMegabytes = cloud.dispatcher.memoryMegabytes,
): Promise<readonly Row[]> {
  const { client, dispatcher, hello } = cloud;
  const times: Record<CallName, Times[]> = { hello: [], health: [], read: [] };
  const events = createEvents(cloud);
  // The first round is not counted: it reads files that are not in memory yet.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const call of CALLS) {
      const deployed = { ...(call === "hello" ? hello : dispatcher), memoryMegabytes };
      const taken = await callOnce(deployed, events[call], { client, ...options });
      if (round > 0) times[call].push(taken);
    }
  }
  return CALLS.map((call) => toRow(call, times[call], times.hello));
}

function createEvents({ headers }: EmulatedCloud): Readonly<Record<CallName, object>> {
  const health = toLambdaEvent({ target: "/health" });
  return {
    hello: health,
    health,
    read: toLambdaEvent({ target: `/api/model/model_get?modelRef=key:${MODEL_KEY}`, headers }),
  };
}

async function callOnce(deployed: DeployedFunction, event: object, options: StartOptions): Promise<Times> {
  const running = await startFunction(deployed, options);
  try {
    const { answer, times } = await running.invoke(event);
    const { statusCode } = answer as { statusCode: number };
    if (statusCode !== 200) throw new Error(`a call was answered ${JSON.stringify(answer)}`);
    return times;
  } finally {
    await running.stop();
  }
}

function toRow(call: CallName, taken: readonly Times[], hello: readonly Times[]): Row {
  const middle = (figure: (times: Times) => number): number => round(median(taken.map(figure)), 1);
  const timesHello = (figure: (times: Times) => number): number =>
    round(median(taken.map((times, i) => figure(times) / figure(hello[i] as Times))), 2);
  const least = (figure: (times: Times) => number): number =>
    round(Math.min(...taken.map(figure)) / Math.min(...hello.map(figure)), 2);
  return {
    call,
    wall: middle((t) => t.answeredWall),
    cpu: middle((t) => t.answeredCpu),
    loadWall: middle((t) => t.loadedWall - t.bootedWall),
    loadCpu: middle((t) => t.loadedCpu - t.bootedCpu),
    handlerWall: middle((t) => t.answeredWall - t.receivedWall),
    handlerCpu: middle((t) => t.answeredCpu - t.receivedCpu),
    rss: middle((t) => t.maxRssMegabytes),
    wallTimes: timesHello((t) => t.answeredWall),
    cpuTimes: timesHello((t) => t.answeredCpu),
    wallLeast: least((t) => t.answeredWall),
    cpuLeast: least((t) => t.answeredCpu),
  };
}

function print(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}; milliseconds, megabytes, times a hello world; medians of ${ROUNDS} rounds`);
  console.table(rows);
}

function printModules(modules: TimeByModule): void {
  console.log(`\nprocessor time of a first read by what was loaded; milliseconds, from profiles`);
  const row = ([name, ms]: readonly [string, number]): string => `${round(ms, 2).toFixed(2).padStart(8)}  ${name}`;
  console.log([...sumByOrigin(modules)].slice(0, 20).map(row).join("\n"));
  console.log("\nthe same, by module");
  console.log([...modules].slice(0, 40).map(row).join("\n"));
}

/** Prints each goal with its figure and returns those that were missed. */
function findMissedGoals(rows: readonly Row[]): readonly string[] {
  const read = rows.find(({ call }) => call === "read");
  if (!read) throw new Error("no read was measured");
  const figures = [
    ["wall", read.wallTimes],
    ["CPU", read.cpuTimes],
  ] as const;
  for (const [name, figure] of figures) {
    const met = figure <= GOAL ? "met" : "MISSED";
    const aim = figure <= AIM ? "met" : "missed";
    console.log(
      `first authenticated read, ${name}: ${figure} times a hello world; goal ${GOAL} ${met}, aim ${AIM} ${aim}`,
    );
  }
  return figures
    .filter(([, figure]) => figure > GOAL)
    .map(([name, figure]) => `the first read takes ${figure} times a hello world (${name}), goal ${GOAL}`);
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

if (import.meta.main) process.exitCode = (await benchStart()).length === 0 ? 0 : 1;
