import type { Expectation, Item } from "../table.ts";
import { TABLE } from "../table-schema.ts";

/** True where `found`, the item in the table, is as a write expects it; expired items are still there. */
export function isAsExpected(expected: Expectation, found: Item | undefined): boolean {
  if ("anything" in expected) return true;
  if ("absent" in expected) return found === undefined;
  if ("equal" in expected) return found !== undefined && hasAll(found, expected.equal);
  if (found === undefined) return true;
  if ("absentOrEqual" in expected) return hasAll(found, expected.absentOrEqual);
  const expires = found[TABLE.timeToLive];
  // Values of different types are never in an order.
  return typeof expires === "number" && expires < expected.absentOrExpired;
}

function hasAll(item: Item, values: Readonly<Record<string, string | number>>): boolean {
  return Object.entries(values).every(([name, value]) => Object.hasOwn(item, name) && item[name] === value);
}
