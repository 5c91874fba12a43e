import type { Permission } from "./permissions.ts";

/** Who calls: an actor, which is one subject of one issuer, with the permissions it holds (implied ones included). */
export interface Principal {
  readonly actorId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly fullname: string;
  readonly permissions: ReadonlySet<Permission>;
}
