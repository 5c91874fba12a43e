import { ApiProblem } from "../../client/create-client.ts";
import { type OwnCalls, withAdvice } from "../calls/own-calls.ts";
import { toRef } from "../input/bare-ref.ts";
import { formatErrorLines, usage } from "../terminal/failure.ts";
import type { Source } from "./model-folder.ts";
import { findGravestImpact, isNew, type Plan } from "./plan-steps.ts";

/** The payload of `model_apply`, but for the name of the plan. */
export type Applying = Readonly<Record<string, unknown>>;

/** A source with the plan that it makes for its model. */
export interface Planned {
  readonly source: Source;
  readonly payload: Applying;
  readonly plan: Plan;
}

/** The payload that applies a source under the flags of the command. */
export function payloadFor(calls: OwnCalls, { file, key, parameters }: Source): Applying {
  const given = calls.text("model");
  const ref = given === undefined ? key && `key:${key}` : toRef(given);
  if (ref === undefined) {
    throw usage(`${file} does not say by a key which model it is of; name that with --model=<key>`);
  }
  const format = calls.text("format");
  return { ...modelIn(ref, calls.on("create")), ...parameters, prune: calls.on("prune"), ...(format && { format }) };
}

function modelIn(ref: string, create: boolean): object {
  if (!create) return { modelRef: ref };
  if (!ref.startsWith("key:"))
    throw usage(`--create makes a model under its key; write --model=<key> instead of ${ref}`);
  return { modelKey: ref.slice("key:".length), create };
}

/** Makes the dry run of a source; undefined where `--curl` showed the call. */
export async function planned(calls: OwnCalls, source: Source): Promise<Planned | undefined> {
  const payload = payloadFor(calls, source);
  const { "idempotency-key": _, ...common } = calls.common;
  const answer = await calls
    .call("model_apply", payload, { ...common, "dry-run": true, wait: true })
    .catch((error: unknown) => {
      const isMissing = error instanceof ApiProblem && error.code === "not_found" && "modelRef" in payload;
      throw isMissing ? withAdvice(error, "with --create it is made") : error;
    });
  // The action's declared answer, whose job is waited for.
  return answer && { source, payload, plan: answer.body as Plan };
}

/** One source of the command, and how it went. */
export interface Run {
  readonly file: string;
  readonly planned?: Planned;
  /** The answer of the apply itself. */
  readonly answer?: Plan;
  /** Why the file is no model. */
  readonly noModel?: string;
  /** Why it was refused. */
  readonly error?: unknown;
}

/** How a source of a command ended, in a word. */
export function findOutcome({ noModel, error, planned, answer }: Run, command: "plan" | "apply"): string {
  if (noModel !== undefined) return "left alone";
  if (error !== undefined) return "refused";
  if (!planned) return "";
  const { plan } = planned;
  const isDone = command === "apply";
  if (isDone && answer === undefined) return "not applied";
  // A job that is not waited for answers its ref alone.
  if (isDone && answer !== undefined && !("changed" in answer)) return "accepted";
  if (!plan.changed) return "unchanged";
  if (isNew(plan)) return isDone ? "created" : "create";
  return isDone ? "updated" : "update";
}

/** The lines that say why a source was refused, without the name of its file; undefined of one that was not. */
export function findRefusal({ error, file }: Run): readonly [string, ...string[]] | undefined {
  if (error === undefined) return undefined;
  const [first = "", ...more] = formatErrorLines(error);
  return [first.startsWith(`${file} `) ? first.slice(file.length + 1) : first, ...more];
}

/** A row of the summary of a folder. */
export function summarizeRuns(run: Run, command: "plan" | "apply") {
  const { file, planned, noModel } = run;
  const { plan } = planned ?? {};
  return {
    file,
    model: plan?.key ?? "",
    outcome: findOutcome(run, command),
    class: plan ? (findGravestImpact(plan) ?? "") : "",
    steps: plan ? String(plan.stepCount) : "",
    why: noModel ?? findRefusal(run)?.[0] ?? "",
  };
}
