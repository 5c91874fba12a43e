import { useEffect, useMemo, useRef, useState } from "react";
import type { ActionDescription } from "../../../api/description.ts";
import { type Fault, type PlacedFaults, placeFaults } from "../form/faults.ts";
import type { Field } from "../form/field.ts";
import { listPointers } from "../form/fit.ts";
import { getValueAt, type JsonObject, splitPointer } from "../form/form-state.ts";
import { createKey, type JobState, type Outcome, type PastRun, runAction } from "./run.ts";
import type { EndedRun } from "./run-result.tsx";

/** Source of runs: an action and its payload. */
interface RunSource {
  readonly action: Pick<ActionDescription, "group" | "name" | "title" | "controls">;
  readonly state: {
    readonly payload: JsonObject;
    readonly secrets: object;
    readonly given: readonly string[];
    readonly getWhole: () => JsonObject;
  };
  readonly takesKey: boolean;
  readonly ifMatch: string;
  readonly note: (run: Omit<PastRun, "number">) => void;
  /** Called after each run that may have changed data. */
  readonly onSettled: () => void;
}

/** A finished run with its input. */
export interface EndedWith extends EndedRun {
  /** Payload without secrets. */
  readonly payload: JsonObject;
}

/** Runs an action, one run at a time. Each run gets a new idempotency key, except dry runs and manual repetitions. */
export function useRun({ action, state, takesKey, ifMatch, note, onSettled }: RunSource) {
  const [ended, setEnded] = useState<EndedWith>();
  const [isRunning, setRunning] = useState(false);
  const [job, setJob] = useState<JobState>();
  const [key, setKeyText] = useState(createKey);
  const [isOwnKey, setOwnKey] = useState(false);
  const [rehearsed, setRehearsed] = useState<string>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  // Identifies an identical call.
  const signature = JSON.stringify([state.payload, state.secrets, ifMatch]);

  const run = async (dryRun: boolean, payload: JsonObject = state.getWhole()): Promise<Outcome | undefined> => {
    const control = new AbortController();
    abort.current = control;
    setRunning(true);
    setJob(undefined);
    const began = performance.now();
    const controls = { ifMatch, idempotencyKey: takesKey && key !== "" ? key : (false as const), dryRun };
    try {
      const ref = `${action.group}/${action.name}`;
      const outcome = await runAction(ref, payload, controls, setJob, control.signal);
      const { answer, problem } = outcome;
      const open = Object.fromEntries(Object.entries(payload).filter(([name]) => !state.given.includes(name)));
      setEnded({ outcome, dryRun, took: performance.now() - began, ifMatch, payload: open });
      setRehearsed(dryRun && answer ? signature : undefined);
      if (!dryRun && answer && !isOwnKey) setKeyText(createKey());
      note({
        action: ref,
        title: action.title,
        payload: open,
        hadSecrets: state.given.length > 0,
        at: Date.now(),
        dryRun,
        status: answer?.status ?? problem?.status ?? 0,
        ok: answer !== undefined,
        etag: answer?.etag,
      });
      if (!dryRun && action.controls.has("Dry-Run")) onSettled();
      return outcome;
    } catch (error) {
      if (control.signal.aborted) return undefined;
      throw error;
    } finally {
      setRunning(false);
      setJob(undefined);
    }
  };
  return {
    ended,
    isRunning,
    job,
    key,
    /** The call of the last dry run. */
    rehearsed,
    signature,
    run,
    stop: () => abort.current?.abort(),
    setKey: (text: string) => {
      setKeyText(text);
      setOwnKey(text !== "");
    },
    renewKey: () => {
      setKeyText(createKey());
      setOwnKey(false);
    },
  };
}

const NONE: PlacedFaults = { byField: new Map(), others: [] };

/**
 * Returns the faults of the last run by field. A fault disappears when its field changes. `faults` default to those of
 * the problem.
 */
export function useFieldFaults(
  form: Field,
  payload: JsonObject,
  ended: EndedWith | undefined,
  faults: readonly Fault[] | undefined = ended?.outcome.problem?.errors,
): PlacedFaults {
  return useMemo(() => {
    if (!ended || !faults) return NONE;
    const shown = new Set(listPointers(form, payload));
    const placed = placeFaults(faults, shown);
    const formatSent = (pointer: string): string | undefined =>
      JSON.stringify(getValueAt(ended.payload, splitPointer(pointer)));
    const formatCurrent = (pointer: string): string | undefined =>
      JSON.stringify(getValueAt(payload, splitPointer(pointer)));
    const still = [...placed.byField].filter(([pointer]) => formatSent(pointer) === formatCurrent(pointer));
    return { byField: new Map(still), others: placed.others };
  }, [form, payload, ended, faults]);
}
