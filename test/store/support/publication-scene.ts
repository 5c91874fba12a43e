import { expect } from "vitest";
import type { Controls } from "../../../shared/actions/contract/call.ts";
import { type LogEntry, toLogEntry } from "../../../shared/store/log/log.ts";
import { logKey, STAGINGS } from "../../../shared/store/table/keys.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { checkModel, partition } from "./check-model.ts";
import type { Rule } from "./fault-plan.ts";
import { createFaultTable, type FaultTable } from "./fault-table.ts";
import { largeDocument, TYPES, typeKey, withLargeWrites } from "./large-writes.ts";
import { quickAmbient } from "./quick-ambient.ts";
import { type Caller, type Outcome, serviceOver } from "./service-over.ts";
import { listLeftovers, sweepAll } from "./swept.ts";

/** A world with a model that large writes work on, and those who write. */
export interface Scene {
  readonly opened: TestTable;
  readonly world: World;
  readonly table: FaultTable;
  readonly clock: ReturnType<typeof quickAmbient>;
  readonly caller: Caller;
  /** Other callers, whom no fault meets. */
  readonly quiet: Caller;
  readonly model: string;
  /** Objects in the model at first. */
  readonly size: number;
}

export const CRM = { modelRef: "key:crm" };

export async function newScene(): Promise<Scene> {
  const opened = await openTable();
  const world = await createWorld({ table: opened.table });
  const table = createFaultTable(opened.table);
  const clock = quickAmbient();
  const { id: model } = await world.run("model/import", { content: largeDocument("crm") });
  const quiet = serviceOver(world, opened.table, clock, withLargeWrites);
  const size = (await opened.items()).filter(({ pk }) => pk.startsWith(`model#${model}#`)).length;
  return { opened, world, table, clock, caller: serviceOver(world, table, clock, withLargeWrites), quiet, model, size };
}

/** The log of the model. */
export async function log({ opened, model }: Scene): Promise<readonly LogEntry[]> {
  return (await partition(opened.table, logKey(model, 0).pk)).map(toLogEntry);
}

/** Descriptions of the types by key. */
export async function types({ world }: Scene): Promise<Record<string, string | undefined>> {
  const { items } = await world.run("model/type_list", CRM);
  return Object.fromEntries(items.map((t: { key: string; description?: string }) => [t.key, t.description]));
}

/** The many types, each with this description. */
export const many = (value: string) => Object.fromEntries(Array.from({ length: TYPES }, (_, i) => [typeKey(i), value]));
/** The other types of the scene. */
export const ALWAYS = { integer: undefined, string: undefined, unused: undefined };

export function describeMany(caller: Caller, payload: object, controls?: Partial<Controls>): Promise<Outcome> {
  return caller.call("test_describe_many", { ...CRM, ...payload }, controls);
}

/** Somebody else does something right before the publishing transaction. */
export const beforePublishing = (act: () => Promise<unknown>, times = 1): Rule => ({
  match: { operation: "transactWrite", key: /^stagings\|/ },
  do: { before: act },
  times,
});

/** Items of objects written by batches since the plan was armed. */
export function staged({ table }: Scene): readonly string[] {
  return table.trace.flatMap(({ operation, keys }) =>
    operation === "batchPut"
      ? keys.filter((key) => key.startsWith("model#")).map((key) => key.split("|")[1] ?? "")
      : [],
  );
}

/** The staging record of the generation that is being written. */
export async function openStaging({ opened }: Scene): Promise<Item> {
  const open = (await partition(opened.table, STAGINGS)).find(({ state }) => state === "open");
  if (!open) throw new Error("nothing is staged");
  return open;
}

/** Expects that the items of the model agree with its log. */
export async function sound({ opened, model }: Scene): Promise<void> {
  expect(await checkModel(opened.table, model)).toEqual([]);
}

/** Expects that the items agree with the log, and that nothing is left once all is swept. */
export async function cleanAfterSweep(scene: Scene): Promise<void> {
  await scene.table.settle();
  await sound(scene);
  await sweepAll(scene.opened.table, scene.clock);
  expect(listLeftovers(await scene.opened.items())).toEqual([]);
  await sound(scene);
}
