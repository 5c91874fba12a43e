import { readFileSync } from "node:fs";
import { Agent, type RequestOptions, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import type { LocalProcess } from "../../../support/local-process.ts";

/** One call of an action as the client sends it. */
export interface RawCall {
  readonly action: string;
  readonly body: string;
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The outcome of a call, and what it did to the process meanwhile. */
export interface ProbedCall {
  /** HTTP status; `died` if the process ended, `late` if it had to be killed. */
  readonly status: number | "died" | "late";
  /** Code of the problem, with the limit that it names. */
  readonly problem: string;
  readonly ms: number;
  /** Longest time that `/health` took during the call, in milliseconds. */
  readonly delayMs: number;
  /** Time of it in which the main thread had a processor: what remains on a machine without other work. */
  readonly busyMs: number | undefined;
  /** Processor time of the process, in milliseconds. Undefined without `/proc`. */
  readonly cpuMs: number | undefined;
  /** Largest resident memory of the process, and that before the call, in MB. Undefined without `/proc`. */
  readonly peakMb: number | undefined;
  readonly startMb: number | undefined;
}

/** Milliseconds between two requests to `/health`. */
const PROBE_MS = 20;
/** Milliseconds after the answer for which the process is still probed: it may work on. */
const AFTERMATH_MS = 100;

interface Received {
  readonly status: number;
  readonly text: string;
}

/** A connection for each call: one that is kept could be closed by a service that was busy for long. */
const CALLS = new Agent({ keepAlive: false });

/** Sends a request and reads the answer. Keeps the text of short answers only. */
function send(url: string, options: RequestOptions, body?: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: CALLS, ...options }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes < 1_000_000) chunks.push(chunk);
      });
      response.once("end", () => {
        const whole = Buffer.concat(bytes < 1_000_000 ? chunks : []);
        const text = response.headers["content-encoding"] === "gzip" && whole.length > 0 ? gunzipSync(whole) : whole;
        resolve({ status: response.statusCode ?? 0, text: text.toString("utf8") });
      });
      response.once("error", reject);
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

/** Asks `/health` over its own connection, one request after the other, and watches the memory of the process. */
class HealthProbe {
  readonly #service: LocalProcess;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #timer: NodeJS.Timeout;
  readonly #startCpuMs: number;
  #askedAt: number | undefined;
  #askedBusyMs: number | undefined;
  #longestMs = 0;
  busyMs: number | undefined;
  peakMb: number | undefined;
  cpuMs: number | undefined;

  constructor(service: LocalProcess) {
    this.#service = service;
    this.#startCpuMs = readCpuTime(service.pid) ?? 0;
    this.#timer = setInterval(() => this.#tick(), PROBE_MS);
  }

