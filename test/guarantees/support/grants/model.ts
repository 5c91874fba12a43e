import { type Assigned, type GrantedRole, type Held, heldBy, NOTHING } from "./rules.ts";

export interface KnownRole extends GrantedRole {
  readonly managed: boolean;
  readonly autoAssign: boolean;
}

/** An actor as the model knows it: `username` where it is a user of the service, `service` is the key of a service account. */
export interface KnownActor extends Assigned {
  readonly username?: string;
  readonly service?: string;
}

export interface KnownToken {
  readonly owner: string;
  readonly permissions: readonly string[];
  /** Patterns of the only models it is for. */
  readonly models?: readonly string[];
}

/** Somebody who calls: an actor with what the token at hand claims, or an API token. */
export interface Bearer {
  readonly label: string;
  readonly token: string;
  readonly actor: string;
  readonly claims: readonly string[];
  readonly apiToken?: string;
}

export interface Attempt {
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The roles, actors and API tokens that exist, by id, as far as rights come from them. */
export interface Grants {
  readonly roles: Map<string, KnownRole>;
  readonly actors: Map<string, KnownActor>;
  readonly tokens: Map<string, KnownToken>;
  /** Access tokens that ended with a disabled or deleted actor, or a revoked API token: they never open anything again. */
  readonly ended: Set<string>;
}

/** The permissions that a bearer holds; undefined where the token opens nothing. */
export function heldByBearer({ roles, actors, tokens, ended }: Grants, bearer: Bearer): Held | undefined {
  const actor = actors.get(bearer.actor);
  if (!actor || actor.disabled || ended.has(bearer.token)) return undefined;
  if (bearer.apiToken === undefined) return heldBy(actor, roles, { claims: bearer.claims });
  const token = tokens.get(bearer.apiToken);
  return token && heldBy(actor, roles, { atMost: token.permissions, models: token.models });
}

/** The actors that can administer by what they are assigned; a service account has API tokens alone, which change no account. */
export const administrators = ({ roles, actors }: Pick<Grants, "roles" | "actors">): readonly string[] =>
  [...actors]
    .filter(([, actor]) => actor.service === undefined && heldBy(actor, roles).everywhere.has("admin"))
    .map(([id]) => id);

/** The permissions that an actor can give to its API tokens. */
export const lasting = ({ roles, actors }: Pick<Grants, "roles" | "actors">, actor: string): Held => {
  const known = actors.get(actor);
  return known ? heldBy(known, roles) : NOTHING;
};

/** Returns the role and the actor that a call names; a call that needs a missing one is refused. */
export function named({ roles, actors }: Grants, { payload }: Attempt) {
  const { roleRef, actorId, username, serviceAccountRef } = payload;
  const isMeant = (id: string, one: KnownActor) =>
    id === actorId ||
    (username !== undefined && one.username === username) ||
    (one.service !== undefined && [`key:${one.service}`, `id:${id}`].some((ref) => ref === serviceAccountRef));
  const role = [...roles].find(([id, { key }]) => `key:${key}` === roleRef || `id:${id}` === roleRef);
  const actor = [...actors].find(([id, one]) => isMeant(id, one));
  return { roleId: role?.[0] ?? "", role: role?.[1], actorId: actor?.[0] ?? "", actor: actor?.[1] };
}
