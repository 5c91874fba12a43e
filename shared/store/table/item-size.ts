import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { itemBytes } from "./dynamo-rules/item-bytes.ts";
import type { Item } from "./table.ts";

/** `too_large` for an object that would not fit one item. */
export function checkObjectSize(item: Item): void {
  if (itemBytes(item) <= LIMITS.objectBytes) return;
  throw new Problem("too_large", `an object may hold at most ${LIMITS.objectBytes} bytes; shorten its texts`);
}
