import { LIMITS } from "../../domain/limits.ts";
import { itemBytes } from "../table/dynamo-rules/item-bytes.ts";
import { FORMAT } from "../table/table.ts";
import type { LogChange } from "./log.ts";

/** Bytes of the changes in a log entry. */
export function changesBytes(changes: readonly LogChange[]): number {
  return itemBytes({ pk: "", sk: "", v: FORMAT, changes });
}

/** True for changes that a log entry does not hold itself. */
export function isTooLargeForEntry(changes: readonly LogChange[]): boolean {
  return changesBytes(changes) > LIMITS.logBytes;
}
