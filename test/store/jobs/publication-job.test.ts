import { expect, test } from "vitest";
import { beginCall } from "../../../shared/actions/contract/call.ts";
import type { Service } from "../../../shared/actions/pipeline/call-context.ts";
import { runJob } from "../../../shared/actions/pipeline/run-job.ts";
import { model } from "../../../shared/domain/kinds.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { createJobStore } from "../../../shared/store/jobs/job-store.ts";
import { readHead } from "../../../shared/store/log/log.ts";
import { objectsPartition } from "../../../shared/store/table/keys.ts";
import { OWNER, writeOwner } from "../../support/accounts.ts";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { checkModel, partition } from "../support/check-model.ts";
import { createFaultTable } from "../support/fault-table.ts";
import { largeDocument, runs, TYPES, withLargeWrites } from "../support/large-writes.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { serviceOver, writtenBody } from "../support/service-over.ts";

test("a job that publishes onto a model ends with its revision, also after other commits", async () => {
  const opened = await openTable();
  const world = await createWorld({ table: opened.table });
  await writeOwner(world.table);
  const clock = quickAmbient();
  const table = createFaultTable(opened.table);
  const { service } = serviceOver(world, table, clock, withLargeWrites);
  const quiet = serviceOver(world, opened.table, clock);
  const withJobs: Service = {
    ...service,
    ports: (deadline) => ({ ...service.ports(deadline), jobs: createJobStore(table, clock, async () => undefined) }),
  };
  const { id: modelId } = await world.run("model/import", { content: largeDocument("crm") });
  const facts = { requestId: "r", action: "model/test_describe_many", channel: "http" as const, principal: undefined };
  const call = beginCall({ ...facts, deadline: clock.now() + LIMITS.callMs }, clock);
  const { jobs } = withJobs.ports(call.deadline);
  const { id } = await jobs.accept(
    call,
    {
      payload: {
        path: [{ kind: model, ref: { scheme: "key", value: "crm" } }],
        input: { value: "By job", makes: "made" },
      },
      prepared: undefined,
      channel: "http",
      requestId: "r",
      principal: OWNER,
    },
    TYPES + 1,
  );
  const other = async (): Promise<void> => {
    writtenBody(
      await quiet.call("entity_update_name", { modelRef: "key:crm", entityRef: "key:order", value: "Orders" }),
    );
  };
  table.arm({ rules: [{ match: { operation: "transactWrite", key: /^stagings\|/ }, do: { before: other } }] });
  expect(await runJob(id, withJobs, clock.now() + 900_000)).toBe("done");
  const { generation } = (await readHead(opened.table, modelId))?.entry ?? { generation: "" };
  const objects = (await partition(opened.table, objectsPartition(modelId, generation))).length;
  expect(objects).toBeGreaterThan(TYPES);
  expect(await jobs.get(id)).toMatchObject({
    state: "done",
    // All that the generation holds: the model, the scene, the many types and the one that was made.
    progress: { done: objects, total: objects },
    result: { id: modelId, revision: 3, changed: true },
  });
  expect(runs.get("By job")).toBe(1);
  expect(await world.run("model/entity_get", { modelRef: "key:crm", entityRef: "key:order" })).toMatchObject({
    name: "Orders",
  });
  expect(await checkModel(opened.table, modelId)).toEqual([]);
});
