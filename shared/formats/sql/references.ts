import type { DraftReference } from "./catalog.ts";
import { type Cursor, splitList } from "./cursor.ts";

const ACTIONS = ["CASCADE", "RESTRICT"] as const;

/** Reads what follows `REFERENCES`: the other table, its columns, and what happens when a row of it goes. */
export function readReference(
  cursor: Cursor,
  columns: readonly string[],
  name: string | undefined,
): DraftReference | undefined {
  const to = cursor.readObjectName();
  if (!to) return undefined;
  const referred = readPlainColumns(cursor) ?? [];
  const kept: Record<string, unknown> = {};
  for (;;) {
    if (cursor.accept("ON", "DELETE")) setAction(kept, "onDelete", cursor);
    else if (cursor.accept("ON", "UPDATE")) setAction(kept, "onUpdate", cursor);
    else if (cursor.accept("MATCH")) kept.match = cursor.next()?.value.toLowerCase();
    else if (cursor.accept("NOT", "DEFERRABLE") || cursor.accept("INITIALLY", "IMMEDIATE")) continue;
    else if (cursor.accept("DEFERRABLE")) kept.deferrable = true;
    else if (cursor.accept("INITIALLY", "DEFERRED")) kept.initially = "deferred";
    else if (cursor.accept("NOT", "ENFORCED") || cursor.accept("DISABLE")) kept.enforced = false;
    else if (cursor.accept("NOT", "VALID") || cursor.accept("NOVALIDATE")) kept.validated = false;
    else if (cursor.accept("NOT", "FOR", "REPLICATION")) kept.forReplication = false;
    else if (cursor.acceptOne("ENABLE", "ENFORCED", "VALIDATE", "RELY", "NORELY") === undefined) break;
  }
  return { name, columns, to, referred, kept };
}

/** Takes down an action; that nothing is done is what holds without one. */
function setAction(kept: Record<string, unknown>, member: string, cursor: Cursor): void {
  if (cursor.accept("NO", "ACTION")) return;
  const action = cursor.acceptOne(...ACTIONS);
  if (action !== undefined) kept[member] = action.toLowerCase();
  else if (cursor.accept("SET")) kept[member] = `set ${cursor.next()?.value.toLowerCase() ?? ""}`.trim();
}

/** The names in a list of columns that is next; undefined where none is next or one of it is an expression. */
export function readPlainColumns(cursor: Cursor): readonly string[] | undefined {
  const group = cursor.readGroup();
  if (!group) return undefined;
  const names = splitList(group).map((part) => readIndexColumn(cursor.createInner(part)));
  return names.every((name) => name !== undefined) ? names : undefined;
}

/** The name of a column in an index or key, which may have an order and a length. */
export function readIndexColumn(part: Cursor): string | undefined {
  const name = part.readName();
  if (name === undefined || part.peekKey() === ".") return undefined;
  const length = part.readGroup();
  if (length?.some(({ kind }) => kind !== "number")) return undefined;
  return name;
}
