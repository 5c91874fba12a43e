import { LIMITS } from "../../domain/limits.ts";

/** Something that went with a deleted object, or a key that lost a deleted attribute. */
export interface RemovedRow {
  readonly kind: "primary_key" | "business_key" | "relationship_role" | "attribute";
  readonly id: string;
  readonly key: string;
  readonly attributes?: readonly string[];
  readonly remains?: true;
}

/** What an answer shows of all that went. */
export interface Removed {
  readonly count: number;
  readonly items: readonly RemovedRow[];
}

/** Rows of one kind. */
export function removedRows(
  kind: RemovedRow["kind"],
  objects: readonly { readonly id: string; readonly key: string }[],
): readonly RemovedRow[] {
  return objects.map(({ id, key }) => ({ kind, id, key }));
}

/** The number of rows, and as many of them as there is place for. */
export function shownRemoved(rows: readonly RemovedRow[], most: number = LIMITS.removedRows): Removed {
  return { count: rows.length, items: rows.slice(0, most) };
}
