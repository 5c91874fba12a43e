import { keyOfActor } from "./actor-key.ts";
import type { Actor } from "./objects.ts";
import { BUILT_IN } from "./principal.ts";

/** The time and the ids that a call gives the accounts it makes. */
interface Maker {
  readonly time: string;
  readonly nextId: () => string;
}

/**
 * The actor of a new user. Its tokens begin with an epoch that no earlier user of the same name had, so that what was
 * signed for that one opens nothing.
 */
export function builtInActor(username: string, fullname: string, { time, nextId }: Maker): Actor {
  return {
    kind: "actor",
    id: nextId(),
    key: keyOfActor(BUILT_IN, username),
    revision: 0,
    issuer: BUILT_IN,
    subject: username,
    fullname,
    roles: [],
    tokenEpoch: Date.parse(time),
    createdAt: time,
  };
}
