import { LIMITS } from "../../domain/limits.ts";
import type { Runtime } from "../contract/call.ts";

/**
 * Lets the writers of one process work on a model one after the other: of those who decide on one revision at the same
 * time all but one decide in vain. Between processes the log alone decides who was first.
 */
export interface WriteQueue {
  /** True while a call is at the head of the model's queue. */
  isTaken(ledgerId: string): boolean;
  /**
   * Waits at the end of a model's queue until those before have left it, and answers how to leave it; undefined when
   * `patience` ends before. Its signal fires when nobody waits for it any more.
   */
  take(ledgerId: string, patience: (ended: AbortSignal) => Promise<void>): Promise<(() => void) | undefined>;
}

/** An empty write queue; the queue of a model is gone with the last writer in it. */
export function createWriteQueue(): WriteQueue {
  /** The writers that wait behind the one at the head, by model; models without a writer have no entry. */
  const waiting = new Map<string, (() => void)[]>();
  const leave = (ledgerId: string): void => {
    const next = waiting.get(ledgerId)?.shift();
    if (next) next();
    else waiting.delete(ledgerId);
  };
  return {
    isTaken: (ledgerId) => waiting.has(ledgerId),
    take: async (ledgerId, patience) => {
      const queue = waiting.get(ledgerId);
      if (!queue) waiting.set(ledgerId, []);
      else if (!(await called(queue, patience))) return undefined;
      let isAtHead = true;
      return () => {
        if (isAtHead) leave(ledgerId);
        isAtHead = false;
      };
    },
  };
}

/** Waits at the end of a queue; false for a writer who left it before being called to its head. */
function called(queue: (() => void)[], patience: (ended: AbortSignal) => Promise<void>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const ended = new AbortController();
    const call = (): void => {
      ended.abort();
      resolve(true);
    };
    const leave = (): boolean => {
      const place = queue.indexOf(call);
      if (place >= 0) queue.splice(place, 1);
      return place >= 0;
    };
    queue.push(call);
    // A writer called at the same moment takes the head all the same: nobody else would leave it.
    patience(ended.signal).then(
      () => leave() && resolve(false),
      (error) => leave() && reject(error),
    );
  });
}

/** The place of one call in the queue of the model it addresses. */
export interface QueueSlot {
  /** Waits where another call is at the head of the model's queue; true after waiting, when earlier reads are out of date. */
  waitIfBusy(ledgerId: string): Promise<boolean>;
  /** Goes to the head of the queue last named to `waitIfBusy`, after others were faster; true after waiting. */
  take(): Promise<boolean>;
  /** Leaves the queue, if the call is at its head. */
  release(): void;
}

/** The slot of a call that tries until `giveUp`, in milliseconds since the epoch. */
export function createQueueSlot(queue: WriteQueue, ambient: Pick<Runtime, "now" | "sleep">, giveUp: number): QueueSlot {
  let model: string | undefined;
  let leave: (() => void) | undefined;
  const patience = (ended: AbortSignal): Promise<void> => {
    const left = Math.max(0, giveUp - ambient.now());
    // A writer that is at the head as long is stuck, and those behind are better off without waiting for it.
    return ambient.sleep(Math.min(left, LIMITS.contentionMs), ended);
  };
  const take = async (): Promise<boolean> => {
    if (model === undefined || leave) return false;
    const waits = queue.isTaken(model);
    leave = await queue.take(model, patience);
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
