import { DYNAMO } from "./limits.ts";

/** Factor between the units of a call in a transaction and those of the call alone. */
export const TRANSACTION_FACTOR = 2;

/** Read units of a strongly consistent read: of one item, or of all that one Query read. An absent item costs one. */
export function readUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / DYNAMO.readUnitBytes));
}

/**
 * Write units of a write to one item, by its bytes before and after it, 0 where there is none: the larger counts. A check,
 * and a write whose condition fails, cost what the item there costs; DynamoDB does not tell the latter.
 */
export function writeUnits(before: number, after: number): number {
  return Math.max(1, Math.ceil(Math.max(before, after) / DYNAMO.writeUnitBytes));
}

/**
 * Number of keys of a batch of reads that are answered: those before the item that would make the answer larger than 16
 * MB. `bytesOfEach` has the bytes of each item asked for, 0 where there is none.
 */
export function answeredAtOnce(bytesOfEach: readonly number[]): number {
  let bytes = 0;
  const last = bytesOfEach.findIndex((one) => {
    bytes += one;
    return bytes > DYNAMO.batchGetBytes;
  });
  return last < 0 ? bytesOfEach.length : last;
}
