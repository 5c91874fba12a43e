import { LIMITS } from "../../domain/limits.ts";
import type { Ambient } from "../contract/call.ts";

/**
 * The writers of one process, one after the other on each model: of those who decide on one revision at the same time
 * all but one decide in vain. Between processes the log alone decides who was first.
 */
export interface WriteQueue {
  /** True while a call has the turn of the model. */
  isTaken(ledgerId: string): boolean;
  /**
   * Takes the turn of a model as soon as those who asked before have given it back, and answers how to give it back;
   * undefined when `patience` ends before. `patience` is told when nobody waits for it any more.
   */
  take(ledgerId: string, patience: (over: AbortSignal) => Promise<void>): Promise<(() => void) | undefined>;
}

/** One line per model, which is gone with the last writer in it. */
export function createWriteQueue(): WriteQueue {
  /** Those who wait, in order; an entry without anyone stands for a turn that is taken. */
  const lines = new Map<string, (() => void)[]>();
  const giveBack = (ledgerId: string): void => {
    const next = lines.get(ledgerId)?.shift();
    if (next) next();
    else lines.delete(ledgerId);
  };
  return {
    isTaken: (ledgerId) => lines.has(ledgerId),
    take: async (ledgerId, patience) => {
      const line = lines.get(ledgerId);
      if (!line) lines.set(ledgerId, []);
      else if (!(await called(line, patience))) return undefined;
      let mine = true;
      return () => {
        if (mine) giveBack(ledgerId);
        mine = false;
      };
    },
  };
}

/** Waits at the end of a line; false for one who left it before being called. */
function called(line: (() => void)[], patience: (over: AbortSignal) => Promise<void>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const call = (): void => {
      over.abort();
      resolve(true);
    };
    const leave = (): boolean => {
      const slot = line.indexOf(call);
      if (slot >= 0) line.splice(slot, 1);
      return slot >= 0;
    };
    line.push(call);
    // Called at the same moment, the turn is taken all the same: nobody else would give it back.
    patience(over.signal).then(
      () => leave() && resolve(false),
      (error) => leave() && reject(error),
    );
  });
}

/** The place of one call among those who write to the model it addresses. */
export interface QueueSlot {
  /** Lines up where another call has the model's turn; true after waiting, when what was read before is old. */
  waitIfBusy(ledgerId: string): Promise<boolean>;
  /** Takes the turn of the model last named to `lineUp`, after others were faster; true after waiting. */
  take(): Promise<boolean>;
  /** Gives back the turn, if the call has it. */
  release(): void;
}

/** A place for a call that tries until `giveUp`, in milliseconds since the epoch. */
export function createQueueSlot(queue: WriteQueue, ambient: Pick<Ambient, "now" | "sleep">, giveUp: number): QueueSlot {
  let model: string | undefined;
  let giveBack: (() => void) | undefined;
  const patience = (over: AbortSignal): Promise<void> => {
    const left = Math.max(0, giveUp - ambient.now());
    // One that keeps the turn as long is stuck, and those behind are better off without it.
    return ambient.sleep(Math.min(left, LIMITS.contentionMs), over);
  };
  const take = async (): Promise<boolean> => {
    if (model === undefined || giveBack) return false;
    const waits = queue.isTaken(model);
    giveBack = await queue.take(model, patience);
    return waits;
  };
  return {
    take,
    waitIfBusy: async (ledgerId) => {
      model = ledgerId;
      return queue.isTaken(ledgerId) && take();
    },
    release: () => {
      giveBack?.();
      giveBack = undefined;
    },
  };
}
