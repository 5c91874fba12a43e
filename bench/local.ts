import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isEngineThere, startEngine } from "../test/support/engine.ts";
import { becomeAdministrator, type LocalProcess, START, startProcess } from "../test/support/local-process.ts";
import { createLeanClient } from "./lean-client.ts";

const CLIENTS = 32;
const SECONDS = 5;
const ONE_BY_ONE = 100;
const EXPORTS = 10;
const FIELDS = 2_000;
const STARTS = 5;

/** The figures of one store. */
interface Figures {
  readonly startMs: number;
  readonly createsPerSecond: number;
  readonly readsPerSecond: number;
  readonly oneCreateMs: number;
  readonly exportMs: number;
  readonly residentMb: number;
}

/** Factors by which SQLite has to be better than the engine in the same run; the memory in megabytes. */
const GOALS = {
  startMs: 2,
  createsPerSecond: 3,
  readsPerSecond: 2,
  oneCreateMs: 5,
  exportMs: 4,
} as const satisfies Partial<Record<keyof Figures, number>>;
const MOST_MB = 250;

/** Measures the service of `npm start` on SQLite, and beside it on the engine it ran on before; answers the goals it misses. */
export async function benchLocal(): Promise<readonly string[]> {
  if (!isEngineThere()) throw new Error("there is no engine to measure beside");
  const [former, now] = [await onEngine(), await figures({})];
  const times = (name: keyof typeof GOALS): number =>
    name.endsWith("Second") ? now[name] / former[name] : former[name] / now[name];
  const names = Object.keys(GOALS) as (keyof typeof GOALS)[];
  console.table([
    ...names.map((name) => ({
      name,
      engine: former[name],
      sqlite: now[name],
      times: round(times(name)),
      goal: GOALS[name],
    })),
    { name: "residentMb", engine: former.residentMb, sqlite: now.residentMb, goal: `under ${MOST_MB}` },
  ]);
  const faults = names
    .filter((name) => times(name) < GOALS[name])
    .map((name) => `${name} is ${round(times(name))} times better than on the engine, goal ${GOALS[name]}`);
  if (now.residentMb > MOST_MB) faults.push(`${now.residentMb} MB resident, goal ${MOST_MB}`);
  for (const fault of faults) console.log(`FAULT ${fault}`);
  console.log(JSON.stringify({ bench: "local", engine: former, sqlite: now, faults }));
  return faults;
}

/** The figures on an engine with its database on disk, as the service started it before. */
async function onEngine(): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), "metaction-bench-"));
  const begun = performance.now();
  const engine = await startEngine(join(folder, "engine.db"));
  const engineMs = performance.now() - begun;
  try {
    const credentials = { AWS_ACCESS_KEY_ID: "bench", AWS_SECRET_ACCESS_KEY: "bench" };
    const own = await figures({ METACTION_DYNAMODB_ENDPOINT: engine.endpoint, ...credentials });
    // The service was healthy only after its engine.
    return {
      ...own,
      startMs: round(own.startMs + engineMs),
      residentMb: own.residentMb + (await residentMb(engine.pid)),
    };
  } finally {
    await engine.stop();
    await rm(folder, { recursive: true });
  }
}

async function figures(environment: Record<string, string>): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), "metaction-bench-"));
  const startMs = await medianOf(STARTS, () => startOnce(folder, environment));
  const service = await startProcess(folder, environment);
  const lean = createLeanClient(service.url);
  try {
    const token = await becomeAdministrator(service);
    const call = async (action: string, payload: object): Promise<void> => {
      const { status, body } = await lean.call(action, payload, token);
      if (status !== 200) throw new Error(`${action} answered ${status} ${body}`);
    };
    for (let i = 0; i < CLIENTS; i++) await call("model/model_create", { key: `m${i}`, name: `M ${i}` });
    const create = (client: number, n: number) =>
      call("model/entity_create", { modelRef: `key:m${client}`, entityKey: `e${n}` });
    const createsPerSecond = await perSecond(create);
    const readsPerSecond = await perSecond((client) =>
      call("model/entity_get", { modelRef: `key:m${client}`, entityRef: "key:e0" }),
    );
    let n = 0;
    const oneCreateMs = await medianOf(ONE_BY_ONE, () => timed(() => create(0, 1_000_000 + n++)));
    const fields = Array.from({ length: FIELDS }, (_, i) => ({ name: `f${i}`, type: "string" }));
    await call("model/import", { content: { name: "wide", fields } });
    // A change before each, so that nothing held in memory answers it.
    const exportMs = await medianOf(EXPORTS, async (i) => {
      await call("model/model_update_name", { modelRef: "key:wide", name: `Wide ${i}` });
      return timed(() => call("model/model_export", { modelRef: "key:wide" }));
    });
    return {
      startMs,
      createsPerSecond,
      readsPerSecond,
      oneCreateMs,
      exportMs,
      residentMb: await residentMb(service.pid),
    };
  } finally {
    lean.close();
    await stop(service);
    await rm(folder, { recursive: true });
  }
}

/** Milliseconds from the start of a process to its first healthy answer. */
function startOnce(folder: string, environment: Record<string, string>): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, START, {
    env: { PATH: process.env.PATH, PORT: "0", METACTION_DATA_DIR: folder, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  return new Promise((resolve, reject) => {
    child.stderr.once("data", async (said: Buffer) => {
      const url = /Metaction answers on (\S+)/.exec(said.toString("utf8"))?.[1];
      if (!url) return reject(new Error(`it did not start: ${said}`));
      await new Promise((answered) => get(`${url}/health`, (response) => response.resume().on("end", answered)));
      const ms = performance.now() - begun;
      child.kill("SIGINT");
      await gone;
      resolve(ms);
    });
  });
}

async function perSecond(work: (client: number, n: number) => Promise<void>): Promise<number> {
  const until = performance.now() + SECONDS * 1_000;
  let done = 0;
  const client = async (number: number): Promise<void> => {
    for (let n = 0; performance.now() < until; n++) {
      await work(number, n);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i)));
  return Math.round(done / SECONDS);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function medianOf(count: number, measure: (i: number) => Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let i = 0; i < count; i++) all.push(await measure(i));
  return round(all.sort((a, b) => a - b)[Math.floor(count / 2)] ?? 0);
}

async function residentMb(pid: number): Promise<number> {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1_000);
}

const round = (value: number): number => Math.round(value * 10) / 10;

async function stop(service: LocalProcess): Promise<void> {
  await service.interrupt();
}
