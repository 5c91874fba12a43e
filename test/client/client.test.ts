import { mkdtemp, writeFile } from "node:fs/promises";
import { request as send } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { takesKey } from "../../client/action-call.ts";
import { type Api, ApiProblem, createClient } from "../../client/create-client.ts";
import { isWrite } from "../../shared/actions/contract/action.ts";
import { commandLine } from "../cli/support/command.ts";
import { serve } from "../formats/source-server.ts";
import { ACTIONS } from "../support/actions.ts";
import { becomeAdministrator, type LocalProcess, startProcess } from "../support/local-process.ts";

let service: LocalProcess;
let token: string;
let api: Api;

beforeAll(async () => {
  service = await startProcess(await mkdtemp(join(tmpdir(), "metaction-client-")));
  token = await becomeAdministrator(service);
  api = createClient({ url: service.url, token });
  await api.model.model_create({ key: "crm", name: "CRM" });
}, 60_000);

afterAll(() => service.interrupt());

const crm = { modelRef: "key:crm" } as const;

async function problemOf(call: Promise<unknown>): Promise<ApiProblem> {
  const ended = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (ended instanceof ApiProblem) return ended;
  throw new Error(`no problem: ${ended}`);
}

describe("a call", () => {
  test("answers the body, and with `answer` also the headers", async () => {
    const made = await api.model.entity_create({ ...crm, entityKey: "customer" });
    expect(made).toMatchObject({ status: "ok", key: "customer", changed: true });
    const got = await api.model.entity_get.answer({ ...crm, entityRef: `id:${made.id}` });
    expect(got).toMatchObject({ status: 200, revision: made.revision, replayed: false });
    expect(got.etag).toMatch(/^[0-9a-f-]{36}-\d+$/);
    expect(got.requestId).toMatch(/./);
    expect(await api.config.inspect_config_text()).toEqual(expect.stringContaining("\n"));
  });

  test("answers the revision of a compressed answer too", async () => {
    const made = await api.model.model_create.answer({ key: "wide", name: "Wide", description: "x".repeat(9_000) });
    const large = await api.model.model_get.answer({ modelRef: "key:wide" });
    expect(JSON.stringify(large.body).length).toBeGreaterThan(8_000);
    expect([large.etag, large.revision]).toEqual([made.etag, 1]);
  });

  test("reads all pages", async () => {
    for (const entityKey of ["p1", "p2", "p3"]) await api.model.entity_create({ ...crm, entityKey });
    const keys: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await api.model.entity_list.answer({ ...crm, limit: 2, ...(cursor !== undefined && { cursor }) });
      keys.push(...page.body.items.map(({ key }) => key));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(keys).toEqual([...keys].sort());
    expect(keys).toEqual(expect.arrayContaining(["p1", "p2", "p3"]));
  });

  test("takes controls: dry run, a revision, an idempotency key", async () => {
    const payload = { ...crm, typeKey: "money" } as const;
    expect((await api.model.type_create(payload, { dryRun: true })).dryRun).toBe(true);
    const { etag } = await api.model.model_get.answer(crm);
    const made = await api.model.type_create.answer(payload, { ifMatch: etag, idempotencyKey: "once" });
    const again = await api.model.type_create.answer(payload, { ifMatch: etag, idempotencyKey: "once" });
    expect(again.body).toEqual(made.body);
    expect([made.replayed, again.replayed]).toEqual([false, true]);
    const moved = await problemOf(api.model.type_create({ ...crm, typeKey: "other" }, { ifMatch: etag }));
    expect(moved).toMatchObject({ code: "precondition_failed", status: 412, currentRevision: made.revision });
    expect(moved.changesSince?.map(({ actions }) => actions)).toEqual([["model/type_create"]]);
  });

  test("ends in a typed problem", async () => {
    // The types would refuse it.
    const wrong = { modelRef: "crm", entityKye: "x" } as unknown as { modelRef: "key:crm"; entityKey: string };
    const problem = await problemOf(api.model.entity_create(wrong));
    expect(problem).toMatchObject({ code: "bad_parameters", status: 400, retryable: false, name: "ApiProblem" });
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(["/entityKye", "/modelRef", "/entityKey"]);
    expect(problem.requestId).toMatch(/./);
    const anonymous = createClient({ url: service.url });
    expect(await problemOf(anonymous.model.model_list())).toMatchObject({ code: "not_signed_in", status: 401 });
  });

  test("can be aborted, and ends at its timeout", async () => {
    const gone = new AbortController();
    gone.abort(new Error("enough"));
    await expect(api.model.model_list({}, { signal: gone.signal })).rejects.toThrow("enough");
    const silent = await serve(() => undefined);
    const url = `http://127.0.0.1:${silent.port}`;
    const problem = await problemOf(createClient({ url, timeout: 50, retries: 0 }).model.model_list());
    expect(problem).toMatchObject({ code: "no_answer", status: 0 });
    expect(problem.message).toContain("within 0.05 seconds");
    await silent.close();
  });

  test("gets its token for each call", async () => {
    let asked = 0;
    const fresh = createClient({
      url: service.url,
      token: async () => {
        asked += 1;
        return token;
      },
    });
    await fresh.auth.whoami();
    await fresh.auth.whoami();
    expect(asked).toBe(2);
  });
});

