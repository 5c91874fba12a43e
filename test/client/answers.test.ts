import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Api, type ApiProblem, type ClientSettings, createClient } from "../../client/create-client.ts";

// The clock is virtual: the pauses between requests are exact and take no time.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

type Reply = (request: Request) => Response | Promise<Response>;
type Headers = Readonly<Record<string, string>>;

function reply(status: number, body: unknown = {}, headers: Headers = {}): () => Response {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const all = { "content-type": "application/json", ...headers };
  return () => new Response(status === 304 ? null : text, { status, headers: all });
}

const refuse = (status: number, headers?: Headers, code = "unavailable", detail = "busy"): (() => Response) =>
  reply(status, { code, detail, status, title: "Refused", retryable: true }, headers);

const noAnswer: Reply = () => {
  throw new TypeError("no connection");
};

/** Answers never; a call ends when its signal aborts it. */
const wait: Reply = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

const accepted = reply(202, { status: "accepted", job: "id:j" }, { etag: '"m-5"', "x-request-id": "r1" });

/** Runs a call of a client that gets these replies, the last one again and again. `pauses` are milliseconds. */
async function run(
  replies: readonly Reply[],
  call: (api: Api) => Promise<unknown>,
  settings: Partial<ClientSettings> = {},
) {
  const requests: Request[] = [];
  const times: number[] = [];
  const fetch: ClientSettings["fetch"] = async (input, init) => {
    times.push(Date.now());
    const request = new Request(input, init);
    requests.push(request);
    return (replies[requests.length - 1] ?? replies.at(-1) ?? noAnswer)(request);
  };
  let outcome: { value?: unknown; problem?: ApiProblem } | undefined;
  call(createClient({ url: "http://registry.test", fetch, ...settings })).then(
    (value) => {
      outcome = { value };
    },
    (problem) => {
      outcome = { problem };
    },
  );
  while (outcome === undefined) await vi.advanceTimersToNextTimerAsync();
  const keys = requests.map(({ headers }) => headers.get("idempotency-key"));
  const pauses = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  return { ...outcome, problem: outcome.problem as ApiProblem, requests, keys, pauses };
}

const CRM = { key: "crm", name: "CRM" };
const read = (api: Api) => api.model.model_list();
const get = (api: Api) => api.model.model_get.answer({ modelRef: "key:crm" });
const write = (api: Api) => api.model.model_create(CRM);
const writeWithoutKey = (api: Api) => api.model.model_create(CRM, { idempotencyKey: false });
const dryRun = (api: Api) => api.model.model_create(CRM, { dryRun: true });

describe("retries", () => {
  test.each([
    ["503 of a read", refuse(503), read, 4],
    ["503 of a write, which has a key", refuse(503), write, 4],
    ["503 of a dry run", refuse(503), dryRun, 4],
    ["503 of a write without a key, which may have been executed", refuse(503), writeWithoutKey, 1],
    ["429 of a write without a key, which was not executed", refuse(429), writeWithoutKey, 4],
    ["502 of a proxy", reply(502, "<html>", { "content-type": "text/html" }), read, 4],
    ["504", refuse(504), read, 4],
    ["500", refuse(500), read, 1],
    ["no answer to a read", noAnswer, read, 4],
    ["no answer to a dry run", noAnswer, dryRun, 4],
    ["no answer to a write without a key, which may have been executed", noAnswer, writeWithoutKey, 1],
    ["a Retry-After of 30 seconds", refuse(503, { "retry-after": "30" }), read, 4],
    ["a Retry-After of 31 seconds", refuse(503, { "retry-after": "31" }), read, 1],
  ] as const)("%s", async (_, given, call, sent) => {
    const { problem, keys } = await run([given], call);
    expect([problem.name, keys]).toEqual(["ApiProblem", Array(sent).fill(keys[0])]);
  });

  test("end with the first answer, and are as many as the settings say", async () => {
    expect((await run([refuse(503), noAnswer, reply(200, [1])], read)).value).toEqual([1]);
    expect((await run([refuse(503)], read, { retries: 0 })).requests).toHaveLength(1);
    expect((await run([refuse(503)], read, { retries: 5 })).requests).toHaveLength(6);
    const { problem } = await run([noAnswer], read, { retries: 0 });
    expect(problem).toMatchObject({ code: "no_answer", status: 0, title: "No answer", retryable: true });
  });

  test("wait a random time that doubles, and at least as long as Retry-After says", async () => {
    const { pauses } = await run([refuse(503)], read);
    for (const [i, pause] of pauses.entries()) expect(Math.abs(pause - 150 * 2 ** i)).toBeLessThanOrEqual(50 * 2 ** i);
    expect((await run([refuse(503)], read)).pauses).not.toEqual(pauses);
    expect((await run([refuse(503, { "retry-after": "2" })], read)).pauses).toEqual([2_000, 2_000, 2_000]);
  });

  test.each([
    ["in a pause", [refuse(503, { "retry-after": "9" })]],
    ["before the answer", [wait]],
    ["before the state of a job", [accepted, wait]],
  ] as const)("end when the caller aborts %s", async (_, replies) => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error("enough")), 4_000);
    const { problem, requests } = await run(replies, (api) => api.model.model_list({}, { signal: abort.signal }));
    expect([problem.message, requests.length, vi.getTimerCount()]).toEqual(["enough", replies.length, 0]);
  });

  test("end with the reason of an abort also if there are none", async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error("enough")), 10);
    const { problem } = await run([wait], (api) => api.model.model_list({}, { signal: abort.signal }), { retries: 0 });
    expect(problem.message).toBe("enough");
  });

  test("do not begin after the caller aborted", async () => {
    const abort = new AbortController();
    const refuseLate = () => {
      abort.abort(new Error("enough"));
      return refuse(503)();
    };
    const { problem, requests } = await run([refuseLate], (api) => api.model.model_list({}, { signal: abort.signal }));
    expect([problem.message, requests.length]).toEqual(["enough", 1]);
  });
});

