import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import type { LocalProcess } from "../../../support/local-process.ts";

/** Calls of an action as a client sends them, at once; the answer of the first is told. */
export interface RawCall {
  readonly action: string;
  readonly body: string;
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly times?: number | undefined;
}

/** The outcome of a call, and what it did to the process meanwhile. Memory and processor time need `/proc`. */
export interface ProbedCall {
  /** HTTP status; `died` if the process ended, `late` if it had to be killed. */
  readonly status: number | "died" | "late";
  /** Code of the problem, with the limits that it names. */
  readonly problem: string;
  readonly ms: number;
  /** Longest time that `/health` took during the call, in milliseconds. */
  readonly delayMs: number;
  /** Time of it in which the main thread had a processor: what remains on a machine without other work. */
  readonly busyMs: number;
  /** Largest resident memory of the process, and that before the call, in MB. */
  readonly peakMb: number;
  readonly startMb: number;
}

/** Milliseconds between two requests to `/health`, and for which the process is probed after the answer. */
const PROBE_MS = 20;
const AFTERMATH_MS = 100;
/** Bytes of the longest answer that is read. */
const READ_BYTES = 10_000_000;

/** A connection for one request: a service that was busy for long may close one that is kept as it is used again. */
export const NOT_KEPT = { connection: "close" };

interface Received {
  readonly status: number | "late" | "died";
  readonly text: string;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request. `fetch` loses the end of long answers on connections that close after them. */
async function send(url: string, { body, headers, ...options }: Sent = {}): Promise<Received> {
  const sent = request(url, { ...options, headers: { "accept-encoding": "gzip", ...headers } });
  sent.end(body);
  // The event has one argument.
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const sentBytes = await buffer(response);
  const bytes = response.headers["content-encoding"] === "gzip" ? gunzipSync(sentBytes) : sentBytes;
  return { status: response.statusCode ?? 0, text: bytes.length < READ_BYTES ? bytes.toString("utf8") : "" };
}

/** Reads the resident memory, its peak, and the time that the main thread had a processor. */
function readUsage(pid: number): { readonly mb: number; readonly peakMb: number; readonly busyMs: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const readMb = (name: string) => Math.round(Number(status.split(`${name}:`)[1]?.split("kB")[0]) / 1_024);
    const [busyNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
    return { mb: readMb("VmRSS"), peakMb: readMb("VmHWM"), busyMs: Number(busyNs) / 1e6 };
  } catch {
    return undefined;
  }
}

/** Asks `/health` one time after the other, on a connection that no call uses meanwhile, and watches the process. */
class HealthProbe {
  readonly #service: LocalProcess;
  readonly #timer: NodeJS.Timeout;
  #asked: { readonly at: number; readonly busyMs: number } | undefined;
  longest = { delayMs: 0, busyMs: 0 };
  peakMb = Number.NaN;

  constructor(service: LocalProcess) {
    this.#service = service;
    this.#timer = setInterval(() => this.#tick(), PROBE_MS);
  }

  #tick() {
    const usage = readUsage(this.#service.pid);
    this.peakMb = usage?.peakMb ?? this.peakMb;
    if (this.#asked) return;
    this.#asked = { at: performance.now(), busyMs: usage?.busyMs ?? Number.NaN };
    // A process that ended also answers the call with an error.
    send(`${this.#service.url}/health`).then(
      () => this.#note(),
      () => this.#note(),
    );
  }

  #note() {
    const asked = this.#asked;
    this.#asked = undefined;
    const delayMs = asked ? performance.now() - asked.at : 0;
    if (!asked || delayMs <= this.longest.delayMs) return;
    const { busyMs = Number.NaN } = readUsage(this.#service.pid) ?? {};
    this.longest = { delayMs, busyMs: busyMs - asked.busyMs };
  }

  /** Ends with the answer to the last request, or after `patienceMs`. */
  async stop(patienceMs: number): Promise<void> {
    clearInterval(this.#timer);
    for (let waitedMs = 0; this.#asked && waitedMs < patienceMs; waitedMs += 5) await wait(5);
    this.#note();
  }
}

/**
 * Makes a call while `/health` is asked all the while. A job that it becomes is part of it. Kills a process that is not done
 * after `patienceMs`.
 */
export async function probeCall(service: LocalProcess, call: RawCall, patienceMs: number): Promise<ProbedCall> {
  const { mb: startMb = Number.NaN } = readUsage(service.pid) ?? {};
  const probe = new HealthProbe(service);
  const began = performance.now();
  const giveUp = new AbortController();
  let outcome: Received | undefined;
  try {
    outcome = await Promise.race([
      callAndFinish(service, call),
      wait<Received>(patienceMs, { status: "late", text: "" }, { signal: giveUp.signal }),
    ]);
  } catch (error) {
    if (readUsage(service.pid)) throw error;
    outcome = { status: "died", text: "" };
  } finally {
    giveUp.abort();
    const isAnswered = typeof outcome?.status === "number";
    if (isAnswered) await wait(AFTERMATH_MS);
    await probe.stop(isAnswered ? patienceMs : 0);
    if (outcome?.status === "late") await service.kill();
  }
  const { status, text } = outcome;
  const ms = performance.now() - began;
  return { status, problem: describeProblem(text), ms, ...probe.longest, peakMb: probe.peakMb, startMb };
}

async function callAndFinish(
  { url }: LocalProcess,
  { action, body, token, headers, times = 1 }: RawCall,
): Promise<Received> {
  const common = { ...NOT_KEPT, "content-type": "application/json", authorization: `Bearer ${token}` };
  const init = { method: "POST", headers: { ...common, ...headers }, body };
  const answers = await Promise.all(Array.from({ length: times }, () => send(`${url}/api/${action}`, init)));
  const [answer = { status: 0, text: "" }] = answers;
  if (answer.status !== 202) return answer;
  const job = `${url}/api/batch/job_get?jobRef=${JSON.parse(answer.text).job}`;
  for (;;) {
    const { text } = await send(job, { headers: common });
    const { state, problem } = JSON.parse(text);
    if (state === "done" || problem) return { ...answer, text: JSON.stringify(problem ?? {}) };
    await wait(100);
  }
}

/** Returns the code of a problem, and the limits that its texts name. */
function describeProblem(text: string): string {
  // An answer for people begins with another letter.
  if (!text.startsWith("{")) return "";
  const { code, detail, errors } = JSON.parse(text);
  const limits = [...JSON.stringify([detail, errors]).matchAll(/\(limit (\w+)\)/g)].map(([, name]) => name);
  return typeof code === "string" ? [code, ...new Set(limits)].join(" ") : "";
}
