import { keyOfActor } from "./actor-key.ts";
import type { Actor } from "./objects.ts";
import { BUILT_IN } from "./principal.ts";
import { subjectOfServiceAccount } from "./service-account.ts";

/** The time and the ids that a call gives the accounts it makes. */
interface Maker {
  readonly time: string;
  readonly nextId: () => string;
}

/**
 * The actor of a new user. Its tokens begin with an epoch that no earlier user of the same name had, so that what was
 * signed for that one opens nothing.
 */
export function builtInActor(username: string, fullname: string, maker: Maker): Actor {
  return { ...actorOf(username, fullname, maker), tokenEpoch: Date.parse(maker.time) };
}

/** The actor that a new service account is. It has no user, no password and no epoch, since nobody signs in as it. */
export function serviceAccountActor(key: string, name: string, maker: Maker): Actor {
  return actorOf(subjectOfServiceAccount(key), name, maker);
}

function actorOf(subject: string, fullname: string, { time, nextId }: Maker): Actor {
  return {
    kind: "actor",
    id: nextId(),
    key: keyOfActor(BUILT_IN, subject),
    revision: 0,
    issuer: BUILT_IN,
    subject,
    fullname,
    roles: [],
    createdAt: time,
  };
}