describe("a write without an answer", () => {
  test("is repeated and executed once", async () => {
    const front = await openLossyFront(1);
    const behind = createClient({ url: front.url, token });
    expect((await behind.model.entity_create.answer({ ...crm, entityKey: "lost" })).replayed).toBe(true);
    expect(front.keys).toHaveLength(2);
    expect(new Set(front.keys).size).toBe(1);
    await front.close();
  });

  test("is repeated without a key when its answer is too large to be recorded, unless the caller gave the key", async () => {
    const actions = Array.from({ length: 700 }, (_, i) => ({
      group: "model",
      action: "entity_create",
      payload: { ...crm, entityKey: `many-${i}` },
    }));
    const problem = await problemOf(api.batch.batch_run({ actions }, { idempotencyKey: "many" }));
    expect(problem).toMatchObject({ code: "too_large", status: 413 });
    expect((await api.batch.batch_run({ actions })).results).toHaveLength(700);
    expect(takesKey(service.url, "batch/batch_run")).toBe(true);
  });

  test("is given up after the retries, and the problem has the key for another attempt", async () => {
    const front = await openLossyFront(Number.POSITIVE_INFINITY);
    const problem = await problemOf(
      createClient({ url: front.url, token, retries: 1 }).model.entity_create({ ...crm, entityKey: "given-up" }),
    );
    expect(problem).toMatchObject({ code: "no_answer", idempotencyKey: front.keys[0] });
    expect(front.keys).toHaveLength(2);
    const again = await api.model.entity_create.answer(
      { ...crm, entityKey: "given-up" },
      { idempotencyKey: problem.idempotencyKey },
    );
    expect(again.replayed).toBe(true);
    await front.close();
  });

  async function openLossyFront(losses: number) {
    const keys: (string | undefined)[] = [];
    let lost = 0;
    const { port, close } = await serve((incoming, outgoing) => {
      keys.push(incoming.headers["idempotency-key"] as string | undefined);
      const { method, headers, url } = incoming;
      const passed = send(`${service.url}${url}`, { method, headers }, (answer) => {
        if (lost++ < losses) {
          answer.resume().on("end", () => outgoing.destroy());
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(passed);
    });
    return { url: `http://127.0.0.1:${port}`, close, keys };
  }
});

test("an action without idempotency keys is recognised by its name, or by the answer of the service", async () => {
  for (const action of ACTIONS) {
    const isRead = takesKey.isRead(`${action.group}/${action.name}`);
    // A write that passes for a read would be sent twice without a key.
    if (isRead) expect(isWrite(action), action.name).toBe(false);
    if (action.intent === "read" || action.safe) expect(isRead, action.name).toBe(true);
  }
  const login = { username: "admin", password: "Violet-Harbor-7-Lantern" };
  expect((await api.auth.login(login)).token_type).toBe("Bearer");
  expect([takesKey(service.url, "auth/login"), takesKey(service.url, "model/entity_create")]).toEqual([false, true]);
});

test("the client is not a thenable", async () => {
  expect(await api).toBe(api);
  expect(await api.model).toBe(api.model);
  expect(Reflect.get(api, Symbol.iterator)).toBeUndefined();
});

const LARGE = {
  name: "large",
  resources: Array.from({ length: 26 }, (_, table) => ({
    name: `t${table}`,
    schema: { fields: Array.from({ length: 800 }, (_, field) => ({ name: `f${field}`, type: "string" })) },
  })),
};

test("a write that became a job is awaited: it answers the result of the job, or its problem", async () => {
  const seen: number[] = [];
  const onProgress = ({ done }: { readonly done: number }) => seen.push(done);
  const calls = [api.model.import({ content: LARGE }, { onProgress }), api.model.import({ content: LARGE })];
  const ended = await Promise.allSettled(calls);
  expect(ended.find(({ status }) => status === "fulfilled")).toMatchObject({
    value: { status: "ok", key: "large", counts: { attributes: 20_800 } },
  });
  expect(ended.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { name: "ApiProblem", code: "key_taken" },
  });
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.length).toBeGreaterThan(0);
}, 240_000);

test("the command line waits too, and shows progress on a terminal, unless --no-wait is given", async () => {
  const user = await commandLine(service.url);
  const file = join(user.home, "large.json");
  await writeFile(file, JSON.stringify(LARGE));
  const run = (...args: string[]) => user.run(args, { environment: { METACTION_TOKEN: token } });
  const accepted = await run("import", file, "--modelKey=later", "--no-wait");
  expect(accepted).toMatchObject({ code: 0, stderr: "" });
  const { job } = JSON.parse(accepted.stdout);
  expect((await run("complete", "--", "metaction batch job_get --jobRef=")).stdout).toContain(`--jobRef=${job}`);
  expect((await run("batch", "job_cancel", `--jobRef=${job}`)).code).toBe(0);
  const waited = await user.onTerminal(`metaction import '${file}' --token=${token} --modelKey=now --query=key -o raw`);
  expect(waited).toMatchObject({ code: 0, stdout: expect.stringMatching(/\d+ of \d+/) });
  expect(waited.stdout).toMatch(/now\r\n$/);
}, 240_000);
