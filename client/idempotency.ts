import { ApiProblem } from "./api-problem.ts";

/** The names of actions that write nothing. */
const READ =
  /(^|_)(get|list|search|export|export_as|export_version|compare|compare_as)$|^(inspect|history)_|^(ai_agents_instructions|can|sign_in_options|whoami)$/;

/** Actions that refused an idempotency key, by service: those that answer secrets, and those that are no writes. */
const refusing = new Map<string, Set<string>>();

/**
 * True where a call of `<group>/<action>` is sent with an idempotency key. Beyond the names, it is learned from the
 * service, which refuses a key where it cannot apply before it does anything.
 */
export function takesKey(url: string, action: string): boolean {
  return !takesKey.isRead(action) && !refusing.get(url)?.has(action);
}

/** True for an action that may be sent twice without a key. */
takesKey.isRead = (action: string): boolean => READ.test(action.slice(action.indexOf("/") + 1));

/** Whether a call failed for its key alone; if so, the next one is sent without. */
takesKey.refused = (url: string, action: string, error: unknown): boolean => {
  if (!(error instanceof ApiProblem) || error.code !== "bad_precondition") return false;
  if (!error.message.startsWith("Idempotency-Key")) return false;
  const known = refusing.get(url) ?? new Set();
  refusing.set(url, known.add(action));
  return true;
};
