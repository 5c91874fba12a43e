import type { Release } from "../../actions/contract/past.ts";
import { releaseKey } from "../table/keys.ts";
import { itemsOf } from "../table/pages.ts";
import type { Table } from "../table/table.ts";
import type { LogEntry } from "./log.ts";

/** The releases of a model up to a revision, newest first; `recent` are its newest commits, whose items may not be visible yet. */
export async function releasesOf(
  table: Table,
  model: string,
  revision: number,
  recent: readonly LogEntry[] = [],
): Promise<readonly Release[]> {
  const revisions = new Map<string, number>();
  for await (const item of itemsOf(table, { pk: releaseKey(model, "").pk })) {
    revisions.set(item.sk, Number(item.revision));
  }
  for (const entry of recent) if (entry.release !== undefined) revisions.set(entry.release, entry.revision);
  return [...revisions]
    .map(([version, at]) => ({ version, revision: at }))
    .filter((release) => release.revision <= revision)
    .sort((a, b) => b.revision - a.revision);
}
