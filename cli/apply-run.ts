import { sentencesOf } from "./failure.ts";
import type { Planned } from "./plan-model.ts";
import { gravestOf, isNew, type Plan } from "./plan-steps.ts";

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
export function outcomeOf({ noModel, error, planned, answer }: Run, command: "plan" | "apply"): string {
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
export function refusalOf({ error, file }: Run): readonly [string, ...string[]] | undefined {
  if (error === undefined) return undefined;
  const [first = "", ...more] = sentencesOf(error);
  return [first.startsWith(`${file} `) ? first.slice(file.length + 1) : first, ...more];
}

/** A row of the summary of a folder. */
export function summaryOf(run: Run, command: "plan" | "apply") {
  const { file, planned, noModel } = run;
  const { plan } = planned ?? {};
  return {
    file,
    model: plan?.key ?? "",
    outcome: outcomeOf(run, command),
    class: plan ? (gravestOf(plan) ?? "") : "",
    steps: plan ? String(plan.stepCount) : "",
    why: noModel ?? refusalOf(run)?.[0] ?? "",
  };
}
