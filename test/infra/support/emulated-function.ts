import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { json as readJson } from "node:stream/consumers";
import { serve } from "../../formats/source-server.ts";
import type { CpuShare } from "./cpu-share.ts";

/** A function as it is deployed: the folder of its code, its handler setting, its environment and its size. */
export interface DeployedFunction {
  readonly folder: string;
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
}

/** Times of a call: start of the program, end of its loading, arrival of the event, and receipt of the answer. */
const STEPS = ["booted", "loaded", "received", "answered"] as const;
type Figures = { readonly [figure in `${(typeof STEPS)[number]}${"Wall" | "Cpu"}`]: number };

/** Times of one call in a process, in milliseconds; the wall from the start of the process, the CPU of the whole process. */
export interface Times extends Figures {
  readonly maxRssMegabytes: number;
}

export interface RunningFunction {
  /** Hands it an event; answers what it answered, and its times. */
  invoke(event: object): Promise<{ readonly answer: unknown; readonly times: Times }>;
  stop(): Promise<void>;
}

export interface StartOptions {
  /** The bundled program of `runtime-client.ts`. */
  readonly client: string;
  /** Holds the process to a share of a processor once it is loaded: its start has a whole one, as in Lambda. */
  readonly share?: CpuShare | undefined;
  readonly nodeArguments?: readonly string[];
}

type Moment = { readonly at: number; readonly cpu: number };

/** Starts a process as Lambda does, with its own address of the Runtime API. */
export async function startFunction(deployed: DeployedFunction, options: StartOptions): Promise<RunningFunction> {
  const api = await openRuntimeApi(deployed.timeoutSeconds);
  const { folder, handler, environment, memoryMegabytes } = deployed;
  const began = Number(process.hrtime.bigint() / 1_000n);
  const child = spawn(
    process.execPath,
    [...createMemoryFlags(memoryMegabytes), ...(options.nodeArguments ?? []), options.client],
    {
      env: {
        ...environment,
        PATH: process.env.PATH,
        _HANDLER: handler,
        LAMBDA_TASK_ROOT: folder,
        AWS_LAMBDA_RUNTIME_API: api.address,
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMegabytes),
      },
      stdio: ["ignore", "ignore", "inherit", "pipe"],
    },
  );
  let release: (() => void) | undefined;
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the function ended with ${code}`);
  });
  ended.catch(() => undefined);
  const lines = createLineReader(child.stdio[3] as Readable);
  return {
    invoke: async (event) => {
      await Promise.race([api.waitUntilAsked(), ended]);
      if (!release && options.share && child.pid !== undefined) release = options.share.hold(child.pid);
      const answer = await Promise.race([api.hand(event), ended]);
      const line = await Promise.race([lines(), ended]);
      return { answer, times: toTimes(JSON.parse(line), began) };
    },
    stop: async () => {
      release?.();
      child.kill("SIGTERM");
      await ended.catch(() => undefined);
      api.stop();
    },
  };
}

/** Returns the heap limits of Node.js in Lambda: a tenth of the memory is for the young generation. */
export function createMemoryFlags(megabytes: number): readonly string[] {
  const young = Math.floor(megabytes / 10);
  return [`--max-semi-space-size=${Math.floor(young / 2)}`, `--max-old-space-size=${megabytes - young}`];
}

async function openRuntimeApi(timeoutSeconds: number) {
  let waiting: ServerResponse | undefined;
  let resolveAsked = (): void => undefined;
  let resolveAnswer: (answer: unknown) => void = () => undefined;
  const server = await serve(async (request, response) => {
    if (request.method === "GET") {
      waiting = response;
      return resolveAsked();
    }
    const answer = await readJson(request);
    response.writeHead(202).end();
    resolveAnswer(answer);
  });
  return {
    address: `127.0.0.1:${server.port}`,
    waitUntilAsked: async () => {
      if (!waiting) {
        await new Promise<void>((resolve) => {
          resolveAsked = resolve;
        });
      }
    },
    hand: (event: object) =>
      new Promise<unknown>((resolve) => {
        resolveAnswer = resolve;
        waiting?.writeHead(200, {
          "content-type": "application/json",
          "lambda-runtime-aws-request-id": "1",
          "lambda-runtime-deadline-ms": String(Date.now() + timeoutSeconds * 1_000),
        });
        waiting?.end(JSON.stringify(event));
        waiting = undefined;
      }),
    stop: () => server.close(),
  };
}

function createLineReader(stream: Readable): () => Promise<string> {
  const lines: string[] = [];
  let left = "";
  let tell = (): void => undefined;
  stream.on("data", (chunk: Buffer) => {
    const parts = (left + chunk.toString("utf8")).split("\n");
    left = parts.pop() ?? "";
    lines.push(...parts);
    tell();
  });
  return async () => {
    while (lines.length === 0) {
      await new Promise<void>((resolve) => {
        tell = resolve;
      });
    }
    return lines.shift() ?? "";
  };
}

function toTimes(
  report: { readonly [step in (typeof STEPS)[number]]: Moment } & { readonly maxRssKilobytes: number },
  start: number,
): Times {
  const figures = STEPS.flatMap((step) => [
    [`${step}Wall`, (report[step].at - start) / 1_000],
    [`${step}Cpu`, report[step].cpu / 1_000],
  ]);
  return { ...(Object.fromEntries(figures) as Figures), maxRssMegabytes: report.maxRssKilobytes / 1_000 };
}
