import type { DraftReference } from "./catalog.ts";
import { type Cursor, splitList } from "./cursor.ts";

const ACTIONS = ["CASCADE", "RESTRICT"] as const;

/** Reads the target, columns and actions after `REFERENCES`. */
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

/** Reads an action. `NO ACTION` is the default. */
function setAction(kept: Record<string, unknown>, member: string, cursor: Cursor): void {
  if (cursor.accept("NO", "ACTION")) return;
  const action = cursor.acceptOne(...ACTIONS);
  if (action !== undefined) kept[member] = action.toLowerCase();
  else if (cursor.accept("SET")) kept[member] = `set ${cursor.next()?.value.toLowerCase() ?? ""}`.trim();
}

/** Reads a list of column names. Returns undefined without a list, or if it contains an expression. */
export function readPlainColumns(cursor: Cursor): readonly string[] | undefined {
  const group = cursor.readGroup();
  if (!group) return undefined;
  const names = splitList(group).map((part) => readIndexColumn(cursor.createInner(part)));
  return names.every((name) => name !== undefined) ? names : undefined;
}

/** Reads the name of a column in an index or key, which may have an order and a length. */
export function readIndexColumn(part: Cursor): string | undefined {
  const name = part.readName();
  if (name === undefined || part.peekKey() === ".") return undefined;
  const length = part.readGroup();
  if (length?.some(({ kind }) => kind !== "number")) return undefined;
  return name;
}
