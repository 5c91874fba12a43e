import type { Ambient } from "../../actions/contract/call.ts";
import type { CheckedFinding, LedgerChecks, ModelCheck } from "../../actions/contract/ledger-checks.ts";
import type { Searches } from "../../actions/contract/searches.ts";
import { Problem } from "../../domain/problems.ts";
import type { ModelCache } from "../read/model-cache.ts";
import { TAGS } from "../table/keys.ts";
import { createRetryPolicy, retryingTable } from "../table/retry.ts";
import type { Table } from "../table/table.ts";
import { type AllSurroundings, type CheckedModel, checkWholeModel, surroundings } from "./check-model.ts";
import type { Finding } from "./finding.ts";
import { mendFindings } from "./mend.ts";

/** What a process knows of ledgers beside their logs. */
interface Known {
  readonly cache?: Pick<ModelCache, "forget">;
  readonly searches?: () => Promise<Pick<Searches, "forget" | "tags">>;
}

interface CheckContext {
  readonly table: Table;
  readonly ambient: Ambient;
  readonly known: Known;
}

/** The checks that the service offers itself, over one table: those that need no scan of it. */
export function createLedgerChecks(plainTable: Table, ambient: Ambient, known: Known = {}): LedgerChecks {
  const expected: CheckContext = { table: retryingTable(plainTable, createRetryPolicy(ambient)), ambient, known };
  return {
    models: async (ids, { mend, until }) => {
      const done: ModelCheck[] = [];
      const around = await surroundings(expected.table);
      for (const id of ids) {
        if (done.length > 0 && ambient.now() >= until) break;
        try {
          done.push(await checkedModel(expected, id, mend, around));
        } catch (error) {
          // Models checked so far count; the next call begins with this one.
          if (done.length > 0 && error instanceof Problem && error.code === "out_of_time") break;
          throw error;
        }
      }
      return done;
    },
    tags: async (mend) => (await checkedModel(expected, TAGS.model, mend, await surroundings(expected.table))).findings,
  };
}

/** Mending one thing may show another, such as a row missing where a wrong one was. */
const MOST_ROUNDS = 4;

async function checkedModel(
  expected: CheckContext,
  model: string,
  mend: boolean,
  around: AllSurroundings,
): Promise<ModelCheck> {
  let checked = await check(expected, model, around);
  const met = new Map<string, Finding>();
  for (let rounds = 0; ; rounds++) {
    for (const finding of checked.findings) met.set(nameOf(finding), finding);
    const mendable = checked.findings.filter(({ mend }) => mend && mend.by !== "sweep");
    if (!mend || mendable.length === 0 || rounds >= MOST_ROUNDS) break;
    await mendFindings(expected.table, expected.ambient, mendable);
    await forget(expected.known, model);
    // Mended rows are different now, so they are read again.
    checked = await check(expected, model, await surroundings(expected.table));
  }
  const left = new Set(checked.findings.map(nameOf));
  const findings = [...met].map(([name, finding]) => findingOf(finding, !left.has(name)));
  return { id: model, isThere: checked.head !== undefined, findings };
}

/** Has a process read a ledger anew, which was mended: the log does not tell of it. */
async function forget({ cache, searches }: Known, ledgerId: string): Promise<void> {
  cache?.forget(ledgerId);
  const found = await searches?.();
  if (!found) return;
  found.tags = undefined;
  await found.forget(ledgerId);
}

function check({ table, ambient }: CheckContext, model: string, around: AllSurroundings): Promise<CheckedModel> {
  return checkWholeModel(table, ambient, model, around.of(model));
}

function nameOf({ code, place }: Finding): string {
  return `${code} ${placeOf(place)}`;
}

function placeOf({ pk, sk }: Finding["place"]): string {
  return `${pk} ${sk}`.trimEnd();
}

function findingOf({ code, place, sentence }: Finding, mended: boolean): CheckedFinding {
  return { code, place: placeOf(place), sentence, mended };
}
