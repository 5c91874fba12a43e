import type { Page, Rows } from "./view.ts";

/** Task of a person, script or agent, whose commits belong together. */
export interface Run {
  readonly id: string;
  readonly title: string;
  readonly purpose?: string;
  /** URL of a reason, such as a ticket. */
  readonly evidence?: string;
  /** Id of the actor that began it, and of the API token. */
  readonly actor: string;
  readonly apiToken?: string;
  /** ISO 8601 */
  readonly time: string;
}

/** Position of a commit of a run: its ledger and revision. */
export interface RunCommit {
  readonly ledgerId: string;
  readonly revision: number;
}

/** Store of runs. Implemented by `shared/store`; owned by its user. */
export interface Runs {
  begin(run: Run): Promise<void>;
  get(id: string): Promise<Run | undefined>;
  /** Lists runs, newest first; `after` is the id of a run. */
  list(page: Page): Promise<Rows<Run>>;
  /** Lists the commits of a run by ledger and revision; `after` is the `next` of the page before. */
  listCommits(id: string, page: Page): Promise<Rows<RunCommit>>;
}
