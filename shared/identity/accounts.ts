import type { Call, Origin } from "../actions/contract/call.ts";
import type { ExternalProfile } from "../domain/accounts/actors.ts";
import type { ApiTokenParts } from "../domain/accounts/api-token.ts";
import type { AuditActor, SignIn } from "../domain/accounts/audit.ts";
import type { Actor, ApiToken, AuthRole, User } from "../domain/model/objects.ts";

/** Name and network whose sign-in attempts are counted together. Without a network: from anywhere. */
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

/** Recorded sign-in attempts for a name and a network. */
export interface SeenAttempts {
  readonly here: Attempts | undefined;
  readonly anywhere: Attempts | undefined;
  /** Those from the network, for all names. */
  readonly ofNetwork: Attempts | undefined;
  /** Time until which the network is known for the name, in seconds since the epoch. */
  readonly knownUntil: number | undefined;
}

/** User with the data that signing in needs. */
export interface Account {
  readonly id: string;
  readonly actorId: string;
  readonly username: string;
  readonly fullname: string;
  readonly passwordHash: string;
  /** Epoch of its tokens. Those of another epoch than that of the actor are not valid. */
  readonly tokenEpoch: number;
  readonly disabledAt?: string;
}

/** Role as needed for the rights of callers. */
export interface RoleRights {
  readonly id: string;
  readonly keyDigest: string;
  /** Without those they imply, sorted; one may be of a later version. */
  readonly permissions: readonly string[];
}

/** Position of an API token and its actor. */
export type TokenAddress = Omit<ApiTokenParts, "secret">;

export interface TokenBearer {
  readonly token: ApiToken | undefined;
  readonly actor: Actor | undefined;
  readonly roles: readonly RoleRights[];
}

/** Administrator without roles yet. The managed roles are written too if the instance has none. */
export interface NewAdministrator {
  readonly user: User;
  readonly passwordHash: string;
  readonly actor: Actor;
  readonly signIn: SignIn;
  readonly managedRoles: readonly AuthRole[];
}

/** Accounts for looking up the caller of a call. */
export type CallerStore = Pick<AccountStore, "findCaller" | "findTokenBearer" | "provisionActor">;

/** Accounts for signing in and for rights. Reads are strongly consistent. */
export interface AccountStore {
  findAccount(username: string): Promise<Account | undefined>;
  /** Returns an actor and all roles, in one round trip. */
  findCaller(
    issuer: string,
    subject: string,
  ): Promise<{ readonly actor: Actor | undefined; readonly roles: readonly RoleRights[] }>;
  /** Returns an API token with its actor and all roles, in one round trip. */
  findTokenBearer(address: TokenAddress): Promise<TokenBearer>;
  /** Creates or updates an actor from claims; the first actor of an instance together with the managed roles. */
  provisionActor(profile: ExternalProfile, origin: Origin): Promise<Actor>;
  /** Records a call of an actor, in milliseconds since the epoch, unless it called shortly before. */
  noteSeen(actorId: string, now: number): Promise<void>;
  /** Returns the last calls of actors by id, in ISO 8601. */
  getLastSeen(actorIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Replaces the hash of a password, unless the password was changed meanwhile. */
  replaceHash(account: Account, hash: string): Promise<void>;
  /** Returns the recent wrong passwords for a name in one round trip. */
  getAttempts(source: Required<AttemptsOf>): Promise<SeenAttempts>;
  /** Replaces attempts that were read; false if another call was faster. */
  noteAttempt(source: AttemptsOf, before: Attempts | undefined, after: Attempts | undefined): Promise<boolean>;
  forgetAttempts(source: Required<AttemptsOf>): Promise<void>;
  /** Remembers a network from which a user signed in, for `LIMITS.knownNetworkDays`. */
  noteNetwork(source: Required<AttemptsOf>): Promise<void>;
  /** Records a sign-in; `signIn` unless another issuer has the session. */
  noteLogin(actor: AuditActor, call: Call, signIn?: SignIn): Promise<void>;
  /** Counts a wrong password in the audit log, for each hour. An unknown user has no name there. */
  noteRefusal(actor: AuditActor | undefined, call: Call): Promise<void>;
  isBootstrapUsed(): Promise<boolean>;
  /** Writes everything in one transaction. "used" if the record exists; `operationId` resolves a lost answer. */
  createFirstAdministrator(first: NewAdministrator, call: Call): Promise<"done" | "used">;
  /** Digest of the secret of a reopened bootstrap; undefined while it is closed. */
  getOpenDigest(): Promise<string | undefined>;
  /** Creates one more administrator while the bootstrap is open. Throws `key_taken`. */
  createFurtherAdministrator(further: NewAdministrator, digest: string, call: Call): Promise<"done" | "used">;
}
