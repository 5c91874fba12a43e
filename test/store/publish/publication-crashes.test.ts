import { expect, test } from "vitest";
import { checkTable } from "../../../shared/store/fsck/check-table.ts";
import { IDENTITY } from "../../../shared/store/table/keys.ts";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { checkModel } from "../support/check-model.ts";
import type { Rule } from "../support/fault-plan.ts";
import { createFaultTable, Killed } from "../support/fault-table.ts";
import { largeDocument, TYPES, withLargeWrites } from "../support/large-writes.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { serviceOver, writtenBody } from "../support/service-over.ts";
import { leftOver, sweepAll } from "../support/swept.ts";

const CRM = { modelRef: "key:crm" };

for (const action of ["test_describe_many", "test_reset_all"]) {
  for (const overtaken of [false, true]) {
    for (const fault of ["kill", "kill-after"] as const) {
      const when = `${fault === "kill" ? "before" : "after"} any storage call`;
      test(`a process that dies ${when} of ${action}${overtaken ? ", overtaken by another commit," : ""} leaves all of it or nothing`, async () => {
        const opened = await openTable();
        const world = await createWorld({ table: opened.table });
        const table = createFaultTable(opened.table);
        const clock = quickAmbient();
        const caller = serviceOver(world, table, clock, withLargeWrites);
        const quiet = serviceOver(world, opened.table, clock, withLargeWrites);
        const { id: model } = await world.run("model/import", { content: largeDocument("crm") });
        const wrong: string[] = [];
        for (let nth = 1; ; nth++) {
          const value = `value ${nth}`;
          const other = async (): Promise<void> => {
            writtenBody(await quiet.call("entity_update_name", { ...CRM, entityRef: "key:order", value }));
          };
          const rules: Rule[] = [{ match: { nth }, do: fault }];
          if (overtaken) rules.push({ match: { operation: "transactWrite" }, do: { before: other } });
          table.arm({ rules });
          const outcome = await caller.call(action, { ...CRM, value }).catch((error: unknown) => {
            if (error instanceof Killed) return "killed" as const;
            throw error;
          });
          const committed = table.trace.some(
            ({ operation, keys, outcome: how, fault: suffered }) =>
              operation === "transactWrite" &&
              keys[0]?.startsWith("log#") &&
              suffered === "kill-after" &&
              how === "Killed",
          );
          await table.settle();
          const { items } = await world.run("model/type_list", CRM);
          const seen = items.filter(({ description }: { description?: string }) => description === value).length;
          const wanted = outcome !== "killed" || committed ? TYPES : 0;
          if (seen !== wanted) wrong.push(`call ${nth}: ${seen} of ${TYPES}`);
          wrong.push(...(await checkModel(opened.table, model)).map((sentence) => `call ${nth}: ${sentence}`));
          await sweepAll(opened.table, clock);
          const left = leftOver(await opened.items());
          if (left.length > 0) wrong.push(`call ${nth}: ${left.length} items left, such as ${left[0]}`);
          if (outcome !== "killed") break;
        }
        expect(wrong).toEqual([]);
        const { violations: findings } = await checkTable(opened.table, { ambient: clock, scan: opened.scan });
        // The people of a world have no log.
        expect(findings.filter(({ place }) => !place.pk.includes(IDENTITY))).toEqual([]);
      });
    }
  }
}
