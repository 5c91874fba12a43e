import { ConditionFailed, OutcomeUnknown } from "../table/table.ts";

/**
 * A staged blob or generation cannot be published: a write had no definite answer, or another writer has its record.
 * The next attempt stages anew.
 */
export class StagingAbandoned extends Error {}

/**
 * Runs a write to a staged blob or generation. `StagingAbandoned` where it had no definite answer, since a write sent
 * twice could overwrite a newer one later, and where another writer has changed the record.
 */
export async function orAbandon<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof OutcomeUnknown || error instanceof ConditionFailed) throw new StagingAbandoned();
    throw error;
  }
}
