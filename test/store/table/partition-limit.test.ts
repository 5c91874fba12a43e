import { expect, test } from "vitest";
import { createWorld } from "../../support/world.ts";
import { partitioned } from "../support/partitioned-table.ts";
import { serviceOver } from "../support/service-over.ts";
import { createVirtualTime } from "../support/virtual-time.ts";

test.each([16_000, 19_000])("%i attributes are imported under the limit of a partition", async (count) => {
  const world = await createWorld();
  const time = createVirtualTime();
  const table = partitioned(world.table, time);
  const caller = serviceOver(world, table, time.runtime);
  const began = time.runtime.now();
  const content = { name: "wide", fields: Array.from({ length: count }, (_, i) => ({ name: `f${i}` })) };
  const { answer, problem } = await time.during(caller.call("import", { content }));
  const took = time.runtime.now() - began;
  const uses = table.use("model#");
  process.stdout.write(`FIG ${count}: ${problem?.code ?? "ok"} after ${took} ms: ${JSON.stringify(uses)}\n`);
  expect(problem).toBeUndefined();
  expect(answer?.body).toMatchObject({ key: "wide", revision: 1 });
});
