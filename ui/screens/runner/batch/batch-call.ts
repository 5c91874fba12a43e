import type { ServiceDescription } from "../../../api/description.ts";
import { withVariables } from "../calls/call.ts";
import { formOf } from "../form/field.ts";
import type { JsonObject } from "../form/pointer.ts";
import { takeSecrets } from "../form/secrets.ts";

/** One call that waits in the batch; its payload is whole, with secrets, and leaves the page only when it is sent. */
export interface BatchEntry {
  /** Names the entry while it is moved about. */
  readonly id: number;
  readonly group: string;
  readonly action: string;
  readonly payload: JsonObject;
}

/** The entries with one of them at another place. */
export function movedEntry(all: readonly BatchEntry[], from: number, to: number): readonly BatchEntry[] {
  const next = [...all];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

/** The payload of the batch, as it is sent. */
export function batchPayload(entries: readonly BatchEntry[]): JsonObject {
  return { actions: entries.map(({ group, action, payload }) => ({ group, action, payload })) };
}

/** The payload of the batch as it may be shown: with variables in the place of secrets. */
export function batchCall(
  entries: readonly BatchEntry[],
  { actions, schemas }: Pick<ServiceDescription, "actions" | "schemas">,
): JsonObject {
  return batchPayload(
    entries.map((entry) => {
      const input = actions.get(`${entry.group}/${entry.action}`)?.input;
      const form = formOf(input, schemas);
      const { open, secrets } = takeSecrets(form, entry.payload);
      return { ...entry, payload: withVariables(form, open, Object.keys(secrets)) };
    }),
  );
}
