/** One broken rule, found where a ledger was held against the replay of its log. */
export interface CheckedFinding {
  /** As `docs/fsck.md` lists them. */
  readonly code: string;
  /** Partition and sort key of the item it is about. */
  readonly place: string;
  readonly sentence: string;
  readonly mended: boolean;
}

/** One model, checked; `isThere` is false where there is no log of that id. */
export interface ModelCheck {
  readonly id: string;
  readonly isThere: boolean;
  readonly findings: readonly CheckedFinding[];
}

/** How models are checked. */
export interface CheckOptions {
  /** Mends what the log decides, and what nothing but the log is needed for. */
  readonly mend: boolean;
  /** Milliseconds since the epoch after which no further model is begun. */
  readonly until: number;
}

/** Holds what is stored against the logs. Implemented by `shared/store`. */
export interface LedgerChecks {
  /** Models one after the other, at least the first of them; fewer than asked for where the time was up. */
  models(ids: readonly string[], options: CheckOptions): Promise<readonly ModelCheck[]>;
  /** The ledger of tag groups and global tags. */
  tags(mend: boolean): Promise<readonly CheckedFinding[]>;
}
