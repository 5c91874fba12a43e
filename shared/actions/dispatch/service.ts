import type { Channel } from "../../domain/channels.ts";
import type { Action, Ports, Registry } from "../contract/action.ts";
import type { Ambient } from "../contract/call.ts";
import type { Controls } from "../contract/controls.ts";
import type { UnreadPayload } from "../contract/payload.ts";
import type { ServiceFacts } from "../contract/ports.ts";
import type { UnscopedCallers } from "./unscoped-callers.ts";
import type { WriteQueue } from "./write-queue.ts";

/** One call as a door hands it over. */
export interface ActionCall {
  readonly action: Action;
  readonly token: string | undefined;
  readonly payload: UnreadPayload;
  readonly controls: Controls;
  readonly channel: Channel;
  readonly requestId: string;
  /** The network address of the caller; absent where the door knows none. */
  readonly sourceAddress?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** The parts that the service is made of. */
export interface Service {
  readonly registry: Registry;
  readonly facts: ServiceFacts;
  /** The documents by which others verify the service's own tokens. */
  readonly verification: {
    readonly configuration: () => Promise<object>;
    readonly keySet: () => Promise<object>;
  };
  readonly ambient: Ambient;
  /** What this process found of callers. */
  readonly unscopedCallers: UnscopedCallers;
  /** The write queue of this process. */
  readonly writeQueue: WriteQueue;
  /** The ports of a call that has to be answered at `deadline`. */
  readonly ports: (deadline: number) => Ports;
}
