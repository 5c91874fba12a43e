import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runJob } from "../../../shared/actions/pipeline/run-job.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { runtimeAt } from "../../support/runtime.ts";
import { person, type Someone } from "../../support/someone.ts";
import { createWorld, type World } from "../../support/world.ts";

const { callStagingMs } = LIMITS;
const FIELDS = LIMITS.transactionItems + 10;

/** A table schema that is too large for one call, which here may stage nothing. */
function large(name: string, count = FIELDS) {
  return { content: { name, fields: Array.from({ length: count }, (_, i) => ({ name: `f${i}` })) } };
}

describe("a write that is too large for one call", () => {
  const runtime = runtimeAt("2026-03-01T08:00:00Z");
  const started: string[] = [];
  let world: World;
  /** Runs a job as a worker does, with as much time as it needs. */
  const work = (jobRef: string) => runJob(jobRef.slice("id:".length), world.service, runtime.now() + 900_000);
  const acceptCall = async (...call: Parameters<World["answer"]>): Promise<string> => {
    const { accepted, body } = await world.answer(...call);
    expect(accepted).toBe(true);
    return (body as { job: string }).job;
  };
  const accept = (name: string, caller = world.people.admin) => acceptCall("model/import", large(name), caller);
  const jobAt = (jobRef: string, caller = world.people.admin) => world.run("batch/job_get", { jobRef }, caller);
  const listed = async (caller: string): Promise<readonly string[]> =>
    (await world.run("batch/job_list", {}, caller)).items.map(({ id }: { id: string }) => `id:${id}`);
  const cancel = (jobRef: string, caller = world.people.admin) => world.run("batch/job_cancel", { jobRef }, caller);

  beforeAll(async () => {
    world = await createWorld({ runtime, startJob: async (id) => void started.push(id) });
    Object.assign(LIMITS, { callStagingMs: 0 });
  });

  afterAll(() => Object.assign(LIMITS, { callStagingMs }));

  test("becomes a job, which a worker completes", async () => {
    Object.assign(LIMITS, { callStagingMs });
    const count = LIMITS.objectsPerCall + 10;
    const jobRef = await acceptCall("model/import", large("big", count));
    Object.assign(LIMITS, { callStagingMs: 0 });
    expect(started.map((id) => `id:${id}`)).toContain(jobRef);
    const progress = { done: 0, total: count + 17 };
    expect(await jobAt(jobRef)).toMatchObject({ state: "accepted", action: "model/import", progress });
    expect((await world.problem("model/model_get", { modelRef: "key:big" })).code).toBe("not_found");

    expect(await work(jobRef)).toBe("done");
    const job = await jobAt(jobRef);
    expect(job).toMatchObject({ state: "done", result: { status: "ok", key: "big", revision: 1 } });
    expect(job.progress.done).toBe(job.progress.total);
    expect((await world.run("model/model_export", { modelRef: "key:big" })).entities[0].attributes).toHaveLength(count);
    expect(await work(jobRef)).toBe("not_taken");
  });

  test("answers the same call 409 while the job runs, and its result afterwards", async () => {
    const call = ["model/import", large("keyed"), world.people.admin, { idempotencyKey: "k" }] as const;
    const jobRef = await acceptCall(...call);
    expect((await world.problem(...call)).code).toBe("job_running");
    expect(await work(jobRef)).toBe("done");
    const { body, replayed } = await world.answer(...call);
    expect(replayed).toBe(true);
    expect(body).toMatchObject({ status: "ok", key: "keyed" });
  });

  test("can be cancelled; then nothing of it becomes visible and the call can be repeated", async () => {
    const call = ["model/import", large("dropped"), world.people.admin, { idempotencyKey: "d" }] as const;
    const jobRef = await acceptCall(...call);
    expect(await cancel(jobRef)).toMatchObject({ state: "cancelled" });
    expect(await work(jobRef)).toBe("not_taken");
    expect((await world.problem("model/model_get", { modelRef: "key:dropped" })).code).toBe("not_found");
    await acceptCall(...call);
  });

  test("is run by one worker at a time, and taken over when that one is lost", async () => {
    const jobRef = await accept("leased");
    const id = jobRef.slice("id:".length);
    const { jobs } = world.service.ports(Number.POSITIVE_INFINITY);
    const taken = await Promise.all([jobs.lease(id), jobs.lease(id), jobs.lease(id)]);
    expect(taken.filter((t) => t !== undefined)).toHaveLength(1);
    expect(await work(jobRef)).toBe("not_taken");
    expect(await jobs.listWaiting()).not.toContain(id);
    runtime.advance(LIMITS.jobLeaseMs + 1);
    expect(await jobs.listWaiting()).toContain(id);
    expect(await work(jobRef)).toBe("done");
    // The first worker comes back to life: it has lost the job.
    const zombie = taken.find((t) => t !== undefined);
    await expect(zombie?.lease.progress(1, 1)).rejects.toMatchObject({ code: "job_ended" });
  });

  test("fails after jobWorkers workers that did not complete it", async () => {
    const jobRef = await accept("hopeless");
    const { jobs } = world.service.ports(Number.POSITIVE_INFINITY);
    for (let worker = 1; worker <= LIMITS.jobWorkers; worker++) {
      expect(await jobs.lease(jobRef.slice(3))).toBeDefined();
      runtime.advance(LIMITS.jobLeaseMs + 1);
    }
    expect(await jobs.lease(jobRef.slice(3))).toBeUndefined();
    expect(await jobAt(jobRef)).toMatchObject({ state: "failed", problem: { code: "internal" } });
  });

  test("fails finally if it cannot succeed, with the reason", async () => {
    const jobRef = await accept("late");
    await world.run("model/model_create", { key: "late", name: "Late" });
    expect(await work(jobRef)).toBe("failed");
    expect(await jobAt(jobRef)).toMatchObject({ state: "failed", problem: { code: "key_taken" } });
  });

  test("merges users' changes since its acceptance, or fails with the conflicts in its problem", async () => {
    const merged = { modelRef: "key:merged" };
    const documentOf = (name: string) => ({
      ...{ $schema: "urn:metaction:model:2", key: "merged", name },
      types: Array.from({ length: FIELDS }, (_, i) => ({ key: `t${i}`, description: name })),
    });
    const accept = (payload: object) => acceptCall("model/import", { source: "s", ...payload });
    expect(await work(await accept({ content: documentOf("First") }))).toBe("done");
    const second = { into: "key:merged", content: documentOf("Second") };

    const refused = await accept(second);
    await world.run("model/model_update_name", { ...merged, value: "People's" });
    expect(await work(refused)).toBe("failed");
    const detail = expect.stringContaining("One value was changed in different ways in the model merged");
    expect(await jobAt(refused)).toMatchObject({ state: "failed", problem: { code: "merge_conflict", detail } });
    expect(await world.run("model/model_get", merged)).toMatchObject({ name: "People's" });

    const decided = await accept({ ...second, onConflict: "ours" });
    await world.run("model/model_update_description", { ...merged, value: "People's too." });
    expect(await work(decided)).toBe("done");
    expect(await jobAt(decided)).toMatchObject({ state: "done", result: { conflictCount: 1, changed: true } });
    const { name, description, types } = await world.run("model/model_export", merged);
    expect([name, description, types[0].description]).toEqual(["People's", "People's too.", "Second"]);
    // The base came with it.
    const again = await world.run("model/import", { source: "s", ...second });
    expect(again).toMatchObject({ changed: false, conflictCount: 0 });
  });

  test("creates global tags with the permissions of its caller", async () => {
    const content = {
      ...{ $schema: "urn:metaction:model:1", key: "marked", name: "Marked", version: "1.0.0", authority: "system" },
      ...{ types: [], entities: [], tags: ["key:fresh/x"], tagGroups: [{ key: "fresh", tags: [{ key: "x" }] }] },
      localTags: Array.from({ length: FIELDS }, (_, i) => ({ key: `t${i}` })),
    };
    expect(await work(await acceptCall("model/import", { content }))).toBe("done");
    expect(await world.run("tag/tag_global_get", { tagRef: "key:fresh/x" })).toMatchObject({ key: "x" });
    const marked = await world.run("model/model_get", { modelRef: "key:marked" });
    expect(marked).toMatchObject({ tags: [{ key: "fresh/x" }] });
  });

  test("is deleted some days after its end", async () => {
    const jobRef = await accept("forgotten");
    const item = () => world.table.get({ pk: "jobs", sk: jobRef.slice(3) });
    expect((await item())?.expiresAt).toBeUndefined();
    await cancel(jobRef);
    expect((await item())?.expiresAt).toBe(Math.floor(runtime.now() / 1000) + LIMITS.jobDays * 86_400);
  });

  test("belongs to its caller: administrators see it, and others do not", async () => {
    const { manager, reader, admin } = world.people;
    const jobRef = await accept("owned", manager);
    expect((await world.problem("batch/job_get", { jobRef }, reader)).code).toBe("not_found");
    expect((await world.problem("batch/job_cancel", { jobRef }, reader)).code).toBe("not_found");
    expect(await listed(reader)).toEqual([]);
    expect(await listed(manager)).toEqual([jobRef]);
    expect(await listed(admin)).toContain(jobRef);
    for (const caller of [manager, admin]) {
      const job = await world.run("batch/job_get", { jobRef, expand: "keys,refs" }, caller);
      expect(job).toMatchObject({ id: jobRef, actor: expect.stringMatching(/^id:/), actorName: "The manager" });
    }
    await cancel(jobRef, manager);
  });

  test("belongs to its actor's tokens too, except that a token for some models sees only its own", async () => {
    const owner = await person(world, "manager");
    const tokenFor = async (payload: object): Promise<{ id: string; token: string }> =>
      world.run("auth/token_create", { name: "T", ...payload }, owner.token);
    const [whole, some] = [await tokenFor({}), await tokenFor({ models: ["owned_*"] })];
    const [theirs, its] = [await accept("hidden_one", owner.token), await accept("owned_two", some.token)];
    expect(await jobAt(its, owner.token)).toMatchObject({ apiToken: some.id });
    expect(await listed(whole.token)).toEqual([its, theirs]);
    expect(await listed(some.token)).toEqual([its]);
    for (const action of ["batch/job_get", "batch/job_cancel"])
      expect((await world.problem(action, { jobRef: theirs }, some.token)).code).toBe("not_found");
    for (const jobRef of [theirs, its]) await cancel(jobRef, owner.token);
  });

  test("is cancelled by callers with the permission for its action only", async () => {
    const owner = await person(world, "manager");
    const jobRef = await accept("ruled", owner.token);
    const tokenFor = async (permission: string): Promise<string> =>
      (await world.run("auth/token_create", { name: "T", permissions: [permission] }, owner.token)).token;
    const reading = await tokenFor("model_read");
    const importing = await tokenFor("model_import");
    expect(await jobAt(jobRef, reading)).toMatchObject({ state: "accepted" });
    const { code, message } = await world.problem("batch/job_cancel", { jobRef }, reading);
    expect([code, message]).toEqual(["not_allowed", "This action requires the permission model_import"]);
    const role = { actorId: owner.id, roleRef: "key:manager" };
    await world.run("auth/actor_delete_role", role);
    for (const caller of [owner.token, importing])
      expect((await world.problem("batch/job_cancel", { jobRef }, caller)).code).toBe("not_allowed");
    expect(await jobAt(jobRef, owner.token)).toMatchObject({ state: "accepted" });
    await world.run("auth/actor_add_role", role);
    expect(await cancel(jobRef, importing)).toMatchObject({ state: "cancelled" });
  });

  test.each([
    ["was disabled", "actor_disabled", (who: Someone) => ["actor_disable", { actorId: who.id }] as const],
    ["was deleted", "not_allowed", (who: Someone) => ["user_delete", { username: who.username }] as const],
  ])("changes nothing if its caller %s before a worker takes it", async (how, code, gone) => {
    const owner = await person(world, "manager");
    const key = `of-one-who-${how.replace(" ", "-")}`;
    const jobRef = await accept(key, owner.token);
    const [action, payload] = gone(owner);
    await world.run(`auth/${action}`, payload);
    expect(await work(jobRef)).toBe("failed");
    expect(await jobAt(jobRef)).toMatchObject({ state: "failed", problem: { code } });
    expect((await world.problem("model/model_get", { modelRef: `key:${key}` })).code).toBe("not_found");
  });

  test("changes nothing if its API token was revoked or its caller lost a role", async () => {
    const owner = await person(world, "manager");
    const { id: tokenId, token } = await world.run("auth/token_create", { name: "T" }, owner.token);
    const ofToken = await accept("of-a-token", token);
    const ofOwner = await accept("of-its-owner", owner.token);
    await world.run("auth/token_revoke", { tokenId });
    await world.run("auth/actor_delete_role", { actorId: owner.id, roleRef: "key:manager" });
    expect(await work(ofToken)).toBe("failed");
    expect(await work(ofOwner)).toBe("failed");
    expect(await jobAt(ofOwner)).toMatchObject({ problem: { code: "not_allowed" } });
  });
});
