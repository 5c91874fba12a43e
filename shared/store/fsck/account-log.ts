import type { LogEntry } from "../log/log.ts";
import { IDENTITY } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { Finding } from "./finding.ts";
import { orderedLog } from "./walk-log.ts";

/** A user, actor, role or API token as far as the log of accounts tells it: it never holds the hash of a password. */
export interface LoggedAccount {
  readonly kind: string;
  readonly id: string;
  /** Sort key of its item. */
  readonly at: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The accounts as their log gives them, and the faults of the log itself. */
export interface AccountLog {
  readonly findings: readonly Finding[];
  readonly accounts: readonly LoggedAccount[];
  /** Ids of deleted accounts. */
  readonly deleted: ReadonlySet<string>;
  /** The entry that made the first administrator. */
  readonly bootstrap?: LogEntry;
  /** Names of the blobs that hold changes. */
  readonly blobs: ReadonlySet<string>;
  /** Operation ids, each with when it was called. */
  readonly operations: ReadonlyMap<string, string>;
}

const BOOTSTRAP_ACTION = "auth/admin_bootstrap";

export async function readAccountLog(table: Table): Promise<AccountLog> {
  const findings: Finding[] = [];
  const accounts = new Map<string, LoggedAccount>();
  const deleted = new Set<string>();
  const operations = new Map<string, string>();
  const blobs = new Set<string>();
  let bootstrap: LogEntry | undefined;
  for await (const entry of orderedLog(table, IDENTITY, findings)) {
    operations.set(entry.operation, entry.time);
    if (entry.blob !== undefined) blobs.add(entry.blob);
    if (entry.actions.includes(BOOTSTRAP_ACTION)) bootstrap ??= entry;
    for (const { does, kind, id, at, after } of entry.changes ?? []) {
      if (does === "delete") {
        accounts.delete(id);
        deleted.add(id);
        continue;
      }
      const fields: Record<string, unknown> = { ...accounts.get(id)?.fields, ...after };
      accounts.set(id, { kind, id, at, fields });
    }
  }
  return {
    findings,
    accounts: [...accounts.values()],
    deleted,
    blobs,
    operations,
    ...(bootstrap && { bootstrap }),
  };
}
