import { expect } from "vitest";
import type { Service } from "../../../shared/actions/pipeline/call-context.ts";
import { checkTable } from "../../../shared/store/fsck/check-table.ts";
import { IDENTITY } from "../../../shared/store/table/keys.ts";
import { openTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import type { Rule } from "./fault-plan.ts";
import { createFaultTable, type FaultTable, Killed } from "./fault-table.ts";
import { quickAmbient } from "./quick-ambient.ts";
import { type Caller, type Outcome, serviceOver } from "./service-over.ts";
import { listLeftovers, sweepAll } from "./swept.ts";

/** Deaths of a process before and after a storage call. */
export const DEATHS = ["kill", "kill-after"] as const;

/** One call of a process that may die, with the exports of the model before and after it. */
export interface Attempt {
  readonly nth: number;
  readonly world: World;
  readonly table: FaultTable;
  readonly outcome: Outcome | "killed";
  readonly before: string;
  readonly after: string;
}

interface Crashes {
  prepare(world: World): Promise<unknown>;
  /** Returns the call for the nth death. */
  call(nth: number): readonly [action: string, payload: object];
  check(attempt: Attempt): unknown;
  /** Returns further faults for the nth death, from a caller that does not die. */
  rules?(nth: number, caller: Caller): readonly Rule[];
  readonly extended?: (service: Service) => Service;
}

/**
 * Repeats a call while its process dies at one storage call after the other, until it survives. Each time a sweep has to
 * leave no leftovers; in the end fsck has to find nothing. Returns the number of deaths.
 */
export async function dieAtEachCall(death: (typeof DEATHS)[number], crashes: Crashes): Promise<number> {
  const opened = await openTable();
  const world = await createWorld({ table: opened.table });
  const table = createFaultTable(opened.table);
  const clock = quickAmbient();
  const caller = serviceOver(world, table, clock, crashes.extended);
  const other = serviceOver(world, opened.table, clock, crashes.extended);
  await crashes.prepare(world);
  const exported = async (): Promise<string> => JSON.stringify(await world.run("model/inspect_models_json"));
  let nth = 1;
  for (; ; nth++) {
    const before = await exported();
    table.arm({ rules: [{ match: { nth }, do: death }, ...(crashes.rules?.(nth, other) ?? [])] });
    const outcome = await caller.call(...crashes.call(nth)).catch((error: unknown) => {
      if (error instanceof Killed) return "killed" as const;
      throw error;
    });
    await table.settle();
    await crashes.check({ nth, world, table, outcome, before, after: await exported() });
    await sweepAll(opened.table, clock);
    expect(listLeftovers(await opened.items())).toEqual([]);
    if (outcome !== "killed") break;
  }
  const { violations } = await checkTable(opened.table, { ambient: clock, scan: opened.scan });
  // The users of a world have no log.
  expect(violations.filter(({ place }) => !place.pk.includes(IDENTITY))).toEqual([]);
  return nth - 1;
}
