import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHttpServer, type HttpServer } from "../../local/server.ts";
import { readStaticFiles } from "../../local/web/static-files.ts";
import { createWebApplication } from "../../local/web/web-application.ts";
import { compressFolder } from "../../packaging/web/build.ts";
import { createChain } from "../../shared/service/chain.ts";
import { createSmallService } from "../http/support/small-service.ts";
import { OPTIONS } from "../http/support/transports.ts";
import { createFolder, writeInto } from "../support/temporary-folder.ts";

const PAGE = `<!doctype html><title>The page</title>${"<p>long enough to be compressed".repeat(50)}`;
const SCRIPT = `console.log(${JSON.stringify("x".repeat(2_000))})`;
const SECRET = "nobody may read this";

let server: HttpServer;
let port: number;

beforeAll(async () => {
  const outside = createFolder();
  const folder = join(outside, "ui");
  await mkdir(join(folder, "assets", ".cache"), { recursive: true });
  const files = {
    "index.html": PAGE,
    "robots.txt": "User-agent: *\n",
    "assets/index-Ab12.js": SCRIPT,
    "assets/mark-Cd34.svg": "<svg/>",
    ".sources": SECRET,
    "assets/.cache/x.js": SECRET,
    "../outside.txt": SECRET,
  };
  for (const [name, text] of Object.entries(files)) await writeInto(folder, name, text);
  await compressFolder(folder);
  const web = createWebApplication(
    { read: () => readStaticFiles(folder), stop: async () => undefined },
    ["https://login.example"],
    () => undefined,
  );
  const chain = createChain(createSmallService(), { ...OPTIONS, log: () => undefined });
  const handleRequest = async (asked: Parameters<typeof chain>[0]) => (await web.answer(asked)) ?? chain(asked);
  server = createHttpServer({ handleRequest, newId: () => "new-id" });
  port = await server.listen(0, "127.0.0.1");
});

afterAll(() => server.close(0));

