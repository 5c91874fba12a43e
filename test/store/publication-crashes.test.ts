import { expect, test } from "vitest";
import { checkTable } from "../../shared/store/fsck/check-table.ts";
import { IDENTITY } from "../../shared/store/table/keys.ts";
import { openTable } from "../support/table.ts";
import { createWorld } from "../support/world.ts";
import { checkModel } from "./support/check-model.ts";
import type { Rule } from "./support/fault-plan.ts";
import { createFaultSeam, Killed } from "./support/fault-seam.ts";
import { largeDocument, TYPES, withLargeWrites } from "./support/large-writes.ts";
import { quickAmbient } from "./support/quick-ambient.ts";
import { serviceOver, writtenBody } from "./support/service-over.ts";
import { leftOver, sweepAll } from "./support/swept.ts";

const CRM = { modelRef: "key:crm" };

for (const action of ["test_describe_many", "test_reset_all"]) {
  for (const overtaken of [false, true]) {
    for (const fault of ["kill", "kill-after"] as const) {
      const when = `${fault === "kill" ? "before" : "after"} any storage call`;
      test(`a process that dies ${when} of ${action}${overtaken ? ", overtaken by another commit," : ""} leaves all of it or nothing, and nothing else`, async () => {
        const table = await openTable();
        const world = await createWorld({ seam: table.seam });
        const seam = createFaultSeam(table.seam);
        const clock = quickAmbient();
        const caller = serviceOver(world, seam, clock, withLargeWrites);
        const quiet = serviceOver(world, table.seam, clock, withLargeWrites);
        const { id: model } = await world.run("model/import", { content: largeDocument("crm") });
        const wrong: string[] = [];
        for (let nth = 1; ; nth++) {
          const value = `value ${nth}`;
          const other = async (): Promise<void> => {
            writtenBody(await quiet.call("entity_update_name", { ...CRM, entityRef: "key:order", value }));
          };
          const rules: Rule[] = [{ match: { nth }, do: fault }];
          if (overtaken) rules.push({ match: { operation: "transactWrite" }, do: { before: other } });
          seam.arm({ rules });
          const outcome = await caller.call(action, { ...CRM, value }).catch((error: unknown) => {
            if (error instanceof Killed) return "killed" as const;
            throw error;
          });
          const committed = seam.trace.some(
            ({ operation, keys, outcome: how, fault: suffered }) =>
              operation === "transactWrite" &&
              keys[0]?.startsWith("log#") &&
              suffered === "kill-after" &&
              how === "Killed",
          );
          await seam.settle();
          const { items } = await world.run("model/type_list", CRM);
          const seen = items.filter(({ description }: { description?: string }) => description === value).length;
          const wanted = outcome !== "killed" || committed ? TYPES : 0;
          if (seen !== wanted) wrong.push(`call ${nth}: ${seen} of ${TYPES}`);
          wrong.push(...(await checkModel(table.seam, model)).map((sentence) => `call ${nth}: ${sentence}`));
          await sweepAll(table.seam, clock);
          const left = leftOver(await table.items());
          if (left.length > 0) wrong.push(`call ${nth}: ${left.length} items left, such as ${left[0]}`);
          if (outcome !== "killed") break;
        }
        expect(wrong).toEqual([]);
        const { findings } = await checkTable(table.seam, { ambient: clock, scan: table.scan });
        // The people of a world have no log.
        expect(findings.filter(({ place }) => !place.pk.includes(IDENTITY))).toEqual([]);
      });
    }
  }
}
