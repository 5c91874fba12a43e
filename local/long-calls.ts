import { Worker } from "node:worker_threads";
import type { JobOutcome } from "../shared/actions/pipeline/run-job.ts";
import { LIMITS } from "../shared/domain/limits.ts";
import { Problem } from "../shared/domain/problems.ts";
import type { PlainResponse, ReceivedRequest } from "../shared/http/request.ts";
import type { ServiceFacts } from "./composition.ts";

/** Work for a thread: a request to answer, or a job to run until `deadline` in milliseconds since the epoch. */
export type LongWork = { readonly request: ReceivedRequest } | { readonly job: string; readonly deadline: number };

/** Message of a thread. The last one of a piece of work has `response`, `outcome` or `failure`. */
export type ThreadMessage =
  | { readonly response: PlainResponse }
  | { readonly outcome: JobOutcome }
  | { readonly failure: string }
  | { readonly logLine: string }
  | { readonly startJob: string }
  /** Sent before a transaction, which may be applied even if the thread then dies. */
  | { readonly event: "commit" | "accounts-changed" };

/** What the process does for its threads. */
export interface ThreadHost {
  readonly log: (line: string) => void;
  readonly onAccountsChanged: () => void;
  readonly startJob: (id: string) => void;
  /** Megabytes of the heap of a thread; `LIMITS.longCallMegabytes` unless given. */
  readonly megabytes?: number | undefined;
}

/** Runs long calls and jobs in threads of this process, so that they delay no other call. */
export interface LongCalls {
  /** Answers a request and writes its log line. Rejects with `too_large`, `out_of_time` or `unavailable` if its thread ended. */
  readonly answer: (request: ReceivedRequest, actorId: string | undefined) => Promise<PlainResponse>;
  /** Runs a job. Rejects if its thread ended; then another run continues the job. */
  readonly runJob: (id: string) => Promise<JobOutcome>;
  stop(): Promise<void>;
}

/** Milliseconds that one run of a job may take: as long as a Lambda function. */
const JOB_MS = 15 * 60_000;
/** Milliseconds after its deadline at which a call is given up; the chain would answer later. */
const GRACE_MS = 250;
/** Milliseconds after which a thread without work ends, which frees its memory. */
const IDLE_MS = 60_000;

/** Creates the threads for long calls, and one for jobs. Each starts with its first work. `now` is in milliseconds. */
export function createLongCalls(facts: ServiceFacts, now: () => number, host: ThreadHost): LongCalls {
  const threads = Array.from({ length: LIMITS.longCalls }, () => new WorkThread(facts, now, host));
  const jobThread = new WorkThread(facts, now, host);
  const queue = new CallQueue(threads, now);
  return {
    answer: async (request, actorId) => {
      const thread = await queue.take(actorId, request.deadline);
      try {
        const last = await thread.run({ request }, request.deadline + GRACE_MS);
        if ("response" in last) return last.response;
        throw new Error("failure" in last ? last.failure : "a call was run as a job");
      } finally {
        queue.give(thread);
      }
    },
    runJob: async (job) => {
      const deadline = now() + JOB_MS;
      const last = await jobThread.run({ job, deadline }, deadline + GRACE_MS);
      if ("outcome" in last) return last.outcome;
      throw new Error("failure" in last ? last.failure : "a job was run as a call");
    },
    stop: async () => {
      await Promise.all([...threads, jobThread].map((thread) => thread.end()));
    },
  };
}

interface WaitingCall {
  readonly actorId: string | undefined;
  readonly start: (thread: WorkThread) => void;
}

/** Calls that wait for a thread, in order, but a caller with a running call is behind those without. */
class CallQueue {
  readonly #now: () => number;
  readonly #free: WorkThread[];
  readonly #actors = new Map<WorkThread, string | undefined>();
  readonly #waiting: WaitingCall[] = [];

  constructor(threads: readonly WorkThread[], now: () => number) {
    this.#now = now;
    this.#free = [...threads];
  }

