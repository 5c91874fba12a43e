import type { RemovedRow } from "../contract/decision.ts";

/** Rows of one kind. */
export function removedRows(
  kind: RemovedRow["kind"],
  objects: readonly { readonly id: string; readonly key: string }[],
): readonly RemovedRow[] {
  return objects.map(({ id, key }) => ({ kind, id, key }));
}
