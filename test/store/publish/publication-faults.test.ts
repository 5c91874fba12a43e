import { expect, test } from "vitest";
import { checkModel as fsckModel } from "../../../shared/store/fsck/check-model.ts";
import { logKey } from "../../../shared/store/table/keys.ts";
import { seedOf } from "../../support/chance.ts";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { checkModel, partition } from "../support/check-model.ts";
import { createChance, type Fault } from "../support/fault-plan.ts";
import { createFaultTable } from "../support/fault-table.ts";
import { largeDocument, withLargeWrites } from "../support/large-writes.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { type Outcome, serviceOver } from "../support/service-over.ts";
import { leftOver, sweepAll } from "../support/swept.ts";

const CRM = { modelRef: "key:crm" };
const ROUNDS = 6;
const CALLERS = 3;
const CALLS = 8;

const FAULTS: readonly Fault[] = [
  "lose",
  "lose-answer",
  "throttle",
  "conflict",
  "half",
  { applyLater: 5 },
  { applyLater: 40 },
  { scatter: 3, hold: 4, answered: false },
];

/** A call that others make at the same time: a small commit, a batch, a restore or an export. */
function drawn(chance: () => number, mine: string): readonly [name: string, payload: object] {
  const key = `t${String(Math.floor(chance() * 44)).padStart(2, "0")}`;
  const value = `${mine} ${Math.floor(chance() * 3)}`;
  const choices: readonly (readonly [string, object])[] = [
    ["test_describe_many", { ...CRM, value, makes: `made-${Math.floor(chance() * 4)}` }],
    ["test_describe_many", { ...CRM, value, removes: "empty" }],
    ["test_reset_all", { ...CRM, value }],
    ["test_rename_types", { ...CRM, from: `${key},t01`, to: `t01,${key}` }],
    ["test_describe_at_length", { ...CRM, value }],
    ["type_update_description", { ...CRM, typeRef: `key:${key}`, value }],
    ["type_delete", { ...CRM, typeRef: `key:${key}` }],
    ["type_create", { ...CRM, typeKey: key }],
    ["entity_create", { ...CRM, entityKey: "empty" }],
    ["entity_update_name", { ...CRM, entityRef: "key:order", value }],
    [
      "entity_attribute_create",
      { ...CRM, entityRef: "key:empty", attributeKey: key, type: "key:string", optional: true },
    ],
    ["model_update_name", { ...CRM, name: value }],
    ["model_export", CRM],
  ];
  return choices[Math.floor(chance() * choices.length)] ?? ["model_export", CRM];
}

test("publications and small commits at once, with faults at the store, leave a complete log", {
  timeout: 180_000,
}, async () => {
  const seed = seedOf("publication-faults");
  for (let round = 0; round < ROUNDS; round++) {
    const chance = createChance(seed + round);
    const opened = await openTable();
    const world = await createWorld({ table: opened.table });
    const { id: model } = await world.run("model/import", { content: largeDocument("crm") });
    const table = createFaultTable(opened.table);
    const clock = quickAmbient();
    table.arm({ random: { seed: seed + round, rate: 0.04, faults: FAULTS } });
    const done: Outcome[] = [];
    const caller = async (mine: string): Promise<void> => {
      const service = serviceOver(world, table, clock, withLargeWrites);
      for (let i = 0; i < CALLS; i++) {
        const [name, payload] = drawn(chance, mine);
        const outcome = await service.call(name, payload);
        if (outcome.answer && name !== "model_export") done.push(outcome);
        expect(outcome.problem?.code, `seed ${seed + round}`).not.toBe("internal");
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, i) => caller(`c${i}`)));
    await table.settle();
    const log = await partition(opened.table, logKey(model, 0).pk);
    for (const { answer, request } of done) {
      const { revision, changed } = answer?.body as { revision: number; changed: boolean };
      if (changed) expect(log[revision - 1]?.request, `seed ${seed + round}, revision ${revision}`).toBe(request);
    }
    expect(new Set(log.map(({ operation }) => operation)).size).toBe(log.length);
    expect(await checkModel(opened.table, model), `seed ${seed + round}`).toEqual([]);
    expect(await fsckModel(opened.table, clock, model), `seed ${seed + round}`).toEqual([]);
    await sweepAll(opened.table, clock);
    expect(leftOver(await opened.items()), `seed ${seed + round}`).toEqual([]);
    expect(await fsckModel(opened.table, clock, model), `seed ${seed + round}`).toEqual([]);
  }
});
