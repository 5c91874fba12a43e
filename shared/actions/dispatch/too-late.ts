import { Problem } from "../../domain/problems.ts";
import type { Attempts } from "./running.ts";

/** The problem of a call whose time was up before any attempt succeeded. */
export function tooLate({ unsettled, last }: Pick<Attempts, "unsettled" | "last">): Problem {
  const retryAfter = 1;
  if (unsettled.length > 0) {
    const detail = "the store did not say whether the change was made; read again before repeating it";
    return new Problem("out_of_time", detail, { retryAfter });
  }
  if (last === "staging_abandoned") {
    const detail = "the store gave no clear answer to what it was to write; nothing was changed, so try again";
    return new Problem("unavailable", detail, { retryAfter });
  }
  return new Problem("contention", "too many writers work on this model; try again", { retryAfter });
}
