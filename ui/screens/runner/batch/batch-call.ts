import type { ServiceDescription } from "../../../api/description.ts";
import { withVariables } from "../calls/call.ts";
import { createForm } from "../form/field.ts";
import { type JsonObject, splitSecrets } from "../form/form-state.ts";
import { createMemory } from "../run/run.ts";

/** A call in the batch. Its payload contains secrets, which leave the page only with the batch. */
export interface BatchEntry {
  /** Stable identifier of the entry while entries are reordered. */
  readonly id: number;
  readonly group: string;
  readonly action: string;
  readonly payload: JsonObject;
}

/** Returns the entries with one of them at another position. */
export function moveEntry(all: readonly BatchEntry[], from: number, to: number): readonly BatchEntry[] {
  const next = [...all];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

/** Builds the payload of the batch to send. */
export function buildBatchPayload(entries: readonly BatchEntry[]): JsonObject {
  return { actions: entries.map(({ group, action, payload }) => ({ group, action, payload })) };
}

/** Builds the payload of the batch to show, with variables instead of secrets. */
export function buildBatchCall(
  entries: readonly BatchEntry[],
  { actions, schemas }: Pick<ServiceDescription, "actions" | "schemas">,
): JsonObject {
  return buildBatchPayload(
    entries.map((entry) => {
      const input = actions.get(`${entry.group}/${entry.action}`)?.input;
      const form = createForm(input, schemas);
      const { open, secrets } = splitSecrets(form, entry.payload);
      return { ...entry, payload: withVariables(form, open, Object.keys(secrets)) };
    }),
  );
}

const useMemory = createMemory<readonly BatchEntry[]>([]);

/** Returns the entries of the batch, and functions to change them. */
export function useEntries() {
  const [entries, change] = useMemory();
  return {
    entries,
    add: (entry: Omit<BatchEntry, "id">) =>
      change((before) => [...before, { ...entry, id: Math.max(0, ...before.map(({ id }) => id)) + 1 }]),
    move: (from: number, to: number) => change((before) => moveEntry(before, from, to)),
    remove: (id: number) => change((before) => before.filter((one) => one.id !== id)),
    edit: (id: number, payload: JsonObject) =>
      change((before) => before.map((one) => (one.id === id ? { ...one, payload } : one))),
    clear: () => change(() => []),
  };
}
