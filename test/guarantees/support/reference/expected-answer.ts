import type { Refusal } from "./problem.ts";

/** The answer a call has to get. Ids in it are the reference's own. */
export interface ExpectedAnswer {
  readonly body: unknown;
  readonly etag: unknown;
  readonly next?: string;
  readonly replayed?: true;
  readonly notModified?: true;
}

export type Expected = { readonly answer: ExpectedAnswer } | { readonly refusal: Refusal };

/** Something of which only a property is known; `check` says what is wrong with the actual value. */
export class Like {
  readonly what: string;
  readonly check: (
    actual: unknown,
    differs: (expected: unknown, actual: unknown) => string | undefined,
  ) => string | undefined;

  constructor(what: string, check: Like["check"]) {
    this.what = what;
    this.check = check;
  }
}
