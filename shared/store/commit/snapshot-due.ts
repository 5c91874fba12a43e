import type { Commit } from "../../actions/contract/store.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { StoreContext } from "../read/store-context.ts";
import type { ModelView } from "../read/view.ts";
import { IDENTITY } from "../table/keys.ts";
import type { KeptPart } from "./writes.ts";

/** True for a revision after which the sweeper keeps a snapshot. */
export function isSnapshotDue(ledger: string, revision: number): boolean {
  return revision % LIMITS.snapshotCommits === 0 && ledger !== IDENTITY;
}

/** The commit with a name for the snapshot of the version it releases. */
export function withSnapshotNamed({ ambient }: StoreContext, view: ModelView, commit: Commit): Commit & KeptPart {
  const isKept = commit.release !== undefined && commit.holds !== undefined && !commit.publish && view.head;
  return isKept ? { ...commit, keptAs: ambient.newId() } : commit;
}
