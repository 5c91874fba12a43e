/** Actor that performed an act. */
export interface AuditActor {
  /** Id of the actor; absent if another issuer authenticates a person who may not be known yet. */
  readonly id?: string;
  /** Name of the actor at its issuer; for a built-in user, the username. */
  readonly subject: string;
}

/** Change of one user, actor, role or API token: the changed members, without secrets. */
export interface AuditChange {
  readonly change: "create" | "update" | "delete";
  readonly kind: string;
  readonly id: string;
  /** Key of a role or user, subject of an actor, or name of an API token. */
  readonly name: string;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

/** Session that a sign-in with a password begins. */
export type SignIn = Required<Pick<AuditEntry, "session" | "tokenEpoch">>;

export type AuditOutcome = "ok" | "refused";

/** One security-relevant act, or the refused acts for one name within one hour. Times are ISO 8601. */
export interface AuditEntry {
  readonly id: string;
  /** Time of the call; for a count, the start of the hour. */
  readonly time: string;
  /** `<group>/<action>`, or `REOPEN_ACT`. */
  readonly act: string;
  readonly outcome: AuditOutcome;
  /** Absent if the caller is unknown: an operator, or a name without a user. */
  readonly actor?: AuditActor;
  readonly requestId?: string;
  readonly clientRequestId?: string;
  readonly gatewayRequestId?: string;
  /** Network address of the caller, as far as it is recorded; in a count, that of the last act. */
  readonly address?: string;
  /** `http`, `cli`, `mcp`, `batch` or `operator`; absent for a count of several acts. */
  readonly channel?: string;
  /** Id of the run that the call belongs to. */
  readonly run?: string;
  readonly apiToken?: string;
  /** Id of the session of the call; for a sign-in, of the one that it begins. */
  readonly session?: string;
  /** Token epoch of a sign-in with a password here. */
  readonly tokenEpoch?: number;
  /** Number of refused acts that the entry counts, and the time of the last one. */
  readonly count?: number;
  readonly until?: string;
  readonly changes?: readonly AuditChange[];
}

/** Act of an operator who reopens the bootstrap directly in the table, when no administrator is left. */
export const REOPEN_ACT = "admin:reopen";