  /** Returns a free thread. Rejects with `unavailable` if there is none by the deadline. */
  take(actorId: string | undefined, deadline: number): Promise<WorkThread> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(call), 1);
        const detail = `${LIMITS.longCalls} long calls are running already (limit longCalls), and none ended in time; try again`;
        reject(new Problem("unavailable", detail, { retryAfter: 5 }));
      }, deadline - this.#now());
      const call: WaitingCall = {
        actorId,
        start: (thread) => {
          clearTimeout(timer);
          this.#actors.set(thread, actorId);
          resolve(thread);
        },
      };
      this.#waiting.push(call);
      this.#startNext();
    });
  }

  give(thread: WorkThread): void {
    this.#actors.delete(thread);
    this.#free.push(thread);
    this.#startNext();
  }

  #startNext() {
    if (this.#waiting.length === 0) return;
    // The thread that was used last is the one that has its code and models in memory.
    const thread = this.#free.pop();
    if (!thread) return;
    const running = new Set(this.#actors.values());
    const index = this.#waiting.findIndex(({ actorId }) => !running.has(actorId));
    const [call] = this.#waiting.splice(Math.max(0, index), 1);
    call?.start(thread);
  }
}

type LastMessage = Extract<ThreadMessage, { response: unknown } | { outcome: unknown } | { failure: unknown }>;

interface RunningWork {
  readonly resolve: (message: LastMessage) => void;
  readonly reject: (error: Error) => void;
  hasCommitted: boolean;
}

/** One thread, which does one piece of work at a time. It is started for the first, and again if it has ended. */
class WorkThread {
  readonly #facts: ServiceFacts;
  readonly #now: () => number;
  readonly #host: ThreadHost;
  #worker: Worker | undefined;
  #running: RunningWork | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(facts: ServiceFacts, now: () => number, host: ThreadHost) {
    this.#facts = facts;
    this.#now = now;
    this.#host = host;
  }

  /** Runs a piece of work. Ends the thread and rejects with `out_of_time` after `giveUpAt`, in milliseconds since the epoch. */
  async run(work: LongWork, giveUpAt: number): Promise<LastMessage> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const timer = setTimeout(() => this.#fail(worker, createLateProblem()), giveUpAt - this.#now());
    try {
      return await new Promise<LastMessage>((resolve, reject) => {
        this.#running = { resolve, reject, hasCommitted: false };
        worker.postMessage(work);
      });
    } finally {
      clearTimeout(timer);
      this.#running = undefined;
      this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#running?.reject(new Problem("unavailable", "the service is being stopped", { retryAfter: 1 }));
    await worker?.terminate();
  }

  #start(): Worker {
    const { log, onAccountsChanged, startJob, megabytes = LIMITS.longCallMegabytes } = this.#host;
    const worker = new Worker(THREAD, {
      workerData: this.#facts,
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
    });
    worker.unref();
    worker.on("message", (message: ThreadMessage) => {
      if ("logLine" in message) log(message.logLine);
      else if ("startJob" in message) startJob(message.startJob);
      else if (!("event" in message)) this.#running?.resolve(message);
      else if (message.event === "accounts-changed") onAccountsChanged();
      else if (this.#running) this.#running.hasCommitted = true;
    });
    worker.on("error", (error: NodeJS.ErrnoException) => {
      this.#fail(worker, error.code === "ERR_WORKER_OUT_OF_MEMORY" ? createMemoryProblem(megabytes) : error);
    });
    worker.on("exit", () => this.#fail(worker, new Error("the thread of the call ended")));
    return worker;
  }

  /** Ends the thread and the call that it runs. */
  #fail(worker: Worker, error: Error) {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    worker.terminate();
    const isUncertain = this.#running?.hasCommitted === true && error instanceof Problem;
    this.#running?.reject(isUncertain ? createLateProblem() : error);
  }
}

/** The file of a thread: TypeScript next to this file, JavaScript in the package. */
const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./call-thread.ts" : "./call-thread.js", import.meta.url);

function createMemoryProblem(megabytes: number): Problem {
  const detail = `The call needs more memory than a call may use, ${megabytes} MB (limit longCallMegabytes); nothing was changed. Split the source, or ask for less at once`;
  return new Problem("too_large", detail);
}

function createLateProblem(): Problem {
  return new Problem("out_of_time", "The call took too long; read again before repeating a change");
}
