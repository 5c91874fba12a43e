import type { Actions } from "../../../client/create-client.ts";
import { foldText } from "../../words/formats.ts";

/** One change of one object in one commit, as the service tells it. */
export type ChangeRow = Actions["model"]["history_version_changes"]["output"]["items"][number];

/** A change, with the name by which an address names it: its revision and its place in the commit, counted from 0. */
export interface Change extends ChangeRow {
  readonly at: string;
}

/** What one call changed, all at once. */
export interface Commit {
  readonly revision: number;
  readonly facts: ChangeRow;
  readonly changes: readonly Change[];
}

/** The changes by their commit, the newest first; within a commit they keep their order. */
export function groupCommits(rows: readonly ChangeRow[]): readonly Commit[] {
  const commits = new Map<number, { readonly facts: ChangeRow; readonly changes: Change[] }>();
  for (const row of rows) {
    const known = commits.get(row.revision) ?? { facts: row, changes: [] };
    known.changes.push({ ...row, at: `${row.revision}-${known.changes.length}` });
    commits.set(row.revision, known);
  }
  return [...commits]
    .map(([revision, { facts, changes }]) => ({ revision, facts, changes }))
    .sort((a, b) => b.revision - a.revision);
}

/** What a person wants to see of the changes. */
export interface ChangeFilter {
  readonly text?: string | undefined;
  readonly kind?: string | undefined;
}

/** The commits with the changes that fit; those where none does are left out. */
export function filterCommits(
  commits: readonly Commit[],
  { text = "", kind }: ChangeFilter,
  nameOf: (change: Change) => string,
): readonly Commit[] {
  const wanted = foldText(text.trim());
  const matchesText = (change: Change): boolean =>
    (kind === undefined || change.kind === kind) &&
    (wanted === "" ||
      foldText(`${change.key} ${nameOf(change)} ${change.actorName ?? ""} ${change.apiTokenName ?? ""}`).includes(
        wanted,
      ));
  return commits
    .map((commit) => ({ ...commit, changes: commit.changes.filter(matchesText) }))
    .filter(({ changes }) => changes.length > 0);
}

/** The members of an image with keys in the place of ids, without those that the place of the object says already. */
export function listVisibleMembers(
  image: Readonly<Record<string, unknown>> | undefined,
  byKey: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (image === undefined) return undefined;
  const { owner: _owner, order: _order, ...members } = { ...image, ...byKey };
  return members;
}