  get longestMs(): number {
    return Math.max(this.#longestMs, this.#askedAt === undefined ? 0 : performance.now() - this.#askedAt);
  }

  #tick() {
    this.peakMb = readMegabytes(this.#service.pid, "VmHWM") ?? this.peakMb;
    const cpuMs = readCpuTime(this.#service.pid);
    if (cpuMs !== undefined) this.cpuMs = cpuMs - this.#startCpuMs;
    if (this.#askedAt !== undefined) return;
    this.#askedAt = performance.now();
    this.#askedBusyMs = readMainThreadTime(this.#service.pid);
    send(`${this.#service.url}/health`, { agent: this.#agent }).then(
      () => this.#note(),
      // The process ended: the call tells.
      () => this.#note(),
    );
  }

  #note() {
    const ms = this.longestMs;
    if (ms > this.#longestMs) {
      const now = readMainThreadTime(this.#service.pid);
      this.busyMs = now === undefined || this.#askedBusyMs === undefined ? undefined : now - this.#askedBusyMs;
      this.#longestMs = ms;
    }
    this.#askedAt = undefined;
  }

  /** Ends with the answer to the last request; without `patienceMs` for it at once. */
  async stop(patienceMs: number): Promise<void> {
    clearInterval(this.#timer);
    for (let waitedMs = 0; this.#askedAt !== undefined && waitedMs < patienceMs; waitedMs += 5) await wait(5);
    this.#note();
    this.#agent.destroy();
  }
}

function readMegabytes(pid: number, member: "VmHWM" | "VmRSS"): number | undefined {
  const [, kilobytes] = new RegExp(`^${member}:\\s+(\\d+) kB`, "m").exec(readProcessFile(pid, "status") ?? "") ?? [];
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1_024);
}

/** Reads user and system time in milliseconds: members 14 and 15 of the line, of 10 ms each. */
function readCpuTime(pid: number): number | undefined {
  const members = readProcessFile(pid, "stat")?.split(") ")[1]?.split(" ");
  return members && 10 * (Number(members[11]) + Number(members[12]));
}

/** Reads the time that the main thread had a processor, in milliseconds. */
function readMainThreadTime(pid: number): number | undefined {
  const text = readProcessFile(pid, `task/${pid}/schedstat`);
  return text === undefined ? undefined : Number(text.split(" ")[0]) / 1e6;
}

function readProcessFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return undefined;
  }
}

/**
 * Makes a call while `/health` is asked all the while. A job that it becomes is part of it. Kills a process that is not done
 * after `patienceMs`.
 */
export async function probeCall(service: LocalProcess, call: RawCall, patienceMs = 60_000): Promise<ProbedCall> {
  const startMb = readMegabytes(service.pid, "VmRSS");
  const probe = new HealthProbe(service);
  const began = performance.now();
  const giveUp = new AbortController();
  const outcome = await Promise.race([
    callAndFinish(service, call).catch((error: unknown) => {
      if (readProcessFile(service.pid, "status") !== undefined) throw error;
      return { status: "died" as const, text: "" };
    }),
    wait(patienceMs, { status: "late" as const, text: "" }, { signal: giveUp.signal }),
  ])
    .catch(async (error: unknown) => {
      await probe.stop(0);
      throw error;
    })
    .finally(() => giveUp.abort());
  const ms = performance.now() - began;
  if (typeof outcome.status === "number") await wait(AFTERMATH_MS);
  await probe.stop(typeof outcome.status === "number" ? patienceMs : 0);
  if (outcome.status === "late") await service.kill();
  const { longestMs: delayMs, busyMs, peakMb, cpuMs } = probe;
  return {
    status: outcome.status,
    problem: describeProblem(outcome.text),
    ms,
    delayMs,
    busyMs,
    cpuMs,
    peakMb,
    startMb,
  };
}

async function callAndFinish(service: LocalProcess, { action, body, token, headers }: RawCall): Promise<Received> {
  const authorization = { authorization: `Bearer ${token}` };
  const answer = await send(
    `${service.url}/api/${action}`,
    {
      method: "POST",
      headers: { "content-type": "application/json", "accept-encoding": "gzip", ...authorization, ...headers },
    },
    body,
  );
  if (answer.status !== 202) return answer;
  const { job: jobRef } = JSON.parse(answer.text);
  for (;;) {
    const read = { method: "POST", headers: { "content-type": "application/json", ...authorization } };
    const job = await send(`${service.url}/api/batch/job_get`, read, JSON.stringify({ jobRef }));
    const { state, problem } = JSON.parse(job.text || "{}");
    if (state === "done") return answer;
    if (state === "failed" || state === "cancelled")
      return { status: 202, text: JSON.stringify(problem ?? { code: state }) };
    await wait(100);
  }
}

/** Returns the code of a problem, and the limits that its texts name. */
function describeProblem(text: string): string {
  if (text === "") return "";
  const { code = "", detail, errors } = JSON.parse(text);
  if (typeof code !== "string") return "";
  const limits = [...JSON.stringify([detail, errors]).matchAll(/\(limit (\w+)\)/g)].map(([, name]) => name);
  return [code, ...new Set(limits)].join(" ");
}
