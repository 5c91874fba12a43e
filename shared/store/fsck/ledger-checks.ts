import type { Runtime } from "../../actions/contract/call.ts";
import type { CheckedViolation, LedgerChecks, ModelCheck, Searches } from "../../actions/contract/ports.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import type { ModelCache } from "../read/model-cache.ts";
import { sweep } from "../sweep/sweep.ts";
import { TAGS } from "../table/keys.ts";
import { createRetryingTable, createRetryPolicy } from "../table/retry.ts";
import { type Table, tryWrite, type Write } from "../table/table.ts";
import { type AllModelItems, checkWholeModel, readModelItems } from "./check-model.ts";
import { nameViolation, type Violation } from "./violation.ts";

interface Caches {
  readonly cache?: Pick<ModelCache, "forget">;
  readonly searches?: () => Promise<Pick<Searches, "forget" | "tags">>;
}

interface CheckContext {
  readonly table: Table;
  readonly runtime: Runtime;
  readonly caches: Caches;
}

/** Creates the checks that the service offers itself. They need no scan of the table. */
export function createLedgerChecks(plainTable: Table, runtime: Runtime, caches: Caches = {}): LedgerChecks {
  const context: CheckContext = { table: createRetryingTable(plainTable, createRetryPolicy(runtime)), runtime, caches };
  return {
    checkModels: async (ids, { repair: isRepair, until }) => {
      const done: ModelCheck[] = [];
      const modelItems = await readModelItems(context.table);
      for (const id of ids) {
        if (done.length > 0 && runtime.now() >= until) break;
        try {
          done.push(await checkAndRepair(context, id, isRepair, modelItems));
        } catch (error) {
          // The models checked so far count. The next call continues with this one.
          if (done.length > 0 && error instanceof Problem && error.code === "out_of_time") break;
          throw error;
        }
      }
      return done;
    },
    checkTags: async (isRepair) =>
      (await checkAndRepair(context, TAGS.model, isRepair, await readModelItems(context.table))).findings,
  };
}

/** A repair may reveal another violation, such as a missing row where a wrong one was. */
const MAX_ROUNDS = 4;

async function checkAndRepair(
  context: CheckContext,
  model: string,
  isRepair: boolean,
  modelItems: AllModelItems,
): Promise<ModelCheck> {
  const { table, runtime, caches } = context;
  const check = ({ getItems }: AllModelItems) => checkWholeModel(table, runtime, model, getItems(model));
  let result = await check(modelItems);
  const violations = new Map<string, Violation>();
  for (let rounds = 0; ; rounds++) {
    for (const violation of result.violations) violations.set(nameViolation(violation), violation);
    const repairable = result.violations.filter(({ repair }) => repair && repair.by !== "sweep");
    if (!isRepair || repairable.length === 0 || rounds >= MAX_ROUNDS) break;
    await repairViolations(table, runtime, repairable);
    await forgetCached(caches, model);
    // Repaired rows have changed, so they are read again.
    result = await check(await readModelItems(table));
  }
  const left = new Set(result.violations.map(nameViolation));
  const findings = [...violations].map(([name, violation]) => toCheckedViolation(violation, !left.has(name)));
  return { id: model, isThere: result.head !== undefined, findings };
}

/** Clears the caches of a repaired ledger: the log does not show the repair. */
async function forgetCached({ cache, searches }: Caches, ledgerId: string) {
  cache?.forget(ledgerId);
  const index = await searches?.();
  if (!index) return;
  index.tags = undefined;
  await index.forget(ledgerId);
}

function toCheckedViolation({ code, key, sentence }: Violation, isRepaired: boolean): CheckedViolation {
  return { code, place: `${key.pk} ${key.sk}`.trimEnd(), sentence, mended: isRepaired };
}

/** Outcome of repairs. */
export interface RepairCounts {
  readonly repairs: number;
  /** Violations whose items changed since the check. They have to be checked again. */
  readonly conflicts: number;
}

const CONCURRENT_REPAIRS = 8;

/** Repairs violations whose items are unchanged, and sweeps last. Never writes to a log. */
export async function repairViolations(
  plainTable: Table,
  runtime: Runtime,
  findings: readonly Violation[],
): Promise<RepairCounts> {
  const table = createRetryingTable(plainTable, createRetryPolicy(runtime));
  const direct = findings.flatMap(({ repair }) => (repair && repair.by !== "sweep" ? [repair.by] : []));
  const sweepCount = findings.filter(({ repair }) => repair?.by === "sweep").length;
  let next = 0;
  let repairs = 0;
  const work = async () => {
    for (let writes = direct[next++]; writes; writes = direct[next++]) {
      if (await writeRepair(table, writes)) repairs += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_REPAIRS }, work));
  const conflicts = direct.length - repairs;
  // The first run closes stagings, the second deletes them.
  for (let round = 0; sweepCount > 0 && round < 2; round++) await sweep(table, runtime);
  return { repairs: repairs + sweepCount, conflicts };
}

/** Writes a repair, in several transactions if it is large. Returns false if an expectation failed. */
async function writeRepair(table: Table, writes: readonly Write[]): Promise<boolean> {
  for (let at = 0; at < writes.length; at += LIMITS.transactionItems) {
    const batch = writes.slice(at, at + LIMITS.transactionItems);
    if (!(await tryWrite(() => table.transactWrite(batch)))) return false;
  }
  return true;
}
