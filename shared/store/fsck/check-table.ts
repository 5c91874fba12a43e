import type { Ambient } from "../../actions/contract/call.ts";
import type { LogEntry } from "../log/log.ts";
import { TAGS } from "../table/keys.ts";
import { createRetryPolicy, retryingTable } from "../table/retry.ts";
import type { Table } from "../table/table.ts";
import { takeCensus } from "./census.ts";
import { checkAccounts } from "./check-accounts.ts";
import { checkJobs } from "./check-jobs.ts";
import { checkWholeModel, surroundings } from "./check-model.ts";
import type { Finding } from "./finding.ts";
import { forgotten, orphanedBlobs, orphanedGenerations } from "./orphans.ts";
import type { ScanTable } from "./scan.ts";

/** The progress of a check. */
export type Progress =
  | { readonly step: "scan"; readonly items: number }
  | { readonly step: "models"; readonly done: number; readonly of: number };

export interface TableOptions {
  readonly ambient: Ambient;
  /** Scans the table, for partitions that no item leads to any more. */
  readonly scan: ScanTable;
  readonly onProgress?: (progress: Progress) => void;
}

/** A whole table, checked. */
export interface Report {
  /** Items in the table. */
  readonly items: number;
  /** Live models. */
  readonly models: number;
  readonly deleted: number;
  readonly findings: readonly Finding[];
}

/**
 * Checks every rule of the table: all models there ever were, tags, accounts, and items that nothing names. The result
 * is right also while it is being written to.
 */
export async function checkTable(plainTable: Table, options: TableOptions): Promise<Report> {
  const { ambient, scan, onProgress = () => undefined } = options;
  const table = retryingTable(plainTable, createRetryPolicy(ambient));
  const census = await takeCensus(scan, ambient, (items) => onProgress({ step: "scan", items }));
  const around = await surroundings(table);
  const models = [...new Set([...census.models, ...around.models])].sort();
  const tags = await checkWholeModel(table, ambient, TAGS.model, around.of(TAGS.model));
  const findings: Finding[] = [...census.findings, ...tags.findings];
  const heads = new Map<string, LogEntry>();
  const blobs = new Set<string>(tags.blobs);
  for (const [i, model] of models.entries()) {
    const checked = await checkWholeModel(table, ambient, model, around.of(model));
    findings.push(...checked.findings);
    if (checked.head) heads.set(model, checked.head);
    for (const blob of checked.blobs) blobs.add(blob);
    onProgress({ step: "models", done: i + 1, of: models.length });
  }
  const accounts = await checkAccounts(table, ambient);
  findings.push(...accounts.findings);
  for (const blob of accounts.blobs) blobs.add(blob);
  findings.push(...(await orphanedGenerations(table, ambient, census.generations, heads)));
  findings.push(...(await orphanedBlobs(table, ambient, census.blobs, blobs)));
  findings.push(...(await forgotten(table, ambient)));
  findings.push(...(await checkJobs(table, ambient)));
  const live = [...heads.values()].filter(({ state }) => state === "live").length;
  return { items: census.items, models: live, deleted: heads.size - live, findings };
}
