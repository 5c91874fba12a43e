import type { Call } from "../actions/call.ts";
import type { Actor, AuthRole, User } from "../domain/objects.ts";
import type { Permission } from "../domain/permissions.ts";
import type { Attempts } from "./login-attempts.ts";

/** A user with all that signing in needs. */
export interface Account {
  readonly id: string;
  readonly username: string;
  readonly fullname: string;
  /** In PHC string format. */
  readonly passwordHash: string;
  /** That of the user's actor: tokens of another epoch are not valid. */
  readonly tokenEpoch: number;
  /** ISO 8601 */
  readonly disabledAt?: string;
}

/** A role as callers are judged by it. */
export interface JudgedRole {
  readonly id: string;
  readonly key: string;
  readonly permissions: readonly Permission[];
  readonly autoAssign: boolean;
}

/** The first administrator with what has to exist beside: written together or not at all. */
export interface FirstAdministrator {
  readonly user: User;
  readonly passwordHash: string;
  readonly actor: Actor;
  readonly roles: readonly AuthRole[];
}

/**
 * What signing in and judging callers need of accounts; everything else about them goes through their ledger. Implemented
 * by `shared/store`. Reads are strongly consistent; `unavailable` when it is away.
 */
export interface AccountStore {
  account(username: string): Promise<Account | undefined>;
  /** The actor of that issuer and subject, and every role there is: one round trip. */
  caller(
    issuer: string,
    subject: string,
  ): Promise<{ readonly actor: Actor | undefined; readonly roles: readonly JudgedRole[] }>;
  /** Puts a hash in the place of one of the same password; does nothing when the password was changed meanwhile. */
  replaceHash(username: string, before: string, after: string): Promise<void>;
  /** Wrong passwords given for a name lately, whether or not there is such a user. */
  attempts(name: string): Promise<Attempts | undefined>;
  /** Puts attempts in the place of those read; false when someone else was faster. */
  noteAttempt(name: string, before: Attempts | undefined, after: Attempts): Promise<boolean>;
  /** After a right password. */
  forgetAttempts(name: string): Promise<void>;
  /** True once a first administrator was made. */
  bootstrapUsed(): Promise<boolean>;
  /**
   * Writes user, actor, roles and the mark that the bootstrap is used, in one transaction. "used" when the mark was
   * there already; then nothing is written. A lost answer is settled by `call.operationId`, kept with the mark.
   */
  createFirstAdministrator(first: FirstAdministrator, call: Call): Promise<"done" | "used">;
}
