import type { ItemKey } from "../../../shared/store/table/keys.ts";
import {
  ConditionFailed,
  Contention,
  type Item,
  type Range,
  type Table,
  Unread,
  type Write,
} from "../../../shared/store/table/table.ts";

/** One call of the storage interface, as plain data. */
export type TableCall =
  | { readonly op: "get"; readonly asked: ItemKey }
  | { readonly op: "batchGet" | "transactGet" | "batchDelete"; readonly asked: readonly ItemKey[] }
  | { readonly op: "query"; readonly asked: Range }
  | { readonly op: "transactWrite"; readonly asked: readonly Write[] }
  | { readonly op: "write"; readonly asked: Write }
  | { readonly op: "batchPut"; readonly asked: readonly Item[] };

/** The outcome of a call, in a form in which equal outcomes are equal. */
export interface Outcome {
  /** The answer of the call; in its place `refused` tells the conditions that failed and the items in the way. */
  readonly answer?: unknown;
  readonly refused?: unknown;
  /** The items that a batch of reads answered, and the keys that it left unread. */
  readonly unread?: unknown;
  /** "invalid" for what DynamoDB would not take; the name of any other error. */
  readonly error?: string;
  readonly units: readonly number[];
}

export interface StoreInTest {
  readonly name: string;
  readonly table: Table;
  /** The units told since last asked. */
  takeUnits(): readonly number[];
}

export async function outcomeOf({ table, takeUnits }: StoreInTest, call: TableCall): Promise<Outcome> {
  // Each member of the union fits its own function.
  const send = table[call.op] as (asked: unknown) => Promise<unknown>;
  try {
    const answer = await send(call.asked);
    return { answer: call.op === "batchGet" ? sorted(answer) : plain(answer), units: takeUnits() };
  } catch (error) {
    const units = takeUnits();
    if (error instanceof ConditionFailed)
      return { refused: plain({ failed: error.faults, found: [...error.items] }), units };
    if (error instanceof Unread) return { unread: { items: sorted(error.items), left: sorted(error.left) }, units };
    if (!(error instanceof Error)) throw error;
    if (INVALID.has(error.name)) return { error: "invalid", units };
    return { error: error instanceof Contention ? "busy" : error.constructor.name, units };
  }
}

/** Where items of a transaction are not valid, it is told as cancelled; other reasons have errors of ours. */
const INVALID = new Set(["ValidationException", "TransactionCanceledException"]);

function sorted(items: unknown): unknown {
  return (plain(items) as unknown[]).map((item) => JSON.stringify(item)).sort();
}

function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("base64") };
  if (Array.isArray(value)) return value.map((one) => plain(one) ?? null);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, plain(one)]));
}
