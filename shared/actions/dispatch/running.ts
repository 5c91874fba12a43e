import type { Action, Ports } from "../contract/action.ts";
import type { RecordClaim } from "../contract/answer.ts";
import type { Call } from "../contract/call.ts";
import type { Payload } from "../contract/payload.ts";
import type { JobMark } from "../contract/store.ts";
import type { Scoping } from "./scopes.ts";
import type { ActionCall, Service } from "./service.ts";
/** An authorized, well-formed call on its way through its attempts. */
export interface Running {
  readonly action: Action;
  readonly payload: Payload;
  readonly request: Pick<ActionCall, "controls" | "deadline">;
  readonly call: Call;
  readonly service: Service;
  readonly ports: Ports;
  /** Of a caller who has rights on some models only; a job's was judged when it was accepted. */
  readonly scoping?: Scoping | undefined;
  /** Set by the worker of a job: what was prepared when it was accepted, and the mark its commit carries. */
  readonly job?: { readonly mark: JobMark; readonly prepared: unknown; readonly claim: RecordClaim | undefined };
}
