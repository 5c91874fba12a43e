/** The actor that an act is put down to. */
export interface AuditActor {
  /** Id of the actor; absent where another issuer signs somebody in whom it may not know yet. */
  readonly id?: string;
  /** Its name at its issuer; of a built-in user the username. */
  readonly subject: string;
}

/** The change an act made to one user, actor, role or API token: the members that changed, never anything secret. */
export interface AuditChange {
  readonly change: "create" | "update" | "delete";
  readonly kind: string;
  readonly id: string;
  /** Key of a role or user; the subject of an actor, the name of an API token. */
  readonly name: string;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

export type AuditOutcome = "ok" | "refused";

/** One security-relevant act, or the refused ones of one name in one hour. Times are ISO 8601. */
export interface AuditEntry {
  readonly id: string;
  /** When the act was called; of a count, the hour it began. */
  readonly time: string;
  /** `<group>/<action>`, or `REOPENING`. */
  readonly act: string;
  readonly outcome: AuditOutcome;
  /** Absent where nobody is known: an operator, or a name that no user has. */
  readonly actor?: AuditActor;
  readonly requestId?: string;
  /** `http`, `cli`, `mcp`, `batch`, or `operator`; absent where it stands for several acts. */
  readonly channel?: string;
  /** Id of the API token the call came with. */
  readonly apiToken?: string;
  /** How many refused acts it stands for, and when the last one was. */
  readonly count?: number;
  readonly until?: string;
  readonly changes?: readonly AuditChange[];
}

/** The act of an operator who reopens the bootstrap in the table itself when no administrator is left. */
export const REOPEN_ACT = "admin:reopen";
