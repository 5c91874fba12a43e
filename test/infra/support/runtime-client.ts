import type { IncomingMessage } from "node:http";
import { createRequire } from "node:module";

/* Program of a function: loads the handler, then answers events, like the Lambda Runtime client of AWS. */

const require = createRequire(__filename);
// Modules that aws-lambda-ric loads before a function.
for (const name of ["net", "http", "fs", "os", "util", "worker_threads"]) require(name);
const { request, Agent } = require("node:http") as typeof import("node:http");
const { existsSync, readFileSync, writeSync } = require("node:fs") as typeof import("node:fs");

/** Point in time and processor time of this process, in microseconds. */
type Moment = { readonly at: number; readonly cpu: number };

function moment(): Moment {
  const { user, system } = process.cpuUsage();
  return { at: Number(process.hrtime.bigint() / 1_000n), cpu: user + system };
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const api = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime`;

const ask = (
  method: string,
  path: string,
  body?: string,
): Promise<{ headers: IncomingMessage["headers"]; text: string }> =>
  new Promise((resolve, reject) => {
    const asked = request(`${api}/${path}`, { method, agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => resolve({ headers: answer.headers, text: Buffer.concat(chunks).toString("utf8") }));
    });
    asked.on("error", reject);
    asked.end(body);
  });

/** Returns the peak memory of this program. `maxRSS` would include the program that started it. */
function readPeakMemory(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
}

// Node.js writes a profile only when a process exits by itself.
process.once("SIGTERM", () => process.exit(0));

async function main() {
  const booted = moment();
  const [file = "", name = ""] = (process.env._HANDLER ?? "").split(".");
  const path = `${process.env.LAMBDA_TASK_ROOT}/${file}`;
  // Lambda prefers an ES module.
  const loadedModule = existsSync(`${path}.mjs`) ? await import(`${path}.mjs`) : require(`${path}.cjs`);
  const handler = loadedModule[name] as (event: unknown, context: object) => Promise<unknown>;
  const loaded = moment();
  while (true) {
    const { headers, text } = await ask("GET", "invocation/next");
    const received = moment();
    const end = Number(headers["lambda-runtime-deadline-ms"]);
    const answer = await handler(JSON.parse(text), { getRemainingTimeInMillis: () => end - Date.now() });
    const id = headers["lambda-runtime-aws-request-id"];
    await ask("POST", `invocation/${id}/response`, JSON.stringify(answer));
    const answered = moment();
    writeSync(3, `${JSON.stringify({ booted, loaded, received, answered, maxRssKilobytes: readPeakMemory() })}\n`);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
});
