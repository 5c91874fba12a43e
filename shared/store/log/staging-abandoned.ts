import { ConditionFailed, OutcomeUnknown } from "../table/table.ts";

/**
 * Something that is written before a commit names it had no definite answer, or somebody else has its record: it may never
 * be named, and the next attempt writes it anew.
 */
export class StagingAbandoned extends Error {}

/**
 * Such things are written once: a write that was sent twice could later overwrite a newer one. So a write without a definite
 * answer spoils them, and so does a record that somebody else has changed.
 */
export async function orAbandon<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof OutcomeUnknown || error instanceof ConditionFailed) throw new StagingAbandoned();
    throw error;
  }
}
