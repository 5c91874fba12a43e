import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, TestRunner } from "vitest";
import type { ItemKey } from "../../../shared/store/table/keys.ts";
import { Contention, getWriteKey, OutcomeUnknown, type Table, type Write } from "../../../shared/store/table/table.ts";
import {
  createFaultPicker,
  type Fault,
  type FaultPicker,
  isWriting,
  type Operation,
  type Plan,
  type Rule,
  type TableCall,
} from "./fault-plan.ts";
import { createHiddenItems, keyText } from "./hidden-items.ts";

/** A call to the table with its fault and its outcome. */
export interface TableTrace extends TableCall {
  readonly fault: Fault | undefined;
  /** "ok", or the name of what was thrown. */
  readonly outcome: string;
}

/** A table with faults; without a plan it hands every call on. */
export interface FaultTable extends Table {
  /** Begins a plan: counts and trace start anew, what is late or hidden stays so. */
  arm(plan: Plan | readonly Rule[]): void;
  /** Ends the plan, and brings about everything that is still to happen. */
  settle(): Promise<void>;
  readonly trace: readonly TableTrace[];
  /** True while a transaction is in the table of which not everything is visible. */
  readonly hides: boolean;
}

type Scatter = Extract<Fault, { scatter: number }>;

interface Special<T> {
  /** Takes only so many rows of a batch. */
  readonly take?: (count: number) => Promise<T>;
  readonly rows?: number;
  readonly scatter?: (fault: Scatter) => Promise<T>;
}

/** While a transaction shows its items one by one, the next comes after this time without a call. */
const QUIET_MS = 100;

/** The process that made the calls is no more. */
export class Killed extends Error {}

/** Returns the outcome of some work, or "killed" if its process died. */
export async function orKilled<T>(working: Promise<T>): Promise<T | "killed"> {
  return working.catch((error: unknown) => {
    if (error instanceof Killed) return "killed" as const;
    throw error;
  });
}

/** Waits until a transaction is in the table and not all of it visible; a write that ends before fails the test. */
export async function untilHidden(table: FaultTable, writing: Promise<unknown>): Promise<void> {
  let over = false;
  const end = () => (over = true);
  writing.then(end, end);
  while (!table.hides) {
    if (over) throw new Error(`the write ended before it was seen: ${JSON.stringify(await writing)}`);
    await pause(1);
  }
}

interface Armed extends FaultPicker {
  died: boolean;
}

/** Fails the test that is running where a rule of its plan was for no call at all; of tests that run at once none is known. */
function holdToBeMet(armed: Armed) {
  const running = TestRunner.getCurrentTest();
  if (!running || running.concurrent) return;
  onTestFinished(() => {
    if (!armed.died) expect(armed.missed(), "rules that no call fitted").toEqual([]);
  });
}

