import type { Actor } from "./objects.ts";
import { BUILT_IN } from "./principal.ts";

/** What the subject of every service account begins with; no username holds a colon. */
const PREFIX = "service:";

/** The subject of the service account of a key, which the built-in issuer knows its actor by. */
export function subjectOfServiceAccount(key: string): string {
  return PREFIX + key;
}

/** The key of the service account that an actor is; undefined for everybody who signs in. */
export function serviceAccountKeyOf({ issuer, subject }: Pick<Actor, "issuer" | "subject">): string | undefined {
  return issuer === BUILT_IN && subject.startsWith(PREFIX) ? subject.slice(PREFIX.length) : undefined;
}

/** Tests whether an actor is a service account, which never signs in and so can change no account. */
export function isServiceAccount(actor: Pick<Actor, "issuer" | "subject">): boolean {
  return serviceAccountKeyOf(actor) !== undefined;
}
