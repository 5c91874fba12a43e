import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Api, createClient } from "../../client/create-client.ts";
import { buildClient } from "../../packaging/build.ts";
import { type Listening, serve } from "../formats/source-server.ts";
import { becomeAdministrator, type LocalProcess, startProcess } from "../support/local-process.ts";
import { startBrowser } from "./support/browser.ts";

/** The global object of a page whose script has run. */
declare const window: { readonly createClient: typeof createClient };

let service: LocalProcess;
let token: string;
let browser: Browser;
let pages: Listening;
let known: Page;
let foreign: Page;

/** Serves a page that loads the client as it is published, under any path. */
async function servePages(): Promise<Listening> {
  const built = join(await mkdtemp(join(tmpdir(), "metaction-client-")), "client.js");
  buildClient(built);
  const client = await readFile(built, "utf8");
  const page = `<!doctype html><script type="module">
    import { createClient } from "/client.js";
    window.createClient = createClient;
  </script>`;
  return serve((request, response) => {
    const isClient = request.url === "/client.js";
    response.writeHead(200, { "content-type": isClient ? "text/javascript" : "text/html" });
    response.end(isClient ? client : page);
  });
}

beforeAll(async () => {
  pages = await servePages();
  // The same pages under two origins: one the service knows, one it does not.
  const [origin, other] = [`http://127.0.0.1:${pages.port}`, `http://localhost:${pages.port}`];
  service = await startProcess(await mkdtemp(join(tmpdir(), "metaction-browser-")), { METACTION_CORS_ORIGINS: origin });
  token = await becomeAdministrator(service);
  browser = await startBrowser();
  [known, foreign] = [await browser.newPage(), await browser.newPage()];
  await known.goto(origin);
  await foreign.goto(other);
});

afterAll(async () => {
  await browser.close();
  await service.interrupt();
  await pages.close();
});

const inPage = <T>(page: Page, use: (api: Api) => Promise<T>): Promise<T> =>
  page.evaluate(
    // The text of a function is all that reaches a page.
    ({ url, bearer, text }) =>
      new Function("api", `return (${text})(api)`)(window.createClient({ url, token: bearer })),
    { url: service.url, bearer: token, text: use.toString() },
  ) as Promise<T>;

describe("the client in a page of another origin", () => {
  test("calls actions, with all controls, and reads the headers", async () => {
    const said = await inPage(known, async (api) => {
      await api.model.model_create({ key: "crm", name: "CRM" });
      const made = await api.model.entity_create.answer({ modelRef: "key:crm", entityKey: "customer" });
      const pinned = { ifMatch: made.etag, idempotencyKey: "from-a-page" };
      const payload = { modelRef: "key:crm", typeKey: "text" } as const;
      const rehearsed = await api.model.type_create.answer(payload, { dryRun: true });
      const first = await api.model.type_create.answer(payload, pinned);
      const again = await api.model.type_create.answer(payload, pinned);
      const page = await api.model.model_list.answer({ limit: 1 });
      return {
        revisions: [made.revision, rehearsed.body.revision, first.revision, again.revision],
        replayed: [first.replayed, again.replayed],
        sameBody: JSON.stringify(first.body) === JSON.stringify(again.body),
        requestId: typeof page.requestId,
        keys: page.body.map(({ key }) => key),
        text: typeof (await api.config.inspect_config_text()),
      };
    });
    expect(said).toEqual({
      revisions: [2, 3, 3, 3],
      replayed: [false, true],
      sameBody: true,
      requestId: "string",
      keys: ["crm"],
      text: "string",
    });
  });

  test("reads all pages of a list", async () => {
    const keys = await inPage(known, async (api) => {
      for (const entityKey of ["p1", "p2", "p3"]) await api.model.entity_create({ modelRef: "key:crm", entityKey });
      const all: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await api.model.entity_list.answer({
          modelRef: "key:crm",
          limit: 2,
          ...(cursor !== undefined && { cursor }),
        });
        all.push(...page.body.items.map(({ key }) => key));
        cursor = page.next;
      } while (cursor !== undefined);
      return all;
    });
    expect(keys).toEqual(["customer", "p1", "p2", "p3"]);
  });

  test("ends in typed problems", async () => {
    const problem = await inPage(known, (api) =>
      api.model.entity_create({ modelRef: "key:crm", entityKey: "customer" }).then(
        () => undefined,
        ({ name, code, status, detail, requestId }) => ({ name, code, status, detail, requestId: typeof requestId }),
      ),
    );
    expect(problem).toEqual({
      name: "ApiProblem",
      code: "key_taken",
      status: 409,
      detail: expect.stringContaining("customer"),
      requestId: "string",
    });
  });

  test("that is not configured gets no answer", async () => {
    const problem = await inPage(foreign, (api) =>
      api.model.model_list().then(
        () => "an answer",
        ({ code }) => code,
      ),
    );
    expect(problem).toBe("no_answer");
  });
});
