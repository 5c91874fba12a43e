import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHttpServer, type HttpServer } from "../../local/server.ts";
import { createChain } from "../../shared/service/chain.ts";
import { OPTIONS } from "../http/support/transports.ts";
import { type FuzzResponse, textOf } from "./support/fuzz/exchange.ts";
import { damaged, goodMessage, type Message, oddMessages, type Parts } from "./support/fuzz/messages.ts";
import { documentFaults, INTERNALS, parsed } from "./support/fuzz/oracle.ts";
import { type ClosedInternet, openClosedInternet } from "./support/fuzz/source.ts";
import { fuzzRun, share } from "./support/fuzz/suite.ts";
import { createFuzzWorld, type FuzzWorld, listCommits } from "./support/fuzz/world.ts";
import { samplePayload } from "./support/payloads.ts";

/** The answer to bytes on a connection: the responses in order, and the bytes that were no response. */
interface WireAnswer {
  readonly responses: readonly FuzzResponse[];
  /** Bytes after the last response that are none; empty where all is in order. */
  readonly rest: string;
  readonly ms: number;
}

/** How long a server may take to answer bytes it was sent, or to close their connection, in milliseconds. */
const PATIENCE_MS = 6_000;

/** Sends bytes on a new connection, ends the input after `quietMs` of silence, and reads the whole answer. */
function sendBytes(port: number, bytes: Uint8Array, quietMs: number): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const late = setTimeout(() => {
      socket.destroy();
      const sent = JSON.stringify(Buffer.from(bytes).toString("latin1").slice(0, 400));
      reject(new Error(`no answer and no end within ${PATIENCE_MS} ms to ${sent}`));
    }, PATIENCE_MS);
    const quiet = setTimeout(() => socket.end(), quietMs);
    socket.on("connect", () => socket.write(bytes));
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      quiet.refresh();
    });
    // A server may cut off a caller who goes on sending; what it said before counts.
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    socket.on("close", () => {
      clearTimeout(late);
      clearTimeout(quiet);
      resolve({ ...responsesOf(Buffer.concat(chunks)), ms: performance.now() - began });
    });
  });
}

/** The responses in a stream of bytes (RFC 9112), each with a length or without a body. */
function responsesOf(bytes: Buffer): Omit<WireAnswer, "ms"> {
  const responses: FuzzResponse[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf("\r\n\r\n", at);
    const [first = "", ...lines] = end < 0 ? [] : bytes.subarray(at, end).toString("latin1").split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (end < 0 || !status) break;
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const length = status === 100 ? 0 : Number(headers["content-length"] ?? 0);
    const body = bytes.subarray(end + 4, end + 4 + length);
    at = end + 4 + length;
    if (status === 100) continue;
    responses.push({ status, headers, text: textOf(headers, body), ms: 0 });
  }
  return { responses, rest: bytes.subarray(at).toString("latin1") };
}

const TITLE = "fuzz of bytes on the wire";
const run = fuzzRun(TITLE);
const slowest = { ms: 0, what: "nothing" };
const statuses = new Map<string, number>();
let internet: ClosedInternet | undefined;
let server: HttpServer | undefined;
let world: FuzzWorld;
let port = 0;

beforeAll(async () => {
  internet = await openClosedInternet();
  world = await createFuzzWorld(internet.importer, run.seed);
  const handleRequest = createChain(world.service, { ...OPTIONS, log: () => undefined });
  server = createHttpServer({ handleRequest, newId: randomUUID, limits: { headersMs: 1_000, requestMs: 2_000 } });
  port = await server.listen(0, "127.0.0.1");
});
afterAll(async () => {
  await server?.close(100);
  await internet?.close();
  const endings = [...statuses].map(([status, times]) => `${status} x ${times}`).join(", ");
  process.stdout.write(`${TITLE}: ${endings}; slowest ${Math.round(slowest.ms)} ms (${slowest.what})\n`);
});

/** A read and a write on the world: every message is made of one of them. */
async function partsOf(name: string): Promise<Parts> {
  const payload = samplePayload(await world.service.registry.find("model", name), world.known, run.seed);
  return { path: `/api/model/${name}`, token: world.world.people.admin, body: ascii(JSON.stringify(payload)) };
}

