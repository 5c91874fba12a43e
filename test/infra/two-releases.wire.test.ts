import { afterAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { runtime } from "../../shared/service/runtime.ts";
import { repairViolations } from "../../shared/store/fsck/ledger-checks.ts";
import { jobKey } from "../../shared/store/table/keys.ts";
import { checkModel, getItem } from "../store/support/check-model.ts";
import { countOfRun, createChance, seedOf } from "../support/chance.ts";
import type { Body } from "../support/world.ts";
import { findLosses, LARGE, Ledger } from "./support/acknowledged.ts";
import { Clients, createContents, type MixedCall, repeat, toCall } from "./support/mixed-calls.ts";
import { deployTwoReleases, other, RELEASES, type Release, type Reply } from "./support/two-releases.ts";

const SEED = seedOf("two releases");
const CALLS = countOfRun("METACTION_RELEASE_CALLS", 400);
const CLIENTS = 6;
const HOUR_MS = 3_600_000;
const PASSWORD = "violet harbor 1 lantern";

const { [SEED % 2]: accepting = "earlier", [(SEED >> 1) % 2]: first = "earlier" } = RELEASES;

const two = await deployTwoReleases(first);
afterAll(() => two.stop());

describe("both releases write, work and sweep at the same time", () => {
  const ledger = new Ledger();
  const clients = new Clients();

  const send = async (call: MixedCall): Promise<Reply> => {
    const reply = await ledger.send(two, call);
    if (reply.status === 200) clients.takeIn(call, reply);
    return reply;
  };

  const make = async (release: Release, action: string, body: object): Promise<Body> => {
    const reply = await send(toCall(release, action, body));
    expect({ action, ...reply }).toMatchObject({ status: 200 });
    return reply.body;
  };

  /** Makes calls one after the other. Some with an idempotency key are sent to both releases. */
  async function runClient(client: number, calls: number): Promise<void> {
    const chance = createChance(SEED * 1_000 + client);
    for (let n = 0; n < calls; n++) {
      const call = clients.draw(chance, () => `k-${client}-${n}`);
      const { action, controls } = call.sent;
      const isRepeated = controls.idempotencyKey !== undefined && !/undelete|undo/.test(action) && chance.happens(0.4);
      if (isRepeated && chance.happens(0.4)) {
        const both = await Promise.all([send(call), send(repeat(call))]);
        // One may have been refused before the other was done.
        if (both.every(({ status }) => status === 200)) expectOneAnswer(call, ...both);
      } else {
        const first = await send(call);
        if (isRepeated && first.status === 200) expectOneAnswer(call, first, await send(repeat(call)));
      }
    }
  }

  const runClients = (part: number, calls: number) =>
    Promise.all(Array.from({ length: CLIENTS }, (_, i) => runClient(part * CLIENTS + i, Math.ceil(calls / CLIENTS))));

  function expectOneAnswer(call: MixedCall, first: Reply, second: Reply) {
    const replays = [first, second].map(({ headers }) => headers["idempotency-replayed"]).sort();
    expect({ call, status: second.status, body: second.body, replays }).toEqual({
      ...{ call, status: 200, body: first.body, replays: ["true", undefined] },
    });
  }

  /** Has a large import accepted by a release and run by a worker of the other. */
  async function runJob(release: Release) {
    const fields = Array.from({ length: LIMITS.objectsPerCall + 1 }, (_, i) => ({ name: `f${i}` }));
    const content = { name: `large-${release}`, title: LARGE, fields };
    const call = toCall(release, "model/import", { content });
    const headers = { "idempotency-key": `job-${release}` };
    const accepted = await ledger.send(two, { ...call, headers });
    expect(accepted).toMatchObject({ status: 202 });
    const jobRef: string = accepted.body.job;
    const id = jobRef.slice("id:".length);
    const item = await getItem(two.table, jobKey(id));
    await two.table.write({ put: { ...item, later: [release] }, expect: { equal: { state: "accepted" } } });
    const again = () => two.call(other(release), "model/import", { content }, headers);
    expect(await again()).toMatchObject({ status: 409, body: { code: "job_running" } });

    expect(await two.start(other(release), "worker").invoke({ job: id })).toBe("done");
    expect(await getItem(two.table, jobKey(id))).toMatchObject({ state: "done", later: [release] });
    const [job, ...jobs] = await Promise.all(RELEASES.map((one) => two.run(one, "batch/job_get", { jobRef })));
    expect(jobs).toEqual([job]);
    expect(await again()).toMatchObject({ status: 200, body: job.result, headers: { "idempotency-replayed": "true" } });
    ledger.acknowledge(call, accepted, { ledger: job.result.id, revision: 1 }, job.result);
  }

  test("nothing that either acknowledged is lost or relabelled, and the table is sound", async () => {
    for (const [i, key] of ["m", "n"].entries()) {
      const { id } = await make(RELEASES[i] ?? "present", "model/import", { content: createContents(key) });
      clients.addSite(id, key);
    }
    await make("present", "tag/tag_group_create", { key: "g" });
    // The earlier release does not answer the id of the actor.
    for (const username of clients.usernames)
      await make("present", "auth/user_create", { username, fullname: username, password: PASSWORD });
    clients.run = (await two.run("present", "model/run_begin", { title: "A task" })).id;
    const { ended, open } = await endSession("grace");

    const began = Date.now();
    let isOver = false;
    const sweepOften = async (aheadMs: number) => {
      const sweepers = RELEASES.map((release) => two.start(release, "sweeper", aheadMs));
      for (let n = 0; !isOver; n++) {
        await sweepers[n % 2]?.invoke({});
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    };
    const sweeping = sweepOften(0);
    await Promise.all([runClients(0, CALLS * 0.7), runJob(accepting)]);
    isOver = true;
    await sweeping;
    isOver = false;
    // A clock that is a day ahead makes the sweepers close stagings that are in use, and sweep what these calls delete.
    const sweepingAhead = sweepOften(25 * HOUR_MS);
    await runClients(1, CALLS * 0.3);
    isOver = true;
    await sweepingAhead;
    const counts = JSON.stringify(Object.fromEntries(Object.entries(ledger.counts).sort()));
    process.stdout.write(`${counts} in ${Date.now() - began} ms\n`);
    expect(ledger.faults).toEqual([]);

    const aheadMs = await sweepAll();
    expect(await findLosses(two, ledger)).toEqual([]);
    await expectRun(clients.run);
    expect([await whoami("present", ended), await whoami("present", open)]).toEqual([401, 200]);
    // The earlier release knows no sessions.
    expect([await whoami("earlier", ended), await whoami("earlier", open)]).toEqual([200, 200]);
    const violations = await two.check(aheadMs);
    // The earlier release has no list of deleted models.
    const deletions = ledger.writes.filter(
      ({ release, sent }) => release === "earlier" && /model_delete$/.test(sent.action),
    );
    const ids = new Set(deletions.map(({ at }) => at?.ledger));
    expect(violations.filter(({ code, key }) => code !== "deleted-missing" || !ids.has(key.sk))).toEqual([]);
    await repairViolations(two.table, runtime, violations);
    for (const { key } of violations) expect(await checkModel(two.table, key.sk)).toEqual([]);
  }, 900_000);

  /** Signs a user in twice and ends the first session. Returns both tokens. */
  async function endSession(username: string) {
    const login = async (): Promise<string> =>
      (await two.run("present", "auth/login", { username, password: PASSWORD })).access_token;
    const tokens = { ended: await login(), open: await login() };
    const { items } = await two.run("present", "auth/session_list", { actorRef: `key:${username}` });
    const call = { actorRef: `key:${username}`, sessionId: items.at(-1).id };
    await make("present", "auth/session_end", call);
    return tokens;
  }

  const whoami = async (release: Release, token: string) =>
    (await two.call(release, "auth/whoami", {}, { authorization: `Bearer ${token}` })).status;

  /** Sweeps with both releases, hour after hour, until nothing is left. */
  async function sweepAll(): Promise<number> {
    for (let hours = 26; ; hours++) {
      const aheadMs = hours * HOUR_MS;
      const done: unknown[] = [];
      for (const release of RELEASES) done.push(await two.start(release, "sweeper", aheadMs).invoke({}));
      if (done.every((one) => JSON.stringify(one) === JSON.stringify({ started: 0, closed: 0, notes: 0, items: 0 })))
        return aheadMs;
      expect(hours, JSON.stringify(done)).toBeLessThan(40);
    }
  }

  /** Expects the run to list exactly the commits that carried it. */
  async function expectRun(run: string) {
    const rows: Body[] = (await two.run("present", "model/run_get", { runRef: `id:${run}` })).items;
    const requests = ledger.writes.filter(({ headers }) => headers.run !== undefined).map(({ request }) => request);
    expect([...new Set(rows.map(({ requestId }) => requestId))].sort()).toEqual(requests.sort());
  }
});
