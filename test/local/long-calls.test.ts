import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { ServiceFacts } from "../../local/composition.ts";
import { createLongCalls, type LongCalls } from "../../local/long-calls.ts";
import { readSettings } from "../../local/settings.ts";
import { CallBudget, LongCall } from "../../shared/actions/contract/budget.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import type { ReceivedRequest } from "../../shared/http/request.ts";
import { becomeAdministrator, type LocalProcess, startProcess } from "../support/local-process.ts";
import { createFolder } from "../support/temporary-folder.ts";

/** SQL of tables with 20 columns each, about 240 bytes a table. */
const toSql = (tables: number) =>
  Array.from({ length: tables }, (_, i) => {
    const columns = Array.from({ length: 20 }, (_, j) => `c${j} integer`);
    return `CREATE TABLE t${i} (${columns.join(", ")}, note text);`;
  }).join("\n");

const LONG_SOURCE = toSql(400);

const CLOCK = { now: () => 0, sleep: async () => undefined };

test("a call moves above sharedThreadBytes of body and models, or sharedThreadObjects, if it can", () => {
  const shared = () => new CallBudget(CLOCK, 1, true);
  const [bytes, objects] = [shared(), shared()];
  bytes.chargeBytes(LIMITS.sharedThreadBytes - 1);
  bytes.chargeBytes(1);
  objects.checkObjects(LIMITS.sharedThreadObjects);
  expect(() => bytes.chargeBytes(1)).toThrow(LongCall);
  expect(() => objects.checkObjects(LIMITS.sharedThreadObjects + 1)).toThrow(LongCall);
  // A commit of the attempt before may still be applied: a call that starts again would be applied twice.
  bytes.repeat();
  expect(() => bytes.chargeBytes(LIMITS.sharedThreadBytes)).not.toThrow();
  const alone = new CallBudget(CLOCK, 1);
  expect(() => alone.chargeBytes(LIMITS.sharedThreadBytes + 1)).not.toThrow();
});

const toLines = (count: number, toLine: (i: number) => string) => Array.from({ length: count }, (_, i) => toLine(i));

test.each([
  [
    "parts of a DBML table",
    `TablePartial p {\n${toLines(201, (i) => `c${i} int`).join("\n")}\n}\n${toLines(100, (i) => `Table t${i} {\n~p\n}`).join("\n")}`,
  ],
  [
    "refs of a JSON Schema",
    JSON.stringify({
      $defs: { p: { description: "d".repeat(1_000) } },
      properties: Object.fromEntries(toLines(65, (i) => `c${i}`).map((name) => [name, { $ref: "#/$defs/p" }])),
    }),
  ],
])("a short source that %s make long is a long call", async (_, content) => {
  expect(content.length).toBeLessThan(LIMITS.sharedThreadBytes / 10);
  const read = (canMove: boolean) =>
    createImporter({ allowPrivate: false }).read({ content }, { modelKey: "m" }, new CallBudget(CLOCK, 1, canMove));
  await expect(read(true)).rejects.toThrow(LongCall);
  expect((await read(false)).document.entities.length).toBeGreaterThan(0);
});

describe("the local server", () => {
  let service: LocalProcess;
  let token: string;
  const folder = createFolder();

  beforeAll(async () => {
    service = await startProcess(folder);
    token = await becomeAdministrator(service);
    return async () => void (await service.interrupt());
  });

  const call = (action: string, payload: object, headers = {}) => service.call(action, payload, token, headers);

  /** Returns the threads of the process, by the kernel's list; those of Node.js itself included. */
  const countThreads = () => /^Threads:\s+(\d+)/m.exec(readFileSync(`/proc/${service.pid}/status`, "utf8"))?.[1];

  test("runs a long call in a thread of its own, with the answers, controls and history of any call", async () => {
    const before = Number(countThreads());
    const headers = { "idempotency-key": "import-1" };
    const payload = { content: LONG_SOURCE, modelKey: "long" };
    const dryRun = await call("model/import", payload, { "dry-run": "true" });
    expect([dryRun.status, dryRun.body.counts.attributes]).toEqual([200, 8_400]);
    expect((await call("model/model_get", { modelRef: "key:long" })).status).toBe(404);
    const written = await call("model/import", payload, headers);
    expect([written.status, written.body.revision]).toEqual([200, 1]);
    expect((await call("model/import", payload, headers)).body).toEqual(written.body);
    expect((await call("model/import", payload)).body).toMatchObject({ code: "key_taken", status: 409 });
    if (process.platform === "linux") expect(Number(countThreads())).toBeGreaterThan(before);
    // The process reads what the thread has written, and the other way round.
    await call("model/model_update_name", { modelRef: "key:long", value: "Long" });
    const exported = await call("model/model_export", { modelRef: "key:long" });
    expect([exported.body.name, exported.body.entities.length]).toEqual(["Long", 400]);
    const { body } = await call("model/history_version_changes", { modelRef: "key:long" });
    expect(body.items.map(({ revision }: { revision: number }) => revision)).toEqual([2]);
    const search = await call("model/search", { filters: { items: [] }, limit: 1 });
    expect([search.status, search.body.items?.length]).toEqual([200, 1]);
  });

  test("refuses a long call without rights before it gets a thread, and runs its jobs", async () => {
    expect((await service.call("model/import", { content: LONG_SOURCE })).status).toBe(401);
    const accepted = await call("model/import", { content: toSql(2_500), modelKey: "job" });
    const { job } = accepted.body;
    if (accepted.status === 202) {
      const state = async () => (await call("batch/job_get", { jobRef: job })).body.state;
      await expect.poll(state, { timeout: 60_000, interval: 200 }).toBe("done");
    }
    expect((await call("model/model_get", { modelRef: "key:job" })).status).toBe(200);
  }, 90_000);
});

