import { type LedgerFacts, readNewestEntries } from "../../../shared/store/log/log.ts";
import { loadObjectsAfter, type Objects, requireEntry } from "../../../shared/store/log/replay.ts";
import type { Table } from "../../../shared/store/table/table.ts";

/** A ledger after one of its revisions; a deleted one has no objects. */
interface LedgerAt extends LedgerFacts {
  readonly revision: number;
  readonly objects: Objects;
}

/** A ledger after a revision, or after its newest one, as the store rebuilds it; undefined where there is no such revision. */
export async function stateAt(table: Table, ledger: string, revision?: number): Promise<LedgerAt | undefined> {
  const [newest] = await readNewestEntries(table, ledger, 1);
  if (!newest || revision === 0 || (revision ?? 0) > newest.revision) return undefined;
  const entry = revision === undefined ? newest : await requireEntry(table, ledger, revision);
  const objects: Objects = entry.state === "deleted" ? new Map() : await loadObjectsAfter(table, ledger, entry);
  const { key, generation, state } = entry;
  return { revision: entry.revision, key, generation, state, objects };
}
