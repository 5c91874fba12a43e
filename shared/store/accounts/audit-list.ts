import type { Runtime } from "../../actions/contract/call.ts";
import type { AuditFilter } from "../../actions/contract/ports.ts";
import type { Page, Rows } from "../../actions/contract/view.ts";
import type { AuditEntry } from "../../domain/accounts/audit.ts";
import { LIMITS } from "../../domain/limits.ts";
import { includeMember } from "../../domain/model/content.ts";
import { toAuditEntry } from "../commit/account-writes.ts";
import { auditPartition } from "../table/keys.ts";
import { createRetryingTable, createRetryPolicy, type RetryPolicy } from "../table/retry.ts";
import type { Item, ItemPage, Table } from "../table/table.ts";

const DAY_MS = 24 * 3_600_000;
/** Milliseconds by which the clock of another machine may be ahead. */
const SKEW_MS = 60_000;

/** See `Audit.list`. Reads the months backwards, each by descending sort keys. */
export async function listAudit(
  plainTable: Table,
  runtime: Runtime,
  { from = "", until, mostEntries = LIMITS.auditScanned, ...conditions }: AuditFilter,
  page: Page,
  retryPolicy: RetryPolicy = createRetryPolicy(runtime),
): Promise<Rows<AuditEntry>> {
  const table = createRetryingTable(plainTable, retryPolicy);
  const now = runtime.now();
  // Older entries have expired.
  const oldest = new Date(now - LIMITS.auditDays * DAY_MS).toISOString();
  const newest = new Date(now + SKEW_MS).toISOString();
  const range = { from: from > oldest ? from : oldest, to: until !== undefined && until < newest ? until : newest };
  const isFree = Object.keys(conditions).length === 0;
  const rows: AuditEntry[] = [];
  let left = mostEntries;
  for (const { month, start } of listMonths(range, page.after)) {
    let after = start;
    do {
      const limit = isFree && page.limit !== undefined ? Math.min(left, page.limit + 1 - rows.length) : left;
      const query = { pk: auditPartition(month), descending: true, limit, ...range, ...(after && { after }) };
      const { items, more }: ItemPage = await table.query(query);
      for (const item of items) {
        const isRow = matchesFilter(item, conditions);
        if (isRow && rows.length === page.limit) return { items: rows, ...includeMember("next", rows.at(-1)?.id) };
        if (isRow) rows.push(toAuditEntry(item));
        left -= 1;
        if (left === 0) return { items: rows, next: item.sk };
      }
      after = more;
    } while (after !== undefined);
  }
  return { items: rows };
}

function* listMonths(
  { from, to }: { readonly from: string; readonly to: string },
  cursor: string | undefined,
): Generator<{ readonly month: string; readonly start: string | undefined }> {
  // DynamoDB rejects a start key outside the range.
  const start = cursor !== undefined && cursor < to ? cursor : undefined;
  if (from > (start ?? to)) return;
  const first = (start ?? to).slice(0, 7);
  for (let month = first; month >= from.slice(0, 7); month = getPreviousMonth(month)) {
    yield { month, start: month === first ? start : undefined };
  }
}

function getPreviousMonth(month: string) {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 2)).toISOString().slice(0, 7);
}

function matchesFilter(item: Item, { actorId, act, outcome }: Pick<AuditFilter, "actorId" | "act" | "outcome">) {
  const entry = toAuditEntry(item);
  return (
    (actorId === undefined || entry.actor?.id === actorId) &&
    (act === undefined || entry.act === act) &&
    (outcome === undefined || entry.outcome === outcome)
  );
}
