import type { Actor, AuthRole } from "../../domain/objects.ts";
import { ALL_PERMISSIONS, impliedBy, type Permission } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import { holdsAnywhere, rightsOf } from "../../domain/rights.ts";
import type { Call } from "../contract/call.ts";

/**
 * The permissions a new API token gets, sorted: those asked for, or else all that its actor holds by assignment, for
 * everything or for some models. `not_allowed` for one that is not held, and for one that a sign-in token alone gives,
 * because an API token is used without that.
 */
export function lastingPermissions(
  actor: Actor,
  roles: readonly AuthRole[],
  asked: readonly Permission[] | undefined,
  { principal }: Call,
): readonly Permission[] {
  const isOwn = principal?.actorId === actor.id;
  const lasting = rightsOf(actor, roles);
  const held = ALL_PERMISSIONS.filter((permission) => holdsAnywhere(lasting, permission));
  const lacking = asked?.find((permission) => !held.includes(permission));
  if (lacking !== undefined && isOwn && holdsAnywhere(principal, lacking)) {
    const detail = `You hold the permission ${lacking} only while your sign-in token claims it, so no API token can have it`;
    throw new Problem("not_allowed", `${detail}; an administrator can assign you a role that gives it`);
  }
  if (lacking !== undefined) {
    const who = isOwn ? "you do not hold yourself" : `${actor.subject} does not hold by a role that is assigned`;
    throw new Problem("not_allowed", `An API token cannot have a permission ${who}: ${lacking}`);
  }
  return asked ? [...new Set(asked)].sort() : withoutImplied(held);
}

function withoutImplied(held: readonly Permission[]): readonly Permission[] {
  const implied = new Set(held.flatMap(impliedBy));
  return held.filter((permission) => !implied.has(permission)).sort();
}
