import type { Channel } from "../../domain/channels.ts";
import type { Principal } from "../../domain/principal.ts";

/** Time, ids and chance, given by the entry points so that tests can choose them. */
export interface Ambient {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A new UUID, version 7. */
  readonly newId: () => string;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Waits so many milliseconds; ends early when `ended` is aborted. */
  readonly sleep: (ms: number, ended?: AbortSignal) => Promise<void>;
}

/** One call of one action: what every attempt of it has in common. */
export interface Call {
  readonly operationId: string;
  readonly requestId: string;
  /** `<group>/<action>` */
  readonly action: string;
  readonly channel: Channel;
  readonly principal: Principal | undefined;
  /** The network address the call came from; absent where nobody knows it, such as in a job. */
  readonly sourceAddress?: string | undefined;
  /** ISO 8601, the same for every attempt. */
  readonly time: string;
  /** When the call has to be answered, in milliseconds since the epoch. */
  readonly deadline: number;
  /** A new id; after `repeat` the same ids come again in the same order. */
  readonly nextId: () => string;
  readonly repeat: () => void;
  /** A new id of this attempt alone. */
  readonly newId: () => string;
}

/** Where a call comes from, known before it is known who calls. */
export type Origin = Pick<Call, "requestId" | "channel" | "deadline">;

interface CallFacts {
  readonly requestId: string;
  readonly action: string;
  readonly channel: Channel;
  readonly principal: Principal | undefined;
  readonly sourceAddress?: string | undefined;
  readonly deadline: number;
}

/** A call that begins now. */
export function beginCall(facts: CallFacts, { newId, now }: Ambient): Call {
  const ids: string[] = [];
  let used = 0;
  return {
    ...facts,
    operationId: newId(),
    time: new Date(now()).toISOString(),
    nextId: () => {
      const id = ids[used] ?? newId();
      ids[used] = id;
      used += 1;
      return id;
    },
    repeat: () => {
      used = 0;
    },
    newId,
  };
}
