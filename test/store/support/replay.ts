import type { LogChange, LogEntry } from "../../../shared/store/log.ts";

/** An object as the log tells it; written apart from `shared/store`, to be held against it. */
export interface Replayed {
  readonly kind: string;
  readonly revision: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Objects of one model by sort key. */
export type State = Map<string, Replayed>;

/** Applies one log entry to the state before it; answers what does not fit. */
export function replayEntry(state: State, entry: LogEntry): string[] {
  const faults: string[] = [];
  for (const change of entry.changes ?? []) {
    const fault = replayChange(state, change, entry.revision);
    if (fault) faults.push(`revision ${entry.revision}: ${change.does} of ${change.from ?? change.at}: ${fault}`);
  }
  return faults;
}

function replayChange(state: State, change: LogChange, revision: number): string | undefined {
  const from = change.from ?? change.at;
  const before = state.get(from);
  if (change.does !== "create") {
    if (!before) return "there is nothing";
    if (before.fields.id !== change.id) return `it has another id, ${before.fields.id}`;
    if (before.revision !== change.base) return `it is at revision ${before.revision}, not ${change.base}`;
    const wrong = Object.entries(change.before ?? {}).filter(([name, value]) => !same(before.fields[name], value));
    if (wrong.length > 0) return `before-images differ: ${wrong.map(([name]) => name).join(", ")}`;
    state.delete(from);
  }
  if (change.does === "delete") {
    for (const sk of state.keys()) if (change.kind === "model" || sk.split("#")[1] === change.id) state.delete(sk);
    return undefined;
  }
  const taken = state.get(change.at);
  const fields: Record<string, unknown> = { ...before?.fields, ...change.after };
  for (const [name, value] of Object.entries(fields)) if (value === null) delete fields[name];
  state.set(change.at, { kind: change.kind, revision, fields });
  return taken ? `the place ${change.at} was taken` : undefined;
}

/** Equality of stored values, where null is the absent one. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
