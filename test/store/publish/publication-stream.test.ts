import { expect, test } from "vitest";
import { realRuntime } from "../../support/runtime.ts";
import { createWorld } from "../../support/world.ts";
import { checkModel } from "../support/check-model.ts";
import { distantTable } from "../support/distant-table.ts";
import { createFaultTable } from "../support/fault-table.ts";
import { largeDocument, runs, TYPES, withLargeWrites } from "../support/large-writes.ts";
import { type Outcome, serviceOver, writtenBody } from "../support/service-over.ts";

const CRM = { modelRef: "key:crm" };
const WRITERS = 3;
const PUBLICATIONS = 4;

test("publications succeed during a steady stream of small commits, and nothing of either is lost", {
  timeout: 120_000,
}, async () => {
  const world = await createWorld();
  const distant = distantTable(world.table);
  const { id: model } = await world.run("model/import", { content: largeDocument("crm") });
  let writing = true;
  const written = new Map<string, string>();
  let refused = 0;
  const writer = async (mine: string): Promise<number> => {
    // A process of its own, which no queue in the publisher's process holds back.
    const caller = serviceOver(world, distant, realRuntime);
    writtenBody(await caller.call("entity_create", { ...CRM, entityKey: mine }));
    let commits = 1;
    for (; writing; commits++) {
      const value = `${mine} ${commits}`;
      const { answer, problem } = await caller.call("entity_update_name", { ...CRM, entityRef: `key:${mine}`, value });
      if (answer) written.set(mine, value);
      else if (problem?.code === "contention") refused += 1;
      else throw problem;
    }
    return commits;
  };
  const writers = Array.from({ length: WRITERS }, (_, i) => writer(`w${i}`));
  const table = createFaultTable(distant);
  const publisher = serviceOver(world, table, realRuntime, withLargeWrites);
  const outcomes: Outcome[] = [];
  const tries: number[] = [];
  for (let i = 0; i < PUBLICATIONS; i++) {
    table.arm({});
    outcomes.push(await publisher.call("test_describe_many", { ...CRM, value: `Round ${i}`, makes: `made-${i}` }));
    tries.push(table.trace.filter(({ operation }) => operation === "transactWrite").length);
  }
  writing = false;
  const commits = (await Promise.all(writers)).reduce((a, b) => a + b, 0);
  console.info(
    `${PUBLICATIONS} publications in ${tries.join(", ")} tries beside ${commits} commits, ${refused} refused`,
  );

  const revisions = outcomes.map((outcome) => writtenBody(outcome).revision);
  expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
  // No publication had to decide again: the others touch nothing of it.
  for (let i = 0; i < PUBLICATIONS; i++) expect(runs.get(`Round ${i}`)).toBe(1);
  expect(commits).toBeGreaterThan(PUBLICATIONS * 5);
  const { types, entities } = await world.run("model/model_export", CRM);
  const last = `Round ${PUBLICATIONS - 1}`;
  expect(types.filter(({ description }: { description?: string }) => description === last)).toHaveLength(TYPES + 1);
  for (const [key, value] of written)
    expect(entities.find((entity: { key: string }) => entity.key === key)?.name).toBe(value);
  expect(await checkModel(world.table, model)).toEqual([]);
});
