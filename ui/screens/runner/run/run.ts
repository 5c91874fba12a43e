import { type Answer, ApiProblem } from "../../../../client/create-client.ts";
import { useCaller } from "../../../api/rights.ts";
import { callByName } from "../../../api/service.ts";
import { createWatchedValue } from "../../../api/watched-value.ts";
import type { JsonObject } from "../form/form-state.ts";

/** Headers of a run; an empty text omits the header. */
export interface RunControls {
  readonly ifMatch?: string;
  /** Not sent with a dry run. */
  readonly idempotencyKey?: string;
  readonly dryRun: boolean;
}

/** Outcome of a run. */
export type Outcome =
  | { readonly answer: Answer<unknown>; readonly problem?: undefined }
  | { readonly problem: ApiProblem; readonly answer?: undefined };

/** State of a running job. */
export interface JobState {
  readonly jobRef: string;
  readonly done: number;
  readonly total: number;
}

/** Runs an action, and waits for its job if it becomes one. Throws only if aborted. */
export async function runAction(
  action: string,
  payload: object,
  { ifMatch, idempotencyKey, dryRun }: RunControls,
  onJob: (job: JobState) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const answer = await callByName(action, payload, {
      ifMatch: ifMatch || undefined,
      idempotencyKey: (!dryRun && idempotencyKey) || false,
      dryRun,
      signal,
      onProgress: (progress, jobRef) => onJob({ jobRef, ...progress }),
    });
    return { answer };
  } catch (error) {
    if (error instanceof ApiProblem) return { problem: error };
    throw error;
  }
}

/** Creates an idempotency key. Browsers provide `randomUUID` on secure pages only. */
export function createKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Creates a hook for a state that lives while the page is open; another person starts with `first`. */
export function createMemory<T>(first: T) {
  const memory = createWatchedValue<{ readonly owner?: string | undefined; readonly value: T }>({ value: first });
  return function useMemory(): readonly [T, (change: (before: T) => T) => void] {
    const caller = useCaller();
    const owner = caller && `${caller.issuer} ${caller.sub}`;
    const getOwn = (entry: ReturnType<typeof memory.get>): T => (entry.owner === owner ? entry.value : first);
    const change = (change: (before: T) => T) => memory.set({ owner, value: change(getOwn(memory.get())) });
    return [memory.useSelected(getOwn), change];
  };
}

/** A run of this session, without its secrets and its answer. */
export interface PastRun {
  readonly number: number;
  readonly action: string;
  readonly title: string;
  readonly payload: JsonObject;
  readonly hadSecrets: boolean;
  readonly at: number;
  readonly dryRun: boolean;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  readonly ok: boolean;
  readonly etag?: string | undefined;
}

const MAX_RUNS = 50;

const useMemory = createMemory<readonly PastRun[]>([]);

/** Returns the runs since page load, and functions to add one or remove all. */
export function useRuns() {
  const [runs, change] = useMemory();
  return {
    runs,
    note: (run: Omit<PastRun, "number">) =>
      change((before) => [{ ...run, number: (before[0]?.number ?? 0) + 1 }, ...before].slice(0, MAX_RUNS)),
    forget: () => change(() => []),
  };
}
