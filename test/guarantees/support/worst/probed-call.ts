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
  /** Processor time of the process, in milliseconds. Undefined without `/proc`. */
  readonly cpuMs: number | undefined;
  /** Largest resident memory of the process, and that before the call, in MB. Undefined without `/proc`. */
  readonly peakMb: number | undefined;
  readonly startMb: number | undefined;
}

/** Milliseconds between two requests to `/health`. */
const PROBE_MS = 20;
/** Milliseconds after which a call, with its job, is given up: twice its deadline and more. */
const PATIENCE_MS = 60_000;
/** Milliseconds after the answer for which the process is still probed: it may work on. */
const AFTERMATH_MS = 100;

interface Received {
  readonly status: number;
  readonly text: string;
}

/** Sends a request and reads the answer. Keeps the text of short answers only. */
function send(url: string, options: RequestOptions, body?: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
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
  #longestMs = 0;
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
    send(`${this.#service.url}/health`, { agent: this.#agent }).then(
      () => this.#note(),
      // The process ended: the call tells.
      () => this.#note(),
    );
  }

  #note() {
    this.#longestMs = this.longestMs;
    this.#askedAt = undefined;
  }

  /** Ends with the answer to the last request. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    for (let waitedMs = 0; this.#askedAt !== undefined && waitedMs < PATIENCE_MS; waitedMs += 5) await wait(5);
    this.#agent.destroy();
  }
}

function readMegabytes(pid: number, member: "VmHWM" | "VmRSS"): number | undefined {
  try {
    const [, kilobytes] =
      new RegExp(`^${member}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1_024);
  } catch {
    return undefined;
  }
}

/** Reads user and system time in milliseconds: members 14 and 15 of the line, of 10 ms each. */
function readCpuTime(pid: number): number | undefined {
  try {
    const members = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return 10 * (Number(members[11]) + Number(members[12]));
  } catch {
    return undefined;
  }
}

/** Makes a call while `/health` is asked all the while. A job that it becomes is part of it. Kills a process that is too late. */
export async function probeCall(service: LocalProcess, call: RawCall): Promise<ProbedCall> {
  const startMb = readMegabytes(service.pid, "VmRSS");
  const probe = new HealthProbe(service);
  const began = performance.now();
  const giveUp = new AbortController();
  const outcome = await Promise.race([
    callAndFinish(service, call).catch(() => ({ status: "died" as const, text: "" })),
    wait(PATIENCE_MS, { status: "late" as const, text: "" }, { signal: giveUp.signal }),
  ]);
  giveUp.abort();
  const ms = performance.now() - began;
  if (outcome.status === "late") await service.kill();
  else if (outcome.status !== "died") await wait(AFTERMATH_MS);
  await probe.stop();
  const { longestMs: delayMs, peakMb, cpuMs } = probe;
  return { status: outcome.status, problem: describeProblem(outcome.text), ms, delayMs, cpuMs, peakMb, startMb };
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