/** Puts faults between the service and its table, by rules or by chance. Used by tests only. */
export function createFaultTable(inner: Table): FaultTable {
  const hidden = createHiddenItems(inner);
  let armed: Armed = { ...createFaultPicker({}), died: false };
  let pageRows: number | undefined;
  let trace: TableTrace[] = [];
  let calls = 0;
  let dead = false;
  let late: { readonly due: number; readonly apply: () => Promise<unknown> }[] = [];

  const applyLate = async (upTo: number) => {
    const due = late.filter((one) => one.due <= upTo);
    late = late.filter((one) => one.due > upTo);
    // No caller hears the outcome of these calls.
    for (const one of due) await one.apply().catch(() => undefined);
  };

  const through = async <T>(
    operation: Operation,
    keys: readonly string[],
    apply: () => Promise<T>,
    special: Special<T> = {},
  ): Promise<T> => {
    if (dead) throw new Killed();
    calls += 1;
    const call: TableCall = { nth: calls, operation, keys };
    const fault = armed.pick(call);
    await applyLate(calls);
    let outcome = "ok";
    try {
      const serializable = isWriting(operation) || operation === "transactGet";
      if (serializable && hidden.anyOf(keys)) {
        hidden.revealOne();
        throw new Contention(false);
      }
      hidden.reveal(calls);
      return await suffer(fault, apply, special);
    } catch (error) {
      outcome = error instanceof Error ? error.constructor.name : String(error);
      throw error;
    } finally {
      trace.push({ ...call, fault, outcome });
    }
  };

  const suffer = async <T>(fault: Fault | undefined, apply: () => Promise<T>, special: Special<T>): Promise<T> => {
    if (fault === undefined) return apply();
    if (typeof fault === "object") {
      if ("slow" in fault) await pause(fault.slow);
      if ("before" in fault) await fault.before();
      if ("applyLater" in fault) {
        late.push({ due: calls + fault.applyLater, apply });
        throw new OutcomeUnknown("later");
      }
      if ("scatter" in fault && special.scatter) return special.scatter(fault);
      const answer = await apply();
      if ("after" in fault) await fault.after();
      return answer;
    }
    if (fault === "throttle" || fault === "conflict") throw new Contention(fault === "throttle");
    if (fault === "lose") throw new OutcomeUnknown("never sent");
    if (fault === "lose-answer") {
      await apply().catch(() => undefined);
      throw new OutcomeUnknown("answer lost");
    }
    if (fault === "kill" || fault === "kill-after") {
      dead = true;
      armed.died = true;
      if (fault === "kill-after") await apply();
      throw new Killed();
    }
    if (fault === "repeat") await apply();
    const { take, rows = 0 } = special;
    if (take && (fault === "half" || fault === "none-taken")) return take(fault === "half" ? Math.ceil(rows / 2) : 0);
    return apply();
  };

  const scattered = async (writes: readonly Write[], { scatter, hold, answered }: Scatter) => {
    const keys = writes
      .filter((w) => !("check" in w))
      .map(getWriteKey)
      .filter(({ pk }) => !(answered && pk.startsWith("log#")));
    await hidden.hide(keys, scatter, calls + hold, () => inner.transactWrite(writes));
    for (let waited = 0; !answered && hidden.anyOf(texts(keys)); waited++) {
      await pause(1);
      // Nobody has asked for anything: time goes on all the same.
      if (waited % QUIET_MS === QUIET_MS - 1) hidden.revealOne();
    }
  };

  const batch = <T extends ItemKey>(
    operation: Operation,
    rows: readonly T[],
    send: (rows: readonly T[]) => Promise<readonly T[]>,
  ): Promise<readonly T[]> => {
    const take = async (count: number): Promise<readonly T[]> => {
      const left = count > 0 ? await send(rows.slice(0, count)) : [];
      return [...left, ...rows.slice(count)];
    };
    return through(operation, texts(rows), () => send(rows), { rows: rows.length, take });
  };

  const texts = (keys: readonly ItemKey[]): readonly string[] => keys.map(keyText);
  return {
    get: (key) => through("get", texts([key]), async () => hidden.seen(key, await inner.get(key))),
    batchGet: (keys) =>
      through("batchGet", texts(keys), async () => {
        const got = new Map((await inner.batchGet(keys)).map((item) => [keyText(item), item]));
        return keys.map((key) => hidden.seen(key, got.get(keyText(key)))).filter((item) => item !== undefined);
      }),
    query: (range) =>
      through("query", [`${range.pk}|${range.prefix ?? ""}`], () => {
        const short = pageRows !== undefined && /^(model|log)#/.test(range.pk);
        return hidden.page(short ? { ...range, limit: Math.min(range.limit ?? pageRows ?? 1, pageRows ?? 1) } : range);
      }),
    transactGet: (keys) => through("transactGet", texts(keys), () => inner.transactGet(keys)),
    transactWrite: (writes) => {
      const apply = (): Promise<void> => inner.transactWrite(writes);
      const scatter = (fault: Scatter): Promise<void> => scattered(writes, fault);
      return through("transactWrite", texts(writes.map(getWriteKey)), apply, { scatter });
    },
    write: (write) => through("write", texts([getWriteKey(write)]), () => inner.write(write)),
    batchPut: (items) => batch("batchPut", items, inner.batchPut),
    batchDelete: (keys) => batch("batchDelete", keys, inner.batchDelete),
    arm: (planned) => {
      const next = "length" in planned ? { rules: planned } : planned;
      armed = { ...createFaultPicker(next), died: false };
      holdToBeMet(armed);
      pageRows = next.pageRows;
      trace = [];
      calls = 0;
      dead = false;
      late = late.map((one) => ({ ...one, due: 0 }));
    },
    settle: async () => {
      armed = { ...createFaultPicker({}), died: false };
      pageRows = undefined;
      dead = false;
      await applyLate(Number.POSITIVE_INFINITY);
      hidden.revealAll();
    },
    get trace() {
      return trace;
    },
    get hides() {
      return hidden.any();
    },
  };
}
