import type { Outcome } from "../history/clocked-world.ts";
import type { SentCall } from "../reference/answer.ts";

/** One call that a client made. Times are ticks of one counter: no two are equal. */
export interface Op {
  /** The request id, which the log entry of its commit carries. */
  readonly request: string;
  readonly start: number;
  readonly end: number;
  /** The call, with the service's own ids. */
  readonly call: SentCall;
  readonly outcome: Outcome;
}

/** An op in a few words. */
export function label({ call, request, start, end }: Op): string {
  const payload = JSON.stringify(call.payload.body ?? call.payload.query).slice(0, 160);
  const controls = Object.keys(call.controls).length > 0 ? ` with ${JSON.stringify(call.controls)}` : "";
  return `${call.action} ${payload}${controls} [${start}-${end}] ${request}`;
}
