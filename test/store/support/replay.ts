import { isDeepStrictEqual } from "node:util";
import type { LogChange, WholeEntry } from "../../../shared/store/log/log.ts";

/** An object as the log tells it; written apart from `shared/store`, to be held against it. */
export interface Replayed {
  readonly kind: string;
  readonly revision: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Objects of one model by sort key. */
export type State = Map<string, Replayed>;

/** Applies one log entry to the state before it; answers what does not fit. */
export function replayEntry(state: State, entry: WholeEntry): string[] {
  const faults: string[] = [];
  const arrivals: (() => void)[] = [];
  for (const change of entry.changes ?? []) {
    const told = (fault: string | undefined): void => {
      if (fault) faults.push(`revision ${entry.revision}: ${change.does} of ${change.from ?? change.at}: ${fault}`);
    };
    // All objects leave their places before any comes to one: a key may be taken that the same commit frees.
    told(replayChange(state, change, entry.revision, (arrive) => arrivals.push(() => told(arrive()))));
  }
  for (const arrive of arrivals) arrive();
  return faults;
}

function replayChange(
  state: State,
  change: LogChange,
  revision: number,
  later: (arrive: () => string | undefined) => void,
): string | undefined {
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
    for (const [sk, { fields }] of state) {
      if (change.kind === "model" || ownerAt(sk, fields) === change.id) state.delete(sk);
    }
    return undefined;
  }
  const fields: Record<string, unknown> = { ...before?.fields, ...change.after };
  for (const [name, value] of Object.entries(fields)) if (value === null) delete fields[name];
  later(() => {
    const taken = state.get(change.at);
    state.set(change.at, { kind: change.kind, revision, fields });
    return taken ? `the place ${change.at} was taken` : undefined;
  });
  return undefined;
}

/** Id of what an object goes with: it stands in the sort key of all but business keys. */
export function ownerAt(sk: string, fields: Readonly<Record<string, unknown>>): string {
  const [kind = "", owner = ""] = sk.split("#");
  return kind === "business_key" ? String(fields.entity) : owner;
}

/** Equality of stored values, where null is the absent one. */
export function same(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a ?? null, b ?? null);
}
