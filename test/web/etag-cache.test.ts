import { expect, test } from "vitest";
import { fetchByEtag } from "../../ui/api/service.ts";

/** A `fetch` that answers 304 to whoever names the entity tag of the moment, and notes what it was asked. */
function service() {
  const state = { etag: '"m-1"', body: '{"n":1}', asked: [] as (string | null)[] };
  const send: typeof fetch = async (_, request) => {
    const known = new Headers(request?.headers).get("if-none-match");
    state.asked.push(known);
    const headers = { etag: state.etag, "x-request-id": `call ${state.asked.length}` };
    if (known === state.etag) return new Response(null, { status: 304, headers });
    return new Response(state.body, { status: 200, headers: { ...headers, "content-type": "application/json" } });
  };
  return { state, read: fetchByEtag(send) };
}

const asking = (token: string, more: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers: { authorization: `Bearer ${token}`, ...more },
  body: "{}",
});

test("an answer is requested once, and reused while its entity tag is valid", async () => {
  const { state, read } = service();
  for (const expected of [null, '"m-1"', '"m-1"']) {
    const answer = await read("/api/x", asking("a"));
    expect([answer.status, await answer.text(), answer.headers.get("etag")]).toEqual([200, '{"n":1}', '"m-1"']);
    expect(state.asked.at(-1)).toBe(expected);
    // Each call has a request id of its own, whatever body it shows.
    expect(answer.headers.get("x-request-id")).toBe(`call ${state.asked.length}`);
  }
  Object.assign(state, { etag: '"m-2"', body: '{"n":2}' });
  expect(await (await read("/api/x", asking("a"))).text()).toBe('{"n":2}');
  expect((await read("/api/x", asking("a"))).headers.get("etag")).toBe('"m-2"');
});

test("answers are not shared between users, and writes and dry runs are always sent", async () => {
  const { state, read } = service();
  await read("/api/x", asking("a"));
  await read("/api/x", asking("b"));
  await read("/api/x", asking("b", { "idempotency-key": "k" }));
  await read("/api/x", asking("b", { "dry-run": "true" }));
  expect(state.asked).toEqual([null, null, null, null]);
});