describe("a request", () => {
  test("goes to the action, with the payload, and without headers that nobody asked for", async () => {
    const [request] = (await run([reply(200)], get, { url: "http://registry.test/v1//" })).requests;
    expect(request).toMatchObject({ method: "POST", redirect: "manual" });
    expect(request?.url).toBe("http://registry.test/v1/api/model/model_get");
    expect(await request?.json()).toEqual({ modelRef: "key:crm" });
    expect([...(request?.headers.keys() ?? [])]).toEqual(["accept", "content-type"]);
  });

  test.each([
    ["a-1", '"a-1"'],
    ['"a-1", b-2', '"a-1", "b-2"'],
    [["a-1", '"b-2"'], '"a-1", "b-2"'],
  ])("has the revisions %j as entity tags", async (ifMatch, header) => {
    const { requests } = await run([reply(200)], (api) => api.model.model_create(CRM, { ifMatch }));
    expect(requests[0]?.headers.get("if-match")).toBe(header);
  });

  test("has a new key for each write, or the key of the caller; none for a dry run", async () => {
    const keys = [...(await run([reply(200)], write)).keys, ...(await run([reply(200)], write)).keys];
    expect(keys.join()).toMatch(/^[0-9a-f]{32},[0-9a-f]{32}$/);
    expect(keys[0]).not.toBe(keys[1]);
    const preview = (await run([reply(200)], dryRun)).requests[0]?.headers;
    expect([preview?.get("dry-run"), preview?.get("idempotency-key")]).toEqual(["true", null]);
    const options = { idempotencyKey: "mine", dryRun: false };
    const own = await run([reply(200)], (api) => api.model.model_create(CRM, options));
    expect([own.keys, own.requests[0]?.headers.get("dry-run")]).toEqual([["mine"], null]);
  });

  test("is sent again without a key if the action refuses keys, and from then on without one", async () => {
    const refusal = refuse(400, {}, "bad_precondition", "Idempotency-Key is not for this action");
    const login = (api: Api) => api.auth.login({ username: "ada", password: "secret" });
    const settings = { url: "http://refusing.test" };
    expect((await run([refusal, reply(200)], login, settings)).keys).toEqual([expect.any(String), null]);
    expect((await run([reply(200)], login, settings)).keys).toEqual([null]);
    expect((await run([reply(200)], login)).keys).toEqual([expect.any(String)]);
    for (const other of [refuse(400, {}, "bad_precondition", "If-Match"), refuse(400, {}, "busy", "Idempotency-Key")])
      expect((await run([other], write)).requests).toHaveLength(1);
  });
});

