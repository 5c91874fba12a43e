import type { Action } from "../actions/contract/action.ts";

/** The facts about one call that its line in the access log gives. */
export interface AccessFacts {
  readonly requestId: string;
  /** Where the request went: a known action, or the route's name. */
  readonly to: Action | "discovery" | "health" | "well-known" | "preflight" | "nowhere";
  readonly status: number;
  /** The problem code, where it ended in one. */
  readonly code?: string;
  readonly ms: number;
}

/**
 * The one line a call leaves in the log: JSON, at most 400 bytes, without parameters, tokens or paths of the caller's
 * making.
 */
export function accessLine(facts: AccessFacts): string {
  const { requestId, to, status, code, ms } = facts;
  const action = typeof to === "string" ? to : `${to.group}/${to.name}`;
  return JSON.stringify({
    level: status >= 500 ? "error" : "info",
    requestId,
    action,
    status,
    ...(code && { code }),
    ms,
  });
}

/** A defect in one line of JSON; the stack goes here and nowhere else. */
export function defectLine(error: unknown, requestId: string): string {
  const stack = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
  return JSON.stringify({ level: "error", requestId, defect: stack.slice(0, 4_000) });
}