/** Asks for a path as it is written, which `fetch` would make another one of. */
async function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
  const asked = request({ host: "127.0.0.1", port, path, method, headers, agent: false }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

const codeOf = ({ body }: { readonly body: Buffer }) => JSON.parse(body.toString("utf8")).code;

describe("a page", () => {
  test.each([
    ...["/", "/index.html", "/first-run", "/models", "/models/key:crm?tab=entities"],
    ...["/models/key:a%2Fb%20%25%3F%23/entities/id:0", "/models/key:..%2F..%2Fetc%2Fpasswd", "/apiary", "/healthy"],
    "//models",
  ])("%s is the application", async (path) => {
    const { status, headers, body } = await ask(path, { accept: "text/html,*/*;q=0.8" });
    expect([status, headers["content-type"], headers["cache-control"]]).toEqual([
      200,
      "text/html; charset=utf-8",
      "no-cache",
    ]);
    expect(body.toString("utf8")).toBe(PAGE);
  });

  test("is not sent again if the browser has it", async () => {
    const first = await ask("/models");
    expect(first.headers.etag).toMatch(/^"[\w-]{22}"$/);
    const again = await ask("/", { "if-none-match": `W/${first.headers.etag}, "other"` });
    expect([again.status, again.headers.etag, again.body.byteLength]).toEqual([304, first.headers.etag, 0]);
    const packed = await ask("/", { "if-none-match": String(first.headers.etag), "accept-encoding": "br" });
    expect(packed.status).toBe(200);
    expect(packed.headers.etag).toBe(String(first.headers.etag).replace(/"$/, '-br"'));
  });

  test("restricts what it may load, and sends no referrer", async () => {
    for (const path of ["/", "/assets/index-Ab12.js"]) {
      const { headers } = await ask(path);
      expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
      expect(String(headers["content-security-policy"]).split("; ")).toEqual([
        ...["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self' 'unsafe-inline'"],
        ...["img-src 'self' data: blob:", "font-src 'self'", "worker-src 'self'", "manifest-src 'self'"],
        ...["connect-src 'self' https://login.example", "base-uri 'none'", "form-action 'none'"],
        "frame-ancestors 'none'",
      ]);
    }
  });

  test("is not sent to a program that requests another type, or sends data", async () => {
    for (const [path, headers, method] of [
      ["/models", { accept: "application/json" }, "GET"],
      ["/", {}, "POST"],
      ["/models", {}, "DELETE"],
    ] as const) {
      const answer = await ask(path, headers, method);
      expect([answer.status, codeOf(answer)]).toEqual([404, "unknown_path"]);
    }
  });
});

describe("a file", () => {
  test("with a digest in its name may be cached forever", async () => {
    const { status, headers, body } = await ask("/assets/index-Ab12.js");
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect([status, headers["content-type"], body.toString("utf8")]).toEqual([
      200,
      "text/javascript; charset=utf-8",
      SCRIPT,
    ]);
  });

  test("with a fixed name is revalidated each time", async () => {
    const { headers } = await ask("/robots.txt");
    expect([headers["content-type"], headers["cache-control"]]).toEqual(["text/plain; charset=utf-8", "no-cache"]);
  });

  test.each([
    ["br, gzip", "br"],
    ["gzip, br;q=0", "gzip"],
    ["*", "br"],
    ["gzip;q=0, identity", undefined],
    ["", undefined],
  ])("to Accept-Encoding: %s is sent as %s", async (accepted, coding) => {
    const { headers, body } = await ask("/assets/index-Ab12.js", { "accept-encoding": accepted });
    expect([headers["content-encoding"], headers["content-length"]]).toEqual([coding, String(body.byteLength)]);
    expect(headers.vary).toBe("Accept, Accept-Encoding");
    const plain = coding === "br" ? brotliDecompressSync(body) : coding === "gzip" ? gunzipSync(body) : body;
    expect(plain.toString("utf8")).toBe(SCRIPT);
    if (coding) expect(body.byteLength).toBeLessThan(SCRIPT.length / 10);
  });

  test("that compression does not shorten is sent as it is", async () => {
    const { headers, body } = await ask("/assets/mark-Cd34.svg", { "accept-encoding": "br" });
    expect([headers["content-encoding"], headers["content-type"], body.toString("utf8")]).toEqual([
      undefined,
      "image/svg+xml",
      "<svg/>",
    ]);
  });

  test("has its length in HEAD, and is sent whole for a range", async () => {
    const head = await ask("/assets/index-Ab12.js", {}, "HEAD");
    expect([head.status, head.headers["content-length"], head.body.byteLength]).toEqual([
      200,
      String(SCRIPT.length),
      0,
    ]);
    const ranged = await ask("/assets/index-Ab12.js", { range: "bytes=0-3" });
    expect([ranged.status, ranged.body.byteLength]).toEqual([200, SCRIPT.length]);
  });

  test("that does not exist is 404, so that no page is read as a script", async () => {
    const answer = await ask("/assets/index-Old1.js");
    expect([answer.status, codeOf(answer)]).toEqual([404, "unknown_path"]);
  });
});

describe("no path leads outside", () => {
  const around = [
    ...["/../outside.txt", "/assets/../../outside.txt", "/%2e%2e/outside.txt", "/%2e%2e%2foutside.txt"],
    ...["/..%2foutside.txt", "/..%5coutside.txt", "/assets/..%2f..%2foutside.txt", "/assets%2f..%2f..%2foutside.txt"],
    ...["/assets/%252e%252e/outside.txt", "/.sources", "/%2esources", "/assets/.cache/x.js"],
    ...["/assets%2f.cache%2fx.js", "/assets/index-Ab12.js/../.cache/x.js", "/index.html%00.txt", "/outside.txt%00"],
    ...["/%zz", "/%c0%ae%c0%ae/outside.txt", "http://127.0.0.1/../outside.txt"],
  ];

  test.each(around)("%s", async (path) => {
    for (const accept of ["*/*", "text/html", "text/plain"]) {
      const answer = await ask(path, { accept });
      const text = answer.body.toString("utf8");
      expect(text).not.toContain(SECRET);
      // The application, which shows that there is no such screen, or a problem.
      if (text !== PAGE) expect([answer.status, codeOf(answer)]).toEqual([404, "unknown_path"]);
    }
  });

  test.each(["/.env", "/.git/config", "/a/.b", "/%2eenv", "/.", "/a/../b"])("%s is 404", async (path) => {
    const answer = await ask(path, { accept: "text/html" });
    expect([answer.status, codeOf(answer)]).toEqual([404, "unknown_path"]);
  });
});

test.each([
  ["/api", 200],
  ["/health", 200],
  ["/.well-known/openid-configuration", 200],
  ["/.well-known/other", 404],
  ["/api/", 404],
  ["/api/nothing", 404],
  ["/api/nothing/here", 404],
  ["/%61pi/nothing/here", 404],
  ["/health/", 404],
])("a path of the API %s is %i for a browser too", async (path, status) => {
  const answer = await ask(path, { accept: "text/html,*/*;q=0.8" });
  expect(answer.status).toBe(status);
  expect(answer.headers["content-type"]).toMatch(/json/);
  expect(answer.headers["content-security-policy"]).toBeUndefined();
});
