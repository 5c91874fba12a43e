import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Listening, serve } from "../formats/source-server.ts";
import { becomeAdministrator, type LocalProcess, startProcess } from "../support/local-process.ts";
import { startBrowser } from "./support/browser.ts";

let folder: string;
let service: LocalProcess;
let token: string;
let browser: Browser;
let server: Listening;
let pages: readonly Page[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "metaction-foreign-"));
  service = await startProcess(folder);
  token = await becomeAdministrator(service);
  await service.call("model/model_create", { key: "secret-model", name: "Secret" }, token);
  server = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!doctype html><title>Elsewhere</title>");
  });
  const { port } = server;
  browser = await startBrowser();
  pages = await Promise.all([browser.newPage(), browser.newPage()]);
  await pages[0]?.goto(`http://localhost:${port}`);
  await pages[1]?.goto(`http://127.0.0.1:${port}`);
});

afterAll(async () => {
  await browser.close();
  await service.interrupt();
  await server.close();
});

interface Asking {
  readonly method?: "POST";
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly mode?: "no-cors" | "same-origin";
  readonly credentials?: "include" | "omit";
  readonly cache?: "no-store";
}

type Attempt = readonly [path: string, asking: Asking];

/** Makes each attempt on each page. Returns type, status and body of the answer, or the name of the error. */
const readBy = async (attempts: readonly Attempt[]): Promise<readonly string[]> => {
  const read = pages.map((page) =>
    page.evaluate(
      async ({ url, all }) => {
        const told: string[] = [];
        for (const [path, asking] of all) {
          told.push(
            await fetch(url + path, asking).then(
              async (answer) => `${answer.type} ${answer.status} ${await answer.text()}`,
              (error: Error) => error.name,
            ),
          );
        }
        return told;
      },
      { url: service.url, all: attempts },
    ),
  );
  return (await Promise.all(read)).flat();
};

const MODES: readonly Asking[] = [
  {},
  { credentials: "include" },
  { credentials: "omit", cache: "no-store" },
  { mode: "same-origin" },
];
const PATHS = ["/health", "/api/openapi.json", "/api/model/model_list", "/.well-known/jwks.json"];
const REFUSED = "TypeError";

describe("a page of another origin", () => {
  test("reads the description of the service, which contains no data, and only without cookies", async () => {
    const [bare = "", withCookies, sameOrigin] = await readBy([
      ["/api", {}],
      ["/api", { credentials: "include" }],
      ["/api", { mode: "same-origin" }],
    ]);
    expect(bare).toMatch(/^cors 200 \{"openapi":"3\.1\.0"/);
    expect(bare).not.toContain("secret-model");
    expect([withCookies, sameOrigin]).toEqual([REFUSED, REFUSED]);
  });

  test("reads no other answer, not even with the administrator's token", async () => {
    const authorization = `Bearer ${token}`;
    const attempts: Attempt[] = PATHS.flatMap((path) => [
      ...MODES.map((mode): Attempt => [path, mode]),
      [path, { headers: { authorization } }],
      [path, { method: "POST", headers: { authorization, "content-type": "application/json" }, body: "{}" }],
    ]);
    const read = await readBy(attempts);
    expect(read).toHaveLength(attempts.length * 2);
    expect(new Set(read)).toEqual(new Set([REFUSED]));
  });

  test("learns of its simple requests only that they were sent", async () => {
    const read = await readBy(PATHS.map((path): Attempt => [path, { mode: "no-cors", credentials: "include" }]));
    expect(new Set(read)).toEqual(new Set(["opaque 0 "]));
  });

  test("changes nothing by simple requests", async () => {
    const before = await service.call("model/model_list", {}, token);
    const bodies = [
      JSON.stringify({ key: "theirs", name: "Theirs" }),
      JSON.stringify({
        username: "admin",
        fullname: "Them",
        password: "Violet-Harbor-7-Lantern",
        secret: await kept(),
      }),
    ];
    const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"];
    const attempts = bodies.flatMap((body) =>
      types.flatMap((type) =>
        ["model/model_create", "auth/admin_bootstrap", "auth/user_create"].map((action): Attempt => {
          const init = { method: "POST", body, headers: { "content-type": type }, mode: "no-cors" } as const;
          return [`/api/${action}`, { ...init, credentials: "include" }];
        }),
      ),
    );
    expect(new Set(await readBy(attempts))).toEqual(new Set(["opaque 0 "]));
    await submitForm("/api/model/model_create", '{"key":"theirs","name":"Theirs","x":"', '"}');
    expect((await service.call("model/model_list", {}, token)).body).toEqual(before.body);
    const users = await service.call("auth/user_list", {}, token);
    expect(users.body.items.map(({ username }: { username: string }) => username)).toEqual(["admin"]);
  });
});

const kept = (): Promise<string> => readFile(join(folder, "bootstrap-secret"), "utf8");

/** Submits a form whose one field makes a body of JSON; a browser asks nobody before it does. */
async function submitForm(path: string, name: string, value: string) {
  for (const page of pages) {
    await page.setContent(`<form action="${service.url}${path}" method="post" enctype="text/plain">
      <input name='${name}' value='${value}'></form>`);
    await page.evaluate("document.forms[0].submit()");
    await page.waitForURL(service.url + path);
  }
}
