import type { Permission } from "./permissions.ts";

/** Who calls: an actor, which is one subject of one issuer, with the permissions it holds (implied ones included). */
export interface Principal {
  readonly actorId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly fullname: string;
  readonly permissions: ReadonlySet<Permission>;
}

/**
 * Issuer of the actors of built-in users. Tokens carry the service's URL as `iss`, which changes with port and domain;
 * under this name its users remain the same actors wherever the service is reached.
 */
export const BUILT_IN = "urn:metaction:users";
