import type { Call, Origin } from "../actions/contract/call.ts";
import type { ExternalProfile } from "../domain/accounts/actors.ts";
import type { ApiTokenParts } from "../domain/accounts/api-token.ts";
import type { AuditActor } from "../domain/accounts/audit.ts";
import type { Actor, ApiToken, AuthRole, User } from "../domain/model/objects.ts";

/** The name and network whose attempts to sign in are counted together; without a network those from anywhere. */
export interface AttemptsOf {
  readonly name: string;
  readonly network?: string;
}

/** The count of wrong passwords for a name. */
export interface Attempts {
  readonly failures: number;
  /** No attempt before this moment, in milliseconds since the epoch. */
  readonly notBefore: number;
  /** Seconds since the epoch; after that they count as forgotten. */
  readonly expiresAt: number;
}

/** The sign-in attempts that are remembered of a name and a network. */
export interface SeenAttempts {
  readonly here: Attempts | undefined;
  readonly anywhere: Attempts | undefined;
  /** Until when it is remembered that somebody signed in with the name from there, in seconds since the epoch. */
  readonly knownUntil: number | undefined;
}

/** A user with all that signing in needs. */
export interface Account {
  readonly id: string;
  readonly actorId: string;
  readonly username: string;
  readonly fullname: string;
  readonly passwordHash: string;
  /** The epoch of the tokens that this password opens: those of another epoch than the actor's are not valid. */
  readonly tokenEpoch: number;
  /** ISO 8601 */
  readonly disabledAt?: string;
}

/** A role as callers are judged by it. */
export interface JudgedRole {
  readonly id: string;
  /** The digest of its key; see `roleKeyDigest`. */
  readonly keyDigest: string;
  /** Without those they imply, sorted; one may be of a later version. */
  readonly permissions: readonly string[];
}

/** The place of an API token and of its actor. */
export type TokenAddress = Omit<ApiTokenParts, "secret">;

export interface TokenBearer {
  readonly token: ApiToken | undefined;
  readonly actor: Actor | undefined;
  readonly roles: readonly JudgedRole[];
}

/** The first administrator with its actor and the managed roles: written together or not at all. */
export interface FirstAdministrator {
  readonly user: User;
  readonly passwordHash: string;
  readonly actor: Actor;
  readonly roles: readonly AuthRole[];
}

/** An administrator who is made because every other one is lost. */
export type FurtherAdministrator = Omit<FirstAdministrator, "roles">;

/** The part of the accounts by which the caller of a call is looked up. */
export type CallerStore = Pick<AccountStore, "caller" | "tokenBearer" | "provisionActor">;

/** Accounts for signing in and for rights; other accesses use their ledger. Reads are strongly consistent. */
export interface AccountStore {
  account(username: string): Promise<Account | undefined>;
  /** The actor of that issuer and subject, and every role there is: one round trip. */
  caller(
    issuer: string,
    subject: string,
  ): Promise<{ readonly actor: Actor | undefined; readonly roles: readonly JudgedRole[] }>;
  /** An API token by its id and that of its actor, with the actor of that key and every role there is: one round trip. */
  tokenBearer(place: TokenAddress): Promise<TokenBearer>;
  /** Makes the actor that a token of another issuer stands for, or brings it up to the token's claims; answers the actor. */
  provisionActor(profile: ExternalProfile, origin: Origin): Promise<Actor>;
  /** Notes that an actor called at that moment, in milliseconds since the epoch, unless it did shortly before. */
  noteSeen(actorId: string, now: number): Promise<void>;
  /** When actors called last, ISO 8601, by id; without those who did not for long. */
  lastSeen(actorIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Puts a hash in the place of one of the same password; does nothing when the password was changed meanwhile. */
  replaceHash(account: Account, hash: string): Promise<void>;
  /** Wrong passwords given for a name lately, whether or not there is such a user: one round trip. */
  attempts(of: Required<AttemptsOf>): Promise<SeenAttempts>;
  /** Puts attempts, or nothing, in the place of those read; false when someone else was faster. */
  noteAttempt(of: AttemptsOf, before: Attempts | undefined, after: Attempts | undefined): Promise<boolean>;
  /** Forgets the attempts for a name from a network, after a right password. */
  forgetAttempts(of: Required<AttemptsOf>): Promise<void>;
  /** Remembers for `LIMITS.knownNetworkDays` that somebody signed in with a name from a network. */
  noteNetwork(of: Required<AttemptsOf>): Promise<void>;
  noteLogin(who: AuditActor, call: Call): Promise<void>;
  /** Counts a wrong password in the audit log, in the hour of the call; under no name where nobody has the name. */
  noteRefusal(who: AuditActor | undefined, call: Call): Promise<void>;
  bootstrapUsed(): Promise<boolean>;
  /** Writes everything in one transaction. "used" if the record exists; `operationId` resolves a lost answer. */
  createFirstAdministrator(first: FirstAdministrator, call: Call): Promise<"done" | "used">;
  /** The digest of the secret that opens the bootstrap once more; undefined while it is closed. */
  reopenedBy(): Promise<string | undefined>;
  /** Writes one more administrator, while the bootstrap is open to the secret of that digest; `key_taken`. */
  createFurtherAdministrator(further: FurtherAdministrator, digest: string, call: Call): Promise<"done" | "used">;
}
