import { afterAll, describe, expect, test, vi } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { post } from "../http/support/transports.ts";
import { callDispatcher, deploy } from "./support/deployment.ts";

const SECRET = "a bootstrap secret of the test";
const ADA = { username: "ada", password: "violet harbor 1 lantern" };
const NOTHING_SWEPT = { closed: 0, notes: 0, items: 0 };

const deployed = await deploy(SECRET);
afterAll(() => deployed.stop());

const dispatcher = deployed.start("dispatcher");

const call = callDispatcher.bind(undefined, dispatcher);

async function signedIn(): Promise<Record<string, string>> {
  const { body } = await call(post("/api/auth/login", ADA));
  return { authorization: `Bearer ${body.access_token}` };
}

test("the bundled functions run with the settings of the stack: bootstrap, sign-in, write, read, sweep", async () => {
  expect(await call({ target: "/health" })).toMatchObject({ status: 200 });
  expect(await call({ target: "/api/model/model_list" })).toMatchObject({ status: 401 });

  const first = { ...ADA, fullname: "Ada Lovelace", secret: SECRET };
  const made = await call(post("/api/auth/admin_bootstrap", first));
  expect(made).toMatchObject({ status: 200, body: { token_type: "Bearer" } });
  expect(await call(post("/api/auth/admin_bootstrap", first))).toMatchObject({ status: 410 });

  const headers = await signedIn();
  const written = await call(post("/api/model/model_create", { key: "library", name: "Library" }, headers));
  expect(written).toMatchObject({ status: 200, body: { status: "ok", key: "library" } });
  const list = await call({ target: "/api/model/model_list", headers });
  expect(list).toMatchObject({ status: 200, body: [{ key: "library", name: "Library" }] });

  expect(await deployed.start("sweeper").invoke({})).toEqual({ started: 0, ...NOTHING_SWEPT });
});

test("the log line of a call has the units that DynamoDB charged for it, and the memory of the process", async () => {
  const headers = await signedIn();
  const other = deployed.start("dispatcher");
  await callDispatcher(other, { target: "/api/model/model_list", headers });
  await callDispatcher(other, { target: "/health" });
  const lines = () =>
    deployed
      .readLog()
      .trim()
      .split("\n")
      .slice(-2)
      .map((line) => JSON.parse(line));
  await expect.poll(() => lines()[1].action).toBe("health");
  expect(lines()[0]).toMatchObject({ action: "model/model_list", coldStart: true, actor: expect.any(String) });
  expect(lines()[0].units).toBeGreaterThan(1);
  expect(lines()[1]).toEqual(expect.objectContaining({ units: 0, memoryMb: expect.any(Number) }));
});

test("the first process requests the public key from KMS; later ones read it from the table", async () => {
  const headers = await signedIn();
  const another = deployed.start("dispatcher");
  expect(await callDispatcher(another, { target: "/api/auth/whoami", headers })).toMatchObject({ status: 200 });
  expect(deployed.kmsCalls.filter((call) => call.startsWith("publicKey"))).toEqual(["publicKey key-1"]);
});

describe("a write too large for one call", () => {
  /** Imports one field more than one call may write objects; answers the job, as the 202 names it. */
  const importLarge = async (key: string, headers: Record<string, string>): Promise<string> => {
    const fields = Array.from({ length: LIMITS.objectsPerCall + 1 }, (_, i) => ({ name: `f${i}` }));
    const { status, body } = await call(post("/api/model/import", { content: { name: key, fields } }, headers));
    expect({ status, body }).toMatchObject({ status: 202, body: { status: "accepted" } });
    return body.job;
  };
  const jobOf = async (jobRef: string, headers: Record<string, string>) =>
    (await call(post("/api/batch/job_get", { jobRef }, headers))).body;
  const invocations = () => deployed.invoked.splice(0);

  test("becomes a job: the dispatcher invokes the worker, which completes it", async () => {
    const headers = await signedIn();
    const jobRef = await importLarge("large", headers);
    const events = invocations();
    expect(events).toEqual([{ job: jobRef.slice("id:".length) }]);
    expect(await jobOf(jobRef, headers)).toMatchObject({ state: "accepted" });

    const worker = deployed.start("worker");
    expect(await worker.invoke(events[0])).toBe("done");
    expect(await jobOf(jobRef, headers)).toMatchObject({ state: "done", result: { status: "ok", key: "large" } });
    const model = await call(post("/api/model/model_get", { modelRef: "key:large" }, headers));
    expect(model).toMatchObject({ status: 200, body: { key: "large" } });
    expect(await worker.invoke(events[0])).toBe("not_taken");
  }, 120_000);

  test("outlives its worker: the sweeper restarts it after its lease", async () => {
    const headers = await signedIn();
    const jobRef = await importLarge("orphan", headers);
    const lost = deployed.start("worker");
    const run = lost.invoke(invocations()[0]);
    const ended = expect(run).rejects.toThrow("the function ended");
    await vi.waitUntil(async () => (await jobOf(jobRef, headers)).state === "running", { timeout: 20_000 });
    lost.kill();
    await ended;

    expect(await deployed.start("sweeper").invoke({})).toMatchObject({ started: 0 });
    expect(invocations()).toEqual([]);
    const later = LIMITS.jobLeaseMs + 1_000;
    // The last 20 seconds of a run of the sweeper, and the last 10 of a worker, are reserved.
    expect(await deployed.start("sweeper", { aheadMs: later, seconds: 20 }).invoke({})).toMatchObject({ started: 0 });
    expect(await deployed.start("sweeper", { aheadMs: later }).invoke({})).toMatchObject({ started: 1 });
    const events = invocations();
    expect(events).toEqual([{ job: jobRef.slice("id:".length) }]);
    await expect(deployed.start("worker", { aheadMs: later, seconds: 10 }).invoke(events[0])).rejects.toThrow(
      "the function ended",
    );
    expect(await deployed.start("worker", { aheadMs: later }).invoke(events[0])).toBe("done");
    expect(await jobOf(jobRef, headers)).toMatchObject({ state: "done", result: { key: "orphan", revision: 1 } });
  }, 120_000);
});

test("no function requests anything that its role does not allow", () => expect(deployed.denied).toEqual([]));
