import type { Actions } from "../../../client/create-client.ts";
import { foldText } from "../../words/formats.ts";

/** A change of an object in a commit, in the answer of the service. */
export type ChangeRow = Actions["model"]["history_version_changes"]["output"]["items"][number];

/** A change with its identifier in an address: revision and position, counted from 0. */
export interface Change extends ChangeRow {
  readonly at: string;
}

/** All changes of one call. */
export interface Commit {
  readonly revision: number;
  readonly facts: ChangeRow;
  readonly changes: readonly Change[];
}

/** Groups the changes by commit, newest first; changes of a commit keep their order. */
export function groupCommits(rows: readonly ChangeRow[]): readonly Commit[] {
  const commits = new Map<number, { readonly facts: ChangeRow; readonly changes: Change[] }>();
  for (const row of rows) {
    const commit = commits.get(row.revision) ?? { facts: row, changes: [] };
    commit.changes.push({ ...row, at: `${row.revision}-${commit.changes.length}` });
    commits.set(row.revision, commit);
  }
  return [...commits]
    .map(([revision, { facts, changes }]) => ({ revision, facts, changes }))
    .sort((a, b) => b.revision - a.revision);
}

/** Filters of changes. */
export interface ChangeFilter {
  readonly text?: string | undefined;
  readonly kind?: string | undefined;
}

/** Filters the changes and omits empty commits. */
export function filterCommits(
  commits: readonly Commit[],
  { text = "", kind }: ChangeFilter,
  nameOf: (change: Change) => string,
): readonly Commit[] {
  const searchText = foldText(text.trim());
  const matchesText = (change: Change) =>
    (kind === undefined || change.kind === kind) &&
    (searchText === "" ||
      foldText(`${change.key} ${nameOf(change)} ${change.actorName ?? ""} ${change.apiTokenName ?? ""}`).includes(
        searchText,
      ));
  return commits
    .map((commit) => ({ ...commit, changes: commit.changes.filter(matchesText) }))
    .filter(({ changes }) => changes.length > 0);
}

/** Lists the members of an image with keys instead of ids, without those of its location. */
export function listVisibleMembers(
  image: Readonly<Record<string, unknown>> | undefined,
  byKey: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (image === undefined) return undefined;
  const { owner: _owner, order: _order, ...members } = { ...image, ...byKey };
  return members;
}
