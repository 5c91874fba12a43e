import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { RequestListener, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { promisify } from "node:util";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import { problemOf } from "./reading.ts";
import { type Listening, serve, serveTcp } from "./source-server.ts";

const SCHEMA = JSON.stringify({ name: "t", fields: [{ name: "a" }] });
const LEAK = "LEAK-4711";

const open: Listening[] = [];
afterEach(() => Promise.all(open.splice(0).map((s) => s.close())));

const sizes = { sourceBytes: 2_000_000, sourceRatio: 100, sourceRedirects: LIMITS.sourceRedirects };
/** Short times, for sources that never end. A busy machine needs more for the others. */
const limits = { ...sizes, sourceConnectMs: 200, sourceTotalMs: 600 };
const { sourceConnectMs, sourceTotalMs } = LIMITS;
const patient = createImporter({ allowPrivate: true, limits: { ...sizes, sourceConnectMs, sourceTotalMs } });
const hurried = createImporter({ allowPrivate: true, limits });

async function importFrom(server: Promise<Listening>, path = "/x.json", importer = patient) {
  const s = await server;
  open.push(s);
  return importer.read({ from: `http://127.0.0.1:${s.port}${path}` }, {});
}

const send = (body: Uint8Array | string, headers: Record<string, string> = {}): RequestListener => {
  return (_, response) => response.writeHead(200, headers).end(body);
};
const sendCoded = (coding: string, body: Uint8Array | string) => send(body, { "content-encoding": coding });

function flood(response: ServerResponse, chunk: Uint8Array) {
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
}

describe("a source is read", () => {
  test.each([
    ["plain", SCHEMA, {}],
    ["with more than 1,000,000 bytes", SCHEMA + " ".repeat(1_000_000), {}],
    ["with gzip", gzipSync(SCHEMA), { "content-encoding": "gzip" }],
    ["with deflate", deflateSync(SCHEMA), { "content-encoding": "deflate" }],
    ["with br", brotliCompressSync(SCHEMA), { "content-encoding": "BR" }],
    ["as text/plain", SCHEMA, { "content-type": "text/plain" }],
    ["with a byte order mark", `\ufeff${SCHEMA}`, {}],
  ])("%s", async (_, body, headers) => {
    const { document } = await importFrom(serve(send(body, headers)));
    expect(document.entities[0]?.attributes).toHaveLength(1);
  });

  test("after the permitted number of redirects", async () => {
    const hops: RequestListener = (request, response) => {
      const n = Number(request.url?.slice(1));
      if (n === 0) response.end(SCHEMA);
      else response.writeHead(301, { location: `./${n - 1}` }).end();
    };
    expect((await importFrom(serve(hops), `/${limits.sourceRedirects}`)).document.key).toBe("t");
    const problem = await problemOf(importFrom(serve(hops), `/${limits.sourceRedirects + 1}`));
    expect(problem.message).toMatch(/redirects more than 3 times/);
  });
});

const huge = Buffer.alloc(64_000, " ");
/** 3 MB of which a tenth is noise, so that they shrink to a tenth. */
const moderate = Buffer.concat(Array.from({ length: 30 }, () => [randomBytes(10_000), Buffer.alloc(90_000)]).flat());
/** Stored deflate blocks of no bytes (RFC 1951 section 3.2.4). */
const emptyBlocks = Buffer.from("000000ffff".repeat(10_000), "hex");
const gzipBomb = gzipSync(Buffer.alloc(50_000_000, " "));
const brotliBomb = brotliCompressSync(Buffer.alloc(50_000_000, " "));
const bomb = Buffer.alloc(1_900_000, " ");

/** Answers an address with another one; without one, the redirect leads nowhere. */
const redirect = (location?: string, body = ""): RequestListener => {
  return (_, response) => response.writeHead(302, location === undefined ? {} : { location }).end(body);
};
const repeat = (stream: ServerResponse | Socket, text: string) => {
  const timer = setInterval(() => stream.write(text), 20);
  stream.on("close", () => clearInterval(timer));
};

type Fault<Server> = readonly [what: string, server: Server, words: RegExp];

const LARGE: readonly Fault<RequestListener>[] = [
  ["never ends", (_, response) => flood(response, huge), /2000000 bytes/],
  [
    "never ends its compressed body",
    (_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      // Stored blocks: what is inside is as large as what is sent.
      flood(response, gzipSync(huge, { level: 0 }));
    },
    /2000000 bytes/,
  ],
  ["is a gzip bomb", sendCoded("gzip", gzipBomb), /too large|100 to 1/],
  ["is a br bomb", sendCoded("br", brotliBomb), /too large|100 to 1/],
  ["grows too large at a ratio that is allowed", sendCoded("gzip", gzipSync(moderate)), /at most 2000000 bytes/],
  [
    "never ends and holds nothing",
    (_, response) => {
      response.writeHead(200, { "content-encoding": "deflate" });
      response.write(Buffer.from([0x78, 0x01]));
      flood(response, emptyBlocks);
    },
    /too large; at most 2000000 bytes/,
  ],
  ["is compressed too well", sendCoded("gzip", gzipSync(bomb)), /100 to 1/],
];

const UNREADABLE: readonly Fault<RequestListener>[] = [
  ["never answers", () => {}, /took too long/],
  ["trickles", (_, response) => repeat(response, " "), /took too long/],
  ["is damaged gzip", sendCoded("gzip", `${LEAK}${SCHEMA}`), /compression is damaged/],
  ["is half a gzip", sendCoded("gzip", gzipSync(SCHEMA).subarray(0, 20)), /compression is damaged/],
  ["is damaged br", sendCoded("br", LEAK), /compression is damaged/],
  ["is compressed otherwise", sendCoded(`zstd, ${LEAK}`, SCHEMA), /compression is not supported/],
  ["redirects in a circle", redirect("/x.json"), /more than 3 times/],
  ["redirects nowhere", redirect(undefined, LEAK), /redirects to an invalid address/],
  ["redirects to nonsense", redirect(`http://[${LEAK}`), /redirects to an invalid address/],
  [
    "redirects with an endless body",
    (_, response) => flood(response.writeHead(302, { location: "/x.json" }), huge),
    /more than 3 times/,
  ],
  ["is a page", send(`<!doctype html><p>${LEAK}`, { "content-type": "text/html" }), /HTML or XML page/],
  ["is no JSON", send(`${LEAK} {`), /not JSON/],
  ["is other JSON", send(JSON.stringify({ [LEAK]: LEAK })), /neither a Table Schema/],
  ["nests too deep", send(`{"fields":${"[".repeat(100_000)}`), /deeper than 32/],
  ["is empty", send(""), /not JSON/],
  ...[201, 204, 206, 300, 304, 400, 401, 403, 404, 500, 503].map((status): Fault<RequestListener> => {
    const answer: RequestListener = (_, response) =>
      response.writeHead(status, LEAK).end([204, 304].includes(status) ? undefined : LEAK);
    return [`answers ${status}`, answer, new RegExp(`HTTP ${status}$`)];
  }),
];

const CONNECTIONS: readonly Fault<(socket: Socket) => void>[] = [
  ["never says a word", () => {}, /took too long/],
  ["breaks off", (s) => s.end(`HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n${LEAK}`), /was closed/],
  ["hangs up", (s) => s.destroy(), /was closed|no connection/],
  ["resets", (s) => s.resetAndDestroy(), /was closed|no connection/],
  ["speaks no HTTP", (s) => s.end(`SSH-2.0-${LEAK}\r\n`), /was closed/],
  ["has endless headers", (s) => s.write(`HTTP/1.1 200 OK\r\n${`x: ${LEAK}\r\n`.repeat(2_000)}`), /was closed/],
  ["only ever says continue", (s) => repeat(s, "HTTP/1.1 100 Continue\r\n\r\n"), /took too long/],
  [
    "switches protocols",
    (s) => s.write("HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
    /was closed|HTTP 101/,
  ],
];

describe("a source is refused in time and with our own message if it", () => {
  test.each([
    ...LARGE.map(([what, answer, words]) => [what, () => serve(answer), "too_large", words] as const),
    ...UNREADABLE.map(([what, answer, words]) => [what, () => serve(answer), "source_not_recognised", words] as const),
    ...CONNECTIONS.map(([what, use, words]) => [what, () => serveTcp(use), "source_not_recognised", words] as const),
  ])("%s", async (_, server, code, words) => {
    const before = process.memoryUsage().rss;
    const importer = String(words).includes("took too long") ? hurried : patient;
    const problem = await problemOf(importFrom(server(), "/x.json", importer));
    expect(problem.code).toBe(code);
    expect(problem.message).toMatch(words);
    expect(JSON.stringify([problem.message, problem.members])).not.toContain(LEAK);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  test("does not exist", async () => {
    const gone = await serve(() => {});
    await gone.close();
    const problem = await problemOf(patient.read({ from: `http://127.0.0.1:${gone.port}/` }, {}));
    expect(problem.message).toMatch(/no connection could be made$/);
  });

  test.each([
    ["never accepts a connection", "127.0.0.1", { dial: () => new Socket() }, /no connection could be made in time/],
    [
      "has a name server that does not answer",
      "slow.test",
      { resolve: () => new Promise<never>(() => {}) },
      /took too long|no usable address/,
    ],
  ])("%s", async (_, host, network, words) => {
    const lost = createImporter({ allowPrivate: true, limits, ...network });
    expect((await problemOf(lost.read({ from: `http://${host}/` }, {}))).message).toMatch(words);
  });
});

test("the next address of a host is tried if the first does not answer", async () => {
  const server = await serve(send(SCHEMA));
  open.push(server);
  const resolve = async () => ["::1", "127.0.0.2", "127.0.0.1"];
  const from = `http://h.test:${server.port}/`;
  const ample = { ...limits, sourceTotalMs };
  const { document } = await createImporter({ allowPrivate: true, limits: ample, resolve }).read({ from }, {});
  expect(document.key).toBe("t");
});

test("proxies in the environment are ignored", async () => {
  const server = await serve(send(SCHEMA));
  const proxy = await serveTcp((socket) => socket.destroy());
  open.push(server, proxy);
  const address = `http://127.0.0.1:${proxy.port}`;
  const proxies = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"].map((name) => [name, address]);
  const env = { PATH: process.env.PATH, NODE_USE_ENV_PROXY: "1", ...Object.fromEntries(proxies) };
  const script = `
    import { createImporter } from "./shared/formats/importer.ts";
    const { document } = await createImporter({ allowPrivate: true }).read({ from: "http://127.0.0.1:${server.port}/" }, {});
    process.stdout.write(document.key);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env });
  expect(stdout).toBe("t");
  expect(proxy.connections()).toBe(0);
});
