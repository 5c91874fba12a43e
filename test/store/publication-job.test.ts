import { expect, test } from "vitest";
import { beginCall } from "../../shared/actions/contract/call.ts";
import { runJob } from "../../shared/actions/dispatch/run-job.ts";
import type { Service } from "../../shared/actions/dispatch/service.ts";
import { model } from "../../shared/domain/kinds.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { createJobStore } from "../../shared/store/jobs/job-store.ts";
import { readHead } from "../../shared/store/log/head.ts";
import { objectsPartition } from "../../shared/store/table/keys.ts";
import { OWNER, writeOwner } from "../support/accounts.ts";
import { openTable } from "../support/table.ts";
import { createWorld } from "../support/world.ts";
import { checkModel, partition } from "./support/check-model.ts";
import { createFaultSeam } from "./support/fault-seam.ts";
import { largeDocument, runs, TYPES, withLargeWrites } from "./support/large-writes.ts";
import { quickAmbient } from "./support/quick-ambient.ts";
import { serviceOver, writtenBody } from "./support/service-over.ts";

test("a job that publishes onto a model ends with the revision it became, also when others were faster", async () => {
  const table = await openTable();
  const world = await createWorld({ seam: table.seam });
  await writeOwner(world.seam);
  const clock = quickAmbient();
  const seam = createFaultSeam(table.seam);
  const { service } = serviceOver(world, seam, clock, withLargeWrites);
  const quiet = serviceOver(world, table.seam, clock);
  const withJobs: Service = {
    ...service,
    ports: (deadline) => ({ ...service.ports(deadline), jobs: createJobStore(seam, clock, async () => undefined) }),
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
  seam.arm({ rules: [{ match: { operation: "transactWrite", key: /^stagings\|/ }, do: { before: other } }] });
  expect(await runJob(id, withJobs, clock.now() + 900_000)).toBe("done");
  const { generation } = (await readHead(table.seam, modelId))?.entry ?? { generation: "" };
  const objects = (await partition(table.seam, objectsPartition(modelId, generation))).length;
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
  expect(await checkModel(table.seam, modelId)).toEqual([]);
});