/** The same JSON without a byte over 127, so that characters and bytes of a message are the same. */
function ascii(json: string): string {
  return json.replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const TOGETHER = 12;

/** Sends messages, some at a time, and compares what was written with the answers. */
async function faultsOf(messages: readonly Message[], quietMs: number, mustAnswer: boolean) {
  world.takeWritten();
  const faults: string[] = [];
  const seen = { changed: 0, unanswered: 0 };
  const waiting = [...messages];
  const line = async () => {
    for (let message = waiting.shift(); message; message = waiting.shift()) {
      const answer = await sendBytes(port, message.bytes, quietMs);
      count(message, answer);
      if (answer.responses.length === 0) {
        seen.unanswered += 1;
        if (mustAnswer && !message.silent) faults.push(`no answer <- ${said(message)}`);
      }
      seen.changed += answer.responses.filter((r) => r.status === 200 && parsed(r.text)?.changed === true).length;
      for (const fault of wireFaults(answer)) faults.push(`${fault} <- ${said(message)}`);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, line));
  const written = world.takeWritten();
  const made = listCommits(written).length;
  if (made < seen.changed || made > seen.changed + seen.unanswered)
    faults.push(`${made} commits for ${seen.changed} answers that say so and ${seen.unanswered} without an answer`);
  if (made === 0 && written.length > 0) faults.push("items were written without a commit");
  return faults;
}

function count({ tries, silent }: Message, { responses, ms }: WireAnswer) {
  if (ms > slowest.ms) Object.assign(slowest, { ms, what: tries });
  const none = silent ? "none, as it should be" : "none";
  for (const status of responses.length === 0 ? [none] : responses.map((r) => String(r.status)))
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

/** Whatever came back is HTTP, and every refusal in it a problem document. */
function wireFaults({ responses, rest, ms }: WireAnswer): readonly string[] {
  const faults = rest === "" ? [] : [`bytes that are no response: ${JSON.stringify(rest.slice(0, 200))}`];
  if (ms > 5_000) faults.push(`took ${Math.round(ms)} ms`);
  for (const { status, headers, text } of responses) {
    if (status >= 500) faults.push(`status ${status}`);
    if (!headers["x-request-id"]) faults.push(`${status} without X-Request-Id`);
    if (status < 400 || text === "") continue;
    faults.push(...documentFaults({ status, headers, text, ms }));
    if (INTERNALS.test(text)) faults.push(`tells internals: ${text.slice(0, 300)}`);
  }
  return faults;
}

const said = ({ tries, bytes }: Message) =>
  `${tries}: ${JSON.stringify(Buffer.from(bytes).toString("latin1").slice(0, 700))}`;

describe(TITLE, { timeout: 600_000 }, () => {
  test("a valid message is answered with 200", async () => {
    for (const name of ["model_get", "model_update_description"]) {
      const { responses, rest } = await sendBytes(port, Buffer.from(goodMessage(await partsOf(name))), 5_000);
      expect([responses.map((r) => r.status), rest]).toEqual([[200], ""]);
    }
  });

  test("bytes after a call on its connection do not replace its answer", async () => {
    for (const rest of ["hello\r\n\r\n", "}", "\0"]) {
      const name = `Renamed before ${JSON.stringify(rest)}`;
      const { path, token, body } = await partsOf("model_update_name");
      const good = goodMessage({ path, token, body: JSON.stringify({ ...parsed(body), name }) });
      const { responses } = await sendBytes(port, Buffer.from(good.replace("Connection: close\r\n", "") + rest), 5_000);
      const [first, ...others] = responses;
      const changed = parsed(first?.text ?? "")?.changed;
      expect([first?.status, changed], `followed by ${JSON.stringify(rest)}`).toEqual([200, true]);
      expect(others.every(({ status }) => status === 400)).toBe(true);
    }
  });

  test("unusual messages are answered as documented", async () => {
    for (const name of ["model_get", "model_update_description"])
      expect(await faultsOf(oddMessages(await partsOf(name)), 1_500, true)).toEqual([]);
  });

  test("a damaged message is at most refused, and the service continues", async () => {
    for (const name of ["model_update_name", "model_delete"]) {
      const messages = fc.sample(damaged(await partsOf(name)), { seed: run.seed, numRuns: share(run, 0.03) });
      expect(await faultsOf(messages, 250, false), `METACTION_SEED=${run.seed}`).toEqual([]);
      const health = Buffer.from("GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      expect((await sendBytes(port, health, 5_000)).responses.map((r) => r.status)).toEqual([200]);
    }
  });
});