describe("a thread", () => {
  const NOW = Date.now();
  const folder = createFolder();
  let facts: ServiceFacts;
  let token: string;

  beforeAll(async () => {
    const service = await startProcess(folder);
    token = await becomeAdministrator(service);
    for (const key of ["a", "b"]) await service.call("model/import", { content: toSql(20), modelKey: key }, token);
    await service.interrupt();
    const { isTrustedProxy: _, ...settings } = readSettings({ METACTION_DATA_DIR: folder }, folder);
    const bootstrapSecret = readFileSync(join(folder, "bootstrap-secret"), "utf8").trim();
    facts = { settings, version: "0", url: service.url, bootstrapSecret };
  });

  /** Runs calls in threads of this process; `megabytes` is their memory. */
  async function withThreads<T>(megabytes: number | undefined, work: (calls: LongCalls) => Promise<T>): Promise<T> {
    const host = { log: () => undefined, onAccountsChanged: () => undefined, startJob: () => undefined, megabytes };
    const calls = createLongCalls(facts, Date.now, host);
    try {
      return await work(calls);
    } finally {
      await calls.stop();
    }
  }

  const request = (action: string, payload: object, deadline = Date.now() + LIMITS.callMs): ReceivedRequest => ({
    ...{ method: "POST", path: `/api/${action}`, query: "", requestId: "r", source: {}, began: NOW, deadline },
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: Buffer.from(JSON.stringify(payload)),
  });

  test(
    "that needs more than longCallMegabytes ends its call alone with 413, and the next call has a new thread",
    () =>
      withThreads(60, async (calls) => {
        const large = calls.answer(request("model/import", { content: toSql(4_000), modelKey: "large" }), "a");
        await expect(large).rejects.toMatchObject({ code: "too_large", message: expect.stringMatching(/60 MB/) });
        const next = await calls.answer(request("model/model_get", { modelRef: "key:a" }), "a");
        expect(next.status).toBe(200);
        expect((await calls.answer(request("model/model_get", { modelRef: "key:large" }), "a")).status).toBe(404);
      }),
    60_000,
  );

  test("that works beyond the deadline of its call is ended with out_of_time", () =>
    withThreads(undefined, async (calls) => {
      await calls.answer(request("model/model_get", { modelRef: "key:a" }), "a");
      const late = calls.answer(
        request("model/import", { content: toSql(8_000), modelKey: "late" }, Date.now() - LIMITS.callMs),
        "a",
      );
      await expect(late).rejects.toMatchObject({ code: "out_of_time" });
      expect((await calls.answer(request("model/model_get", { modelRef: "key:late" }), "a")).status).toBe(404);
    }));

  test(
    "runs one call; longCalls run at once, a caller without a running call goes first, and a late one is refused",
    () =>
      withThreads(undefined, async (calls) => {
        const ended: string[] = [];
        const ask = async (name: string, actorId: string, tables: number) => {
          const content = toSql(tables);
          await calls.answer(request("model/import", { content, modelKey: name }, undefined), actorId);
          ended.push(name);
        };
        const first = Array.from({ length: LIMITS.longCalls }, (_, i) => ask(`first${i}`, "a", 1_000));
        const later = [ask("later", "a", 1_000), ask("other", "b", 1)];
        const hurried = calls.answer(request("model/model_get", { modelRef: "key:a" }, Date.now() + 5), "c");
        await expect(hurried).rejects.toMatchObject({ code: "unavailable" });
        await Promise.all([...first, ...later]);
        expect(ended.indexOf("other")).toBeLessThan(ended.indexOf("later"));
        expect(ended[0]).toMatch(/first/);
      }),
    60_000,
  );
});
