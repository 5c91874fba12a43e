/** An entry of the audit log in the form it is compared in; `changes` as `changesBetween` tells them. */
export interface AuditRow {
  readonly time: string;
  readonly act: string;
  readonly outcome: string;
  readonly actor?: { readonly id: string; readonly subject: string };
  readonly channel?: string;
  readonly apiToken?: string;
  readonly changes?: readonly string[];
  readonly count?: number;
  readonly until?: string;
}

/** The entries that the audit log has to have. */
export interface ExpectedAudit {
  /** Acts that were done, oldest first. */
  readonly done: AuditRow[];
  /** Wrong passwords, by act, hour and name. */
  readonly refused: Map<string, AuditRow & { readonly count: number }>;
}
