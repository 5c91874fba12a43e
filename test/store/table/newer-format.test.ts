import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runJob } from "../../../shared/actions/pipeline/run-job.ts";
import { LIMITS, SWEEP } from "../../../shared/domain/limits.ts";
import { createPublicKeyStore } from "../../../shared/store/accounts/unlogged-items.ts";
import { createJobStore } from "../../../shared/store/jobs/job-store.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { deletedModelKey, publicKeyKey, summaryKey } from "../../../shared/store/table/keys.ts";
import { FORMAT } from "../../../shared/store/table/table.ts";
import type { CallControls } from "../../support/http-call.ts";
import { freshTable } from "../../support/table.ts";
import { codeOf, createWorld, type World } from "../../support/world.ts";
import { createNewerTable } from "../support/newer-table.ts";
import { quickRuntime } from "../support/quick-runtime.ts";
import { sceneDocument } from "../support/scene.ts";

test("a public key of a later version is refused", async () => {
  const table = await freshTable();
  await table.write({ put: { ...publicKeyKey("k"), v: FORMAT + 1 }, expect: { absent: true } });
  await expect(createPublicKeyStore(() => table).get("k")).rejects.toMatchObject({ code: "newer_format" });
});

describe("every read, one after the other, finds an item of a later version", () => {
  const clock = quickRuntime();
  const jobs: string[] = [];
  let quiet: World;
  let world: World;
  let newer: ReturnType<typeof createNewerTable>;
  const { callStagingMs } = LIMITS;

  beforeAll(async () => {
    const table = await freshTable();
    newer = createNewerTable(table);
    const startJob = async (id: string) => void jobs.push(id);
    quiet = await createWorld({ table, runtime: clock, startJob });
    // Without a cache, every object is read from the table.
    world = await createWorld({ beside: quiet, table: newer.table, runtime: clock, startJob, cachedObjects: 0 });
  });
  afterAll(() => Object.assign(LIMITS, { callStagingMs }));

  /** Repeats work with the first, the second, … read newer, until it ends as it should. Returns the number of reads. */
  async function repeatWithNewerReads(work: () => Promise<string>, end = "none"): Promise<number> {
    for (let nth = 1; ; nth++) {
      const { result, place, isWrittenBack } = await newer.run(nth, work);
      expect({ nth, place, isWrittenBack }).toMatchObject({ isWrittenBack: false });
      if (place !== undefined && result === "newer_format") continue;
      // After a commit, the rows of the model are awaited and not used.
      expect({ nth, result, place }).toEqual({ nth, result: end, place: place && expect.stringMatching(ROWS) });
      return nth - 1;
    }
  }

  const ROWS = new RegExp(`^(${summaryKey("").pk}|${deletedModelKey("").pk}) `);
  const CRM = { modelRef: "key:crm" };
  const TAG = { tagRef: "key:g/t" };
  const GRACE = { username: "grace", password: "violet harbor 1 lantern" };
  const TAKEN = { ...CRM, entityKey: "customer" };
  const CALLS: [action: string, payload?: object, controls?: CallControls, end?: string][] = [
    ["model/import", { content: sceneDocument("crm") }],
    ["model/type_list", CRM],
    ["model/entity_create", TAKEN, {}, "key_taken"],
    ["model/entity_create", TAKEN, { dryRun: true }, "key_taken"],
    ["model/entity_create", { ...CRM, entityKey: "new" }, { idempotencyKey: "k" }],
    ["model/entity_create", { ...CRM, entityKey: "new" }, { idempotencyKey: "k" }],
    ["model/entity_update_key", { ...CRM, entityRef: "key:new", value: "newer" }, { dryRun: true }],
    ["model/entity_update_key", { ...CRM, entityRef: "key:new", value: "newer" }],
    ["model/model_export", CRM],
    ["model/model_update_key", { ...CRM, value: "crm" }],
    ["model/model_release", { ...CRM, value: "7.0.0" }],
    ["model/history_versions", CRM],
    ["model/history_version_changes", { ...CRM, version: "7.0.0" }],
    ["model/model_export", { ...CRM, revision: 1 }],
    ["model/model_restore", { ...CRM, revision: 1 }],
    ["model/model_undo", { ...CRM, revisions: [2] }],
    ["model/model_copy", { ...CRM, modelNewKey: "copy" }],
    ["model/search", { filters: { items: [] } }],
    ["model/run_begin", { title: "A task" }],
    ["model/run_list"],
    ["tag/tag_group_create", { key: "g" }],
    ["tag/tag_global_create", { groupRef: "key:g", key: "t" }],
    ["tag/tag_search"],
    ["model/model_add_tag", { ...CRM, ...TAG }],
    ["batch/batch_run", { actions: [{ group: "model", action: "model_update_name", payload: { ...CRM, name: "B" } }] }],
    ["model/model_delete", { modelRef: "key:copy" }],
    ["model/deleted_list"],
    ["auth/user_create", { ...GRACE, fullname: "Grace" }],
    ["auth/role_create", { key: "r", name: "R" }],
    ["auth/user_list"],
    ["auth/audit_list"],
    ["auth/session_list"],
    ["auth/login", GRACE],
    ["batch/job_list"],
    ["model/maintenance_rebuild_caches"],
  ];

  test.each(CALLS)("the dispatcher, by %s", async (action, payload = {}, controls = {}, end = "none") => {
    const caller = action === "auth/login" ? undefined : world.people.admin;
    const reads = await repeatWithNewerReads(() => codeOf(world.run(action, payload, caller, controls)), end);
    expect(reads).toBeGreaterThan(0);
  });

  test("the worker, which leaves the job", async () => {
    const reads = await repeatWithNewerReads(async () => {
      Object.assign(LIMITS, { callStagingMs: 0 });
      const fields = Array.from({ length: LIMITS.transactionItems + 10 }, (_, i) => ({ name: `f${i}` }));
      await quiet.run("model/import", { content: { name: clock.newId(), fields } });
      const id = jobs.at(-1) ?? "";
      const outcome = await runJob(id, world.service, clock.now() + 900_000).catch(({ code }) => code);
      const { state } = await quiet.run("batch/job_get", { jobRef: `id:${id}` });
      expect(["accepted", "running", "done"]).toContain(state);
      await quiet.run("batch/job_cancel", { jobRef: `id:${id}` });
      return outcome === "done" ? "none" : outcome === "left" ? "newer_format" : outcome;
    });
    expect(reads).toBeGreaterThan(5);
  });

  test("the sweeper, which leaves the item", async () => {
    Object.assign(LIMITS, { callStagingMs });
    let count = 0;
    const reads = await repeatWithNewerReads(async () => {
      const key = `swept-${count++}`;
      const modelRef = `key:${key}`;
      await quiet.run("model/import", { content: sceneDocument(key) });
      await quiet.run("model/entity_delete", { modelRef, entityRef: "key:customer" });
      await quiet.run("model/model_delete", { modelRef });
      const later = { ...clock, now: () => clock.now() + SWEEP.generationMs + 1 };
      const waiting = createJobStore(newer.table, later, async () => undefined).listWaiting();
      return codeOf(waiting.then(() => sweep(newer.table, later)));
    });
    expect(reads).toBeGreaterThan(10);
  });
});
