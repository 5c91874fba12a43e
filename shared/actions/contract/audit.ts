import type { AuditEntry, AuditOutcome } from "../../domain/audit.ts";
import type { Page, Rows } from "./view.ts";

/** The filter of the audit log: entries fit every member that is there. */
export interface AuditFilter {
  readonly actorId?: string;
  readonly act?: string;
  readonly outcome?: AuditOutcome;
  /** ISO 8601 in UTC with milliseconds: from this moment on, and before that one. */
  readonly from?: string;
  readonly until?: string;
}

/** Reads the audit log. Implemented by `shared/store`; owned by its user. */
export interface Audit {
  /**
   * Entries newest first. One call looks at `LIMITS.auditScanned` entries at most, so that a page may hold fewer rows
   * than asked for, even none, and go on all the same.
   */
  list(filter: AuditFilter, page: Page): Promise<Rows<AuditEntry>>;
}
