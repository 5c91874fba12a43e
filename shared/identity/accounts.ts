import type { Call } from "../actions/call.ts";
import type { Permission } from "../domain/permissions.ts";

/** A user of the built-in provider, found by its username, which never changes. Times are ISO 8601. */
export interface User {
  readonly id: string;
  readonly username: string;
  readonly fullname: string;
  /** In PHC string format. */
  readonly passwordHash: string;
  /** Rises whenever the user's tokens are to end; the user's actor carries the same number. */
  readonly tokenEpoch: number;
  readonly createdAt: string;
  readonly disabledAt?: string;
}

/** Anyone who may call: one subject of one issuer, both compared exactly. Times are ISO 8601. */
export interface Actor {
  readonly id: string;
  /** `BUILT_IN` for the service's own users, else the `iss` of the tokens. */
  readonly issuer: string;
  readonly subject: string;
  readonly fullname: string;
  /** Ids of the roles assigned; one that names no role any more gives nothing. */
  readonly roles: readonly string[];
  /** Of built-in users: tokens of another epoch are not valid. */
  readonly tokenEpoch?: number;
  /** Tokens issued before this moment, in seconds since the epoch, are not valid. */
  readonly validAfter?: number;
  readonly createdAt: string;
  readonly disabledAt?: string;
}

/** A named set of permissions, without those they imply. `managed`: the service keeps it, nobody else can change it. */
export interface Role {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly description?: string;
  readonly permissions: readonly Permission[];
  readonly managed: boolean;
  /** New actors get the one role that has this. */
  readonly autoAssign: boolean;
  readonly createdAt: string;
}

/** The first administrator with what has to exist beside: written together or not at all. */
export interface FirstAdministrator {
  readonly user: User;
  readonly actor: Actor;
  readonly roles: readonly Role[];
}

/** Where accounts live; implemented by `shared/store`. Reads are strongly consistent; `unavailable` when it is away. */
export interface AccountStore {
  user(username: string): Promise<User | undefined>;
  /** The actor of that issuer and subject, and every role there is: one round trip. */
  caller(
    issuer: string,
    subject: string,
  ): Promise<{ readonly actor: Actor | undefined; readonly roles: readonly Role[] }>;
  /** True once a first administrator was made. */
  bootstrapUsed(): Promise<boolean>;
  /**
   * Writes user, actor, roles and the mark that the bootstrap is used, in one transaction. "used" when the mark was
   * there already; then nothing is written. A lost answer is settled by `call.operationId`, kept with the mark.
   */
  createFirstAdministrator(first: FirstAdministrator, call: Call): Promise<"done" | "used">;
}
