import type { Page } from "playwright-core";

/** Runs an action as the administrator, and fails where it is refused. */
export type Run = (action: string, payload: object) => Promise<unknown>;

/** What a picture is taken of. */
export interface Picture {
  readonly path: string;
  /** Who looks: the administrator unless told otherwise, a person without any right, one whose session ended, or nobody. */
  readonly as?: "stranger" | "expired" | "nobody";
  /** True for what stands there while the service has not answered about any model yet. */
  readonly isWaiting?: boolean;
  /** Does what a person does before there is something to see. */
  readonly before?: (page: Page, run: Run) => Promise<void>;
}

export type Pictures = Readonly<Record<string, Picture>>;

/** Pictures of addresses alone. */
export const picturesOf = (paths: Readonly<Record<string, string>>): Pictures =>
  Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, { path }]));
