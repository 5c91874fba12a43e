import { expect, test } from "vitest";
import { beginCall } from "../../../shared/actions/contract/call.ts";
import type { Service } from "../../../shared/actions/pipeline/call-context.ts";
import { runJob } from "../../../shared/actions/pipeline/run-job.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { parseRef } from "../../../shared/domain/refs.ts";
import { createJobStore } from "../../../shared/store/jobs/job-store.ts";
import { OWNER, writeOwner } from "../../support/accounts.ts";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { serviceOver } from "../support/service-over.ts";

const M = { modelRef: "key:m" };
const INTO = { into: "key:m", source: "s" };

const documentOf = (name: string) => ({
  ...{ $schema: "urn:metaction:model:2", key: "m", name },
  types: [{ key: "a", description: name }],
});

test("users' changes between a job's acceptance and its work are conflicts in its problem, or merged", async () => {
  const { table } = await openTable();
  const world = await createWorld({ table });
  await writeOwner(table);
  const clock = quickAmbient();
  const { service } = serviceOver(world, table, clock);
  const jobsOf = () => createJobStore(table, clock, async () => undefined);
  const withJobs: Service = {
    ...service,
    ports: (deadline) => ({ ...service.ports(deadline), jobs: jobsOf() }),
  };
  await world.run("model/import", { content: documentOf("First"), source: "s" });
  const accepted = async (content: object, onConflict?: string): Promise<string> => {
    const facts = { requestId: "r", action: "model/import", channel: "http" as const, principal: undefined };
    const call = beginCall({ ...facts, deadline: clock.now() + LIMITS.callMs }, clock);
    const input = { content, into: parseRef("key:m"), source: "s", ...(onConflict && { onConflict }) };
    const importer = withJobs.ports(call.deadline).importer;
    const prepared = {
      ...(await importer.read({ content: content as Record<string, unknown> }, { source: "s", notes: true })),
      ...{ may: { tags: false, groups: false }, write: true as const },
    };
    const order = {
      payload: { path: [], input },
      prepared,
      channel: "http" as const,
      requestId: "r",
      principal: OWNER,
    };
    return (await jobsOf().accept(call, order, 2)).id;
  };
  const refused = await accepted(documentOf("Second"));
  await world.run("model/model_update_name", { ...M, value: "People's" });
  expect(await runJob(refused, withJobs, clock.now() + 900_000)).toBe("failed");
  expect(await jobsOf().get(refused)).toMatchObject({
    state: "failed",
    problem: {
      code: "merge_conflict",
      detail: expect.stringContaining("One value was changed in different ways in the model m"),
    },
  });
  expect(await world.run("model/model_get", M)).toMatchObject({ name: "People's" });

  const decided = await accepted(documentOf("Second"), "ours");
  await world.run("model/model_update_description", { ...M, value: "People's too." });
  expect(await runJob(decided, withJobs, clock.now() + 900_000)).toBe("done");
  expect(await jobsOf().get(decided)).toMatchObject({ state: "done", result: { conflictCount: 1, changed: true } });
  const { name, description, types } = await world.run("model/model_export", M);
  expect([name, description, types[0].description]).toEqual(["People's", "People's too.", "Second"]);
  // The base came with it.
  expect(await world.run("model/import", { ...INTO, content: documentOf("Second") })).toMatchObject({
    changed: false,
    conflictCount: 0,
  });
});
