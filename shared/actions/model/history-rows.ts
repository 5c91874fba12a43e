import { ifDefined } from "../../domain/content.ts";
import { fieldsOfKind } from "../../domain/fields/of-kind.ts";
import { jsonOf } from "../../domain/json-value.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import type { CommitFacts, CommitRange, Members, Past, PastChange, PastCommit } from "../contract/past.ts";
import type { Page, Rows, View } from "../contract/view.ts";

/** The facts of a commit as rows show them. */
export interface ShownFacts extends Omit<CommitFacts, "request"> {
  readonly requestId: string;
}

/** One change with its commit. */
export interface ChangeRow extends ShownFacts, PastChange {
  readonly counts?: Readonly<Record<string, number>>;
}

export function factsOf({ revision, time, actor, apiToken, channel, request, actions }: CommitFacts): ShownFacts {
  const who = { ...ifDefined("actor", actor), ...ifDefined("apiToken", apiToken) };
  return { revision, time, ...who, channel, requestId: request, actions };
}

/** The beginning of a page: the change of a commit, counted from 0. */
interface Position {
  readonly revision: number;
  readonly index: number;
}

/**
 * A page of changes. Commits are read as rows are taken, and no more is held than one answer may hold: a page ends early
 * when it is full, and without a limit `result_too_large` says so.
 */
export async function changeRows(past: Past, view: View, range: CommitRange, page: Page): Promise<Rows<ChangeRow>> {
  const start = page.after === undefined ? { revision: range.from, index: 0 } : positionOf(page.after);
  const limit = page.limit ?? Number.POSITIVE_INFINITY;
  const most = page.limit === undefined ? LIMITS.inflatedResponseBytes : LIMITS.responseBytes;
  const items: ChangeRow[] = [];
  let bytes = 0;
  for await (const commit of past.commits(view, { ...range, from: Math.max(range.from, start.revision) })) {
    const rows = rowsOf(commit, view);
    for (let i = commit.revision === start.revision ? start.index : 0; i < rows.length; i++) {
      const row = rows[i];
      if (!row) break;
      bytes += JSON.stringify(row).length;
      if (items.length === limit || (bytes > most && items.length > 0)) {
        if (page.limit === undefined) throw tooMany(items.length);
        return { items, next: `${commit.revision}.${i}` };
      }
      items.push(row);
    }
  }
  return { items };
}

function rowsOf(commit: PastCommit, { ledgerId: modelId }: View): readonly ChangeRow[] {
  const facts = factsOf(commit);
  if (!commit.made) return commit.changes.map((change) => ({ ...facts, ...shownChange(change) }));
  const { key, counts } = commit.made;
  return [{ ...facts, change: "create", kind: "model", id: modelId, key, counts }];
}

/** A change with the values of JSON members in the place of the texts that they are kept as. */
function shownChange({ before, after, ...change }: PastChange): PastChange {
  const fields = fieldsOfKind(change.kind) ?? {};
  const shown = (members: Members): Members =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => {
        const isText = fields[name]?.is === "json" && typeof value === "string";
        return [name, isText ? jsonOf(value) : value];
      }),
    );
  return { ...change, ...(before && { before: shown(before) }), ...(after && { after: shown(after) }) };
}

function positionOf(text: string): Position {
  const [, revision, index] = /^(\d{1,12})\.(\d{1,9})$/.exec(text) ?? [];
  if (revision !== undefined && index !== undefined) return { revision: Number(revision), index: Number(index) };
  const detail = "cursor: is no cursor of this list; take it from the Link header of the page before";
  throw new Problem("bad_parameters", detail, { errors: [{ pointer: "/cursor", detail }] });
}

function tooMany(rows: number): Problem {
  return new Problem(
    "result_too_large",
    `there are more changes than the ${rows} one answer may hold; ask for less with limit`,
  );
}
