import type { Change } from "../../domain/change.ts";
import { type Removed, shownRemoved } from "../building/removed.ts";
import type { Decision } from "../contract/define-action.ts";

/** The standard answer of a write. */
export interface Written {
  readonly status: "ok";
  readonly id: string;
  readonly key: string;
  readonly revision: number;
  readonly changed: boolean;
  readonly removed?: Removed;
  readonly dryRun?: true;
  readonly changes?: readonly ChangeRow[];
}

/** One change as a dry run shows it. */
interface ChangeRow {
  readonly change: Change["does"];
  readonly kind: string;
  readonly id: string;
  readonly key: string;
}

/** How many changes a dry run lists; `changes` of a larger one ends there. */
export const LISTED_CHANGES = 1_000;

/** The changes a dry run lists. */
function rowsOf({ changes, alongside = [] }: Decision): readonly ChangeRow[] {
  const all = [...changes, ...alongside.flatMap((part) => part.changes)];
  return all.slice(0, LISTED_CHANGES).map(changeRow);
}

/** The answer of a decision at the revision it became, or would have become. */
export function writtenAnswer(decision: Decision, revision: number, changed: boolean, dryRun: boolean): object {
  const rehearsed = dryRun ? { dryRun: true as const, changes: rowsOf(decision) } : {};
  if (decision.whole) return { ...decision.whole.at(revision).body, ...rehearsed };
  const standard: Written = {
    status: "ok",
    ...decision.subject,
    revision,
    changed,
    ...decision.extra,
    ...(decision.removed && { removed: shownRemoved(decision.removed) }),
    ...(!dryRun && decision.shownOnce),
    ...rehearsed,
  };
  return standard;
}

function changeRow(change: Change): ChangeRow {
  const { kind, id, key } = change.does === "delete" ? change.before : change.after;
  return { change: change.does, kind, id, key };
}
