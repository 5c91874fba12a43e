import { logPartition } from "../../../../shared/store/table/keys.ts";

/** The parts of a table that tell whether anything was written. */
export interface TableState {
  readonly items: number;
  readonly revisions: ReadonlyMap<string, number>;
}

/** Newest revision of every model's log, and how many items there are. */
export function tableState(dump: ReadonlySet<string>): TableState {
  const revisions = new Map<string, number>();
  const prefix = logPartition("");
  for (const line of dump) {
    const { pk, sk } = JSON.parse(line) as { pk: string; sk: string };
    if (!pk.startsWith(prefix)) continue;
    const model = pk.slice(prefix.length);
    revisions.set(model, Math.max(revisions.get(model) ?? 0, Number(sk)));
  }
  return { items: dump.size, revisions };
}