describe("an answer", () => {
  test.each([
    [{}, {}],
    [{ etag: '"m-12-gzip"' }, { etag: "m-12", revision: 12 }],
    [{ etag: '"m-5.30"' }, { etag: "m-5.30", revision: 5 }],
    [{ etag: '"catalogue"' }, { etag: "catalogue" }],
    [{ "idempotency-replayed": "true" }, { replayed: true }],
    [{ "x-request-id": "r1" }, { requestId: "r1" }],
    [{ link: '</api/x?limit=2&cursor=a%2Fb>; rel="next"' }, { next: "a/b" }],
    [{ link: '</api/x?limit=2>; rel="next"' }, {}],
  ])("has the members of the headers %j", async (headers, members) => {
    const { value } = await run([reply(200, CRM, headers)], get);
    expect(value).toEqual({ body: CRM, status: 200, replayed: false, ...members });
  });

  test("is text where the service answers text, or JSON of any kind", async () => {
    expect((await run([reply(200, "a\nb", { "content-type": "text/plain; charset=utf-8" })], read)).value).toBe("a\nb");
    expect((await run([reply(200, [1], { "content-type": "application/schema+json" })], read)).value).toEqual([1]);
  });

  test.each([
    ["a page of a proxy", reply(200, "{}", { "content-type": "text/html" })],
    ["JSON that ends early", reply(200, '{"key":')],
    ["a text with an error status", reply(400, "no", { "content-type": "text/plain" })],
    ["a body that is not a problem", reply(400, null)],
    ["a problem without a code", reply(400, { detail: "no", status: 400 })],
    ["a problem without a detail", reply(400, { code: "not_found", status: 400 })],
    ["a problem without a status", reply(400, { code: "not_found", detail: "no" })],
    ["not modified, which is not a redirect", reply(304)],
  ])("is unexpected: %s", async (_, given) => {
    const { problem } = await run([given], read);
    const { status } = given();
    expect(problem).toMatchObject({ code: "unexpected_answer", title: "Unexpected answer", status, retryable: false });
    expect(problem.message).toContain(` answered ${status} with a body that Metaction does not send`);
  });

  test("that is unexpected can be tried again later by its status", async () => {
    for (const status of [400, 429, 500, 502, 503, 504]) {
      const { problem } = await run([reply(status, "")], read, { retries: 0 });
      expect(problem.retryable).toBe(status !== 400 && status !== 500);
    }
  });

  test.each([300, 302, 399])("that redirects is not taken for a problem of the service: %i", async (status) => {
    const { problem } = await run([refuse(status)], read);
    expect(problem).toMatchObject({ code: "unexpected_answer", title: "Redirected", status, retryable: false });
  });

  test("that refuses has all members of the problem, and those of the headers that the problem lacks", async () => {
    const { plan, ...members } = {
      ...{ status: 412, title: "Stale", code: "precondition_failed", detail: "moved on", retryable: false, plan: 1 },
      ...{ currentRevision: 7, changesSince: [], conflicts: [], conflictCount: 2, entry: 3, errors: [] },
    };
    const headers = { "x-request-id": "r1", "retry-after": "4" };
    const { problem, keys } = await run([reply(412, { ...members, plan }, headers)], write);
    expect(problem).toMatchObject({ ...members, message: "moved on", requestId: "r1", retryAfter: 4 });
    expect([problem.idempotencyKey, "plan" in problem]).toEqual([keys[0], false]);
    const own = { requestId: "r2", retryAfter: 9 };
    expect((await run([reply(412, { ...members, ...own }, headers)], write)).problem).toMatchObject(own);
    expect((await run([reply(412, members, { "retry-after": "soon" })], write)).problem).not.toHaveProperty(
      "retryAfter",
    );
  });
});

describe("a call that became a job", () => {
  const show = (state: string, rest = {}) => reply(200, { id: "j", state, progress: { done: 1, total: 2 }, ...rest });

  test("asks for it after pauses that grow to two seconds, and answers its result", async () => {
    const progress: unknown[] = [];
    const onProgress = (...seen: unknown[]) => progress.push(seen);
    const replies = [accepted, ...Array<Reply>(9).fill(show("running")), show("done", { result: CRM })];
    const { value, pauses, requests } = await run(replies, (api) => api.model.model_create.answer(CRM, { onProgress }));
    const members = { etag: "m-5", revision: 5, requestId: "r1", replayed: false };
    expect(value).toEqual({ body: CRM, status: 200, ...members });
    expect(pauses).toEqual([100, 150, 225, 337, 506, 759, 1_139, 1_708, 2_000, 2_000]);
    expect(progress).toEqual(Array(10).fill([{ done: 1, total: 2 }, "id:j"]));
    expect(await requests[1]?.json()).toEqual({ jobRef: "id:j" });
  });

  test("does not wait for it with `wait: false`", async () => {
    const { value, requests } = await run([accepted], (api) => api.model.model_create.answer(CRM, { wait: false }));
    expect(value).toMatchObject({ status: 202, body: { job: "id:j" } });
    expect(requests).toHaveLength(1);
  });

  test("ends with the problem of the job, or with its state", async () => {
    const problem = { code: "key_taken", detail: "the key is used" };
    const members = { status: 200, title: "The job is failed", retryable: false, requestId: "r1" };
    expect((await run([accepted, show("failed", { problem })], write)).problem).toMatchObject({
      ...problem,
      ...members,
    });
    const cancelled = { code: "job_ended", message: "the job id:j was cancelled" };
    expect((await run([accepted, show("cancelled")], write)).problem).toMatchObject(cancelled);
  });
});
