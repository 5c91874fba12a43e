import { LIMITS } from "../../domain/limits.ts";
import type { Runtime } from "../contract/call.ts";

/** Serializes the writers of a process on a model: all but one would decide in vain. */
export interface WriteQueue {
  /** True while a call is at the head of the model's queue. */
  isTaken(ledgerId: string): boolean;
  /** Waits in a queue. Returns the function that leaves it; undefined if `patience` ends first. */
  take(ledgerId: string, patience: (signal: AbortSignal) => Promise<void>): Promise<(() => void) | undefined>;
}

/** Creates an empty write queue. The queue of a model is removed with its last writer. */
export function createWriteQueue(): WriteQueue {
  /** The writers that wait after the one at the head, by model. A model without a writer has no entry. */
  const waiting = new Map<string, (() => void)[]>();
  const leave = (ledgerId: string) => {
    const next = waiting.get(ledgerId)?.shift();
    if (next) next();
    else waiting.delete(ledgerId);
  };
  return {
    isTaken: (ledgerId) => waiting.has(ledgerId),
    take: async (ledgerId, patience) => {
      const queue = waiting.get(ledgerId);
      if (!queue) waiting.set(ledgerId, []);
      else if (!(await waitForSlot(queue, patience))) return undefined;
      let isAtHead = true;
      return () => {
        if (isAtHead) leave(ledgerId);
        isAtHead = false;
      };
    },
  };
}

/** Waits at the end of a queue. Returns false if the writer left it before its turn. */
function waitForSlot(queue: (() => void)[], patience: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const call = () => {
      controller.abort();
      resolve(true);
    };
    const leave = () => {
      const index = queue.indexOf(call);
      if (index >= 0) queue.splice(index, 1);
      return index >= 0;
    };
    queue.push(call);
    // A writer whose turn comes at the same time takes the head, because nobody else would leave it.
    patience(controller.signal).then(
      () => leave() && resolve(false),
      (error) => leave() && reject(error),
    );
  });
}

/** The place of one call in the queue of the model it addresses. */
export interface QueueSlot {
  /** Waits if another call is at the head. Returns true after waiting: earlier reads are outdated. */
  waitIfBusy(ledgerId: string): Promise<boolean>;
  /** Goes to the head of the queue last named to `waitIfBusy`, after a conflict. Returns true after waiting. */
  take(): Promise<boolean>;
  release(): void;
}

/** Creates the slot of a call that tries until `giveUp`, in milliseconds since the epoch. */
export function createQueueSlot(queue: WriteQueue, runtime: Pick<Runtime, "now" | "sleep">, giveUp: number): QueueSlot {
  let model: string | undefined;
  let leave: (() => void) | undefined;
  const wait = (signal: AbortSignal) => {
    const left = Math.max(0, giveUp - runtime.now());
    // A writer that is at the head for so long is stuck; the others do not wait for it.
    return runtime.sleep(Math.min(left, LIMITS.contentionMs), signal);
  };
  const take = async () => {
    if (model === undefined || leave) return false;
    const waits = queue.isTaken(model);
    leave = await queue.take(model, wait);
    return waits;
  };
  return {
    take,
    waitIfBusy: async (ledgerId) => {
      model = ledgerId;
      return queue.isTaken(ledgerId) && take();
    },
    release: () => {
      leave?.();
      leave = undefined;
    },
  };
}
