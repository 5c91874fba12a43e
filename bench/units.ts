import { isWrite } from "../shared/actions/contract/action.ts";
import { Problem, requireProblem } from "../shared/domain/problems.ts";
import type { UnitStep } from "../test/store/unit-budget/unit-step.ts";
import { UNIT_STEPS } from "../test/store/unit-budget/unit-steps.ts";
import { startBenchService } from "./bench-service.ts";

/** Cost of one call. */
export interface UnitRow {
  readonly action: string;
  readonly variant: string;
  readonly write: number;
  readonly read: number;
  readonly sequence: number;
}

/** Read units of looking up the caller: the actor and the roles. */
export const CALLER_UNITS = 2;

/**
 * Runs every step on a new service and returns each with its cost. A `cold` service has no cache. A `warm` one has a cache,
 * and the second of two reads counts.
 */
export async function measureUnits(is: "cold" | "warm" = "cold"): Promise<readonly (readonly [UnitStep, UnitRow])[]> {
  const bench = await startBenchService({ cachedObjects: is === "cold" ? 0 : undefined });
  const kept = new Map<string, string>();
  const rows: (readonly [UnitStep, UnitRow])[] = [];
  try {
    for (const step of UNIT_STEPS) {
      const payload = JSON.parse(
        JSON.stringify(step.payload).replace(
          /\$([a-z]\w*)/g,
          (whole, name) => kept.get(name) ?? (name === "schema" ? whole : name),
        ),
      );
      const [group = "", name = ""] = step.action.split("/");
      const isRead = !isWrite(await bench.service.registry.find(group, name));
      if (is === "warm" && isRead) await bench.run(step.action, payload, step.headers).catch(requireProblem);
      bench.count.reset();
      const refused = await bench.run(step.action, payload, step.headers).then(
        ({ body }) => {
          if (step.keep) kept.set(step.keep, (body as { id: string }).id);
          return undefined;
        },
        (error: unknown) => (error instanceof Problem ? error.code : Promise.reject(error)),
      );
      if (refused !== step.refused) throw new Error(`${step.action} ${step.variant}: ${refused}, not ${step.refused}`);
      const { writeUnits, readUnits, sequence } = bench.count;
      const { action, variant } = step;
      rows.push([step, { action, variant, write: writeUnits, read: readUnits - CALLER_UNITS, sequence }]);
    }
  } finally {
    await bench.stop();
  }
  return rows;
}

/** Prints the units of every action. Returns a sentence for each call that does not meet its budget exactly. */
export async function benchUnits(): Promise<readonly string[]> {
  const rows = await measureUnits();
  console.table(rows.map(([, row]) => row));
  const faults = rows.flatMap(([step, row]) => findUnitFaults(step, row));
  for (const fault of faults) console.log(`FAULT ${fault}`);
  console.log(JSON.stringify({ bench: "units", rows: rows.map(([, row]) => row), faults }));
  return faults;
}

/** Returns a sentence for each figure of a call that differs from its budget. */
export function findUnitFaults(step: UnitStep, row: UnitRow): readonly string[] {
  const figures = ["write", "read", "sequence"] as const;
  return figures
    .filter((figure) => step[figure] !== row[figure])
    .map((figure) => `${row.action} ${row.variant}: ${figure} ${row[figure]}, budget ${step[figure]}`);
}
