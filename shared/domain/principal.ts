import type { Rights } from "./rights.ts";

/** Who calls: an actor, which is one subject of one issuer, with the rights it has at this moment. */
export interface Principal extends Rights {
  readonly actorId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly fullname: string;
  /** Keys of the roles that the token itself claims, as its issuer's configuration maps them. */
  readonly claimedRoles: readonly string[];
  /** Id of the API token the call came with; absent where the actor signed in. */
  readonly apiToken?: string;
}

/**
 * Issuer of the actors of built-in users. Tokens carry the service's URL as `iss`, which changes with port and domain;
 * under this name its users remain the same actors wherever the service is reached.
 */
export const BUILT_IN = "urn:metaction:users";

/** The beginning of every API token, so that scanners for leaked secrets find them: `metaction_[A-Za-z0-9_-]{136}`. */
export const API_TOKEN_PREFIX = "metaction_";
