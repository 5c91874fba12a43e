import { expect, test } from "vitest";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { partitioned } from "../support/partitioned-table.ts";
import { serviceOver } from "../support/service-over.ts";
import { createVirtualTime } from "../support/virtual-time.ts";

/** A table schema with so many fields. */
const fields = (name: string, count: number) => ({
  content: { name, fields: Array.from({ length: count }, (_, i) => ({ name: `f${i}` })) },
});

for (const count of [16_000, 19_000]) {
  test(`${count} attributes are imported under the limit of a partition`, async () => {
    const opened = await openTable();
    const world = await createWorld({ table: opened.table });
    const time = createVirtualTime();
    const table = partitioned(opened.table, time);
    const caller = serviceOver(world, table, time.runtime);
    const began = time.runtime.now();
    const { answer, problem } = await time.during(caller.call("import", fields("wide", count)));
    const took = time.runtime.now() - began;
    const uses = table.use("model#");
    process.stdout.write(`FIG ${count}: ${problem?.code ?? "ok"} after ${took} ms: ${JSON.stringify(uses)}\n`);
    expect(problem).toBeUndefined();
    expect(answer?.body).toMatchObject({ key: "wide", revision: 1 });
  });
}
