import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import type { ActionDescription } from "../../../api/description.ts";
import { invalidateModel } from "../../../api/writes.ts";
import { type Fault, type PlacedFaults, placeFaults } from "../form/faults.ts";
import type { Field } from "../form/field.ts";
import { listPointers } from "../form/fit.ts";
import { getValueAt, type JsonObject, splitPointer } from "../form/form-state.ts";
import type { PayloadState } from "../form/use-payload.ts";
import { createKey, type JobState, type Outcome, runAction, useRuns } from "./run.ts";

/** A finished run with its input. */
export interface EndedRun {
  readonly outcome: Outcome;
  readonly dryRun: boolean;
  /** Milliseconds. */
  readonly took: number;
  readonly ifMatch: string;
  /** Payload without secrets. */
  readonly payload: JsonObject;
}

/** The state of the runs of an action, and of the headers for the next run. */
export type Running = ReturnType<typeof useRun>;

/** Runs an action, after a dry run unless that is turned off, with a new idempotency key unless one is typed. */
export function useRun(
  action: ActionDescription,
  state: Pick<PayloadState, "payload" | "names" | "getWhole"> & { readonly secrets: object },
) {
  const client = useQueryClient();
  const { runs, note } = useRuns();
  const canPreview = action.controls.has("Dry-Run");
  const takesKey = action.controls.has("Idempotency-Key");
  const [lastRun, setLastRun] = useState<EndedRun>();
  const [isRunning, setRunning] = useState(false);
  const [job, setJob] = useState<JobState>();
  const [key, setKey] = useState(() => ({ text: createKey(), isTyped: false }));
  const [ifMatch, setIfMatch] = useState("");
  const [dryFirst, setDryFirst] = useState(canPreview);
  /** The call of the last dry run. */
  const [preview, setPreview] = useState<string>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  // Identifies an identical call.
  const signature = JSON.stringify([state.payload, state.secrets, ifMatch]);
  const controls = {
    ifMatch,
    idempotencyKey: takesKey ? key.text : "",
    dryRun: dryFirst && preview !== signature,
  };

  /** Runs with the current headers; `changes` replaces members of the payload. */
  const run = async (dryRun = controls.dryRun, changes: JsonObject = {}) => {
    const control = new AbortController();
    abort.current = control;
    setRunning(true);
    setJob(undefined);
    const startTime = performance.now();
    const ref = `${action.group}/${action.name}`;
    const payload = { ...state.payload, ...changes };
    const fullPayload = { ...state.getWhole(), ...changes };
    try {
      const outcome = await runAction(ref, fullPayload, { ...controls, dryRun }, setJob, control.signal);
      const { answer, problem } = outcome;
      setLastRun({ outcome, dryRun, took: performance.now() - startTime, ifMatch, payload });
      setPreview(dryRun && answer ? signature : undefined);
      if (!dryRun && answer && !key.isTyped) setKey({ text: createKey(), isTyped: false });
      note({
        action: ref,
        title: action.title,
        payload,
        hadSecrets: state.names.length > 0,
        at: Date.now(),
        dryRun,
        status: answer?.status ?? problem?.status ?? 0,
        ok: answer !== undefined,
        etag: answer?.etag,
      });
      if (!dryRun && canPreview) void invalidateModel(client, undefined);
    } catch (error) {
      if (!control.signal.aborted) throw error;
    } finally {
      setRunning(false);
      setJob(undefined);
    }
  };
  return {
    runs,
    lastRun,
    isRunning,
    job,
    canPreview,
    dryFirst,
    setDryFirst,
    controls,
    setIfMatch,
    /** Sets the idempotency key for the next runs; without a text, a new one for each run. */
    setKey: (text?: string) => setKey({ text: text ?? createKey(), isTyped: Boolean(text) }),
    takesKey,
    takesMatch: action.controls.has("If-Match"),
    run,
    stop: () => abort.current?.abort(),
  };
}

const NONE: PlacedFaults = { byField: new Map(), others: [] };

/** Returns the last run's faults by field, until the field changes. */
export function useFieldFaults(
  form: Field,
  payload: JsonObject,
  lastRun: EndedRun | undefined,
  faults: readonly Fault[] | undefined = lastRun?.outcome.problem?.errors,
): PlacedFaults {
  return useMemo(() => {
    if (!lastRun || !faults) return NONE;
    const { byField, others } = placeFaults(faults, new Set(listPointers(form, payload)));
    const remainingFaults = [...byField].filter(([pointer]) => {
      const [sentValue, current] = [lastRun.payload, payload].map((one) => getValueAt(one, splitPointer(pointer)));
      return JSON.stringify(sentValue) === JSON.stringify(current);
    });
    return { byField: new Map(remainingFaults), others };
  }, [form, payload, lastRun, faults]);
}
