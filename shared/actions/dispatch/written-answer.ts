import type { Change } from "../../domain/change.ts";
import { ifDefined } from "../../domain/content.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Answer } from "../contract/answer.ts";
import { etagOf } from "../contract/controls.ts";
import type { Decision, RemovedRow } from "../contract/decision.ts";
import type { View } from "../contract/view.ts";
import type { Running } from "./running.ts";

/** The part of an answer that lists the objects that went with a deleted one. */
export interface Removed {
  readonly count: number;
  readonly items: readonly RemovedRow[];
}

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

/** The changes a dry run lists. */
function rowsOf({ changes, alongside = [] }: Decision): readonly ChangeRow[] {
  const all = [...changes, ...alongside.flatMap((part) => part.changes)];
  return all.slice(0, LIMITS.listedChanges).map(changeRow);
}

/**
 * The answer of a decision at the revision it became, or would have become on a dry run; it lists so many of the objects
 * that went with a deleted one.
 */
export function writtenAnswer(
  decision: Decision,
  revision: number,
  changed: boolean,
  { dryRun = false, removedRows = LIMITS.removedRows }: { readonly dryRun?: boolean; readonly removedRows?: number },
): object {
  const rehearsed = dryRun ? { ...decision.rehearsed, dryRun: true as const, changes: rowsOf(decision) } : {};
  if (decision.custom) return { ...decision.custom.at(revision).body, ...rehearsed };
  const standard: Written = {
    status: "ok",
    ...decision.subject,
    revision,
    changed,
    ...decision.extra,
    ...(decision.removed && { removed: shownRemoved(decision.removed, removedRows) }),
    ...(!dryRun && decision.shownOnce),
    ...rehearsed,
  };
  return standard;
}

function changeRow(change: Change): ChangeRow {
  const { kind, id, key } = change.does === "delete" ? change.before : change.after;
  return { change: change.does, kind, id, key };
}

/** The number of removed objects, and the first `most` of them. */
export function shownRemoved(rows: readonly RemovedRow[], most: number = LIMITS.removedRows): Removed {
  return { count: rows.length, items: rows.slice(0, most) };
}

/** The answer of a call that writes, at the revision it became, or would have become. */
export function writeAnswer(
  { action, request }: Pick<Running, "action" | "request">,
  { ledgerId }: View,
  decision: Decision,
  revision: number,
  changed: boolean,
): Answer {
  return {
    mediaType: action.output.mediaType,
    body: writtenAnswer(decision, revision, changed, request.controls),
    ...ifDefined("etag", decision.custom ? decision.custom.at(revision).etag : etagOf({ ledgerId, revision })),
  };
}
