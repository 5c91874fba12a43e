import { relative, resolve } from "node:path";
import { ApiProblem } from "../../client/create-client.ts";
import { PROBLEMS } from "../../shared/domain/problems.ts";
import { addAdvice, type OwnCalls } from "../calls/own-calls.ts";
import { toRef } from "../input/values.ts";
import { createUsageFailure, Failure, formatErrorLines } from "../terminal/failure.ts";
import { isAddress, type Source } from "./model-folder.ts";
import { findWorstImpact, isNew, type Plan } from "./plan-steps.ts";

/** Payload of `model_apply` without the plan hash. */
export type Payload = Readonly<Record<string, unknown>>;

export interface Preview {
  readonly source: Source;
  readonly payload: Payload;
  readonly plan: Plan;
}

/** Returns the payload that applies a source with the flags of the command. */
export function createPayload(calls: OwnCalls, { file, key, parameters }: Source): Payload {
  const text = calls.text("model");
  const ref = text === undefined ? key && `key:${key}` : toRef(text);
  if (ref === undefined) {
    throw createUsageFailure(`${file} has no key that names its model; name the model with --model=<key>`);
  }
  const format = calls.text("format");
  return {
    ...findModelRef(ref, calls.on("create")),
    ...findLabel(calls, file),
    ...parameters,
    prune: calls.on("prune"),
    ...(calls.on("allow-unknown") && { allowUnknown: true }),
    ...(calls.on("lenient") && { lenient: true }),
    ...(format && { format }),
  };
}

/** Returns the label of the source, for the history and the origin of a created model: the path of the file, or `--source`. */
function findLabel(calls: OwnCalls, file: string): object {
  const text = calls.text("source");
  if (text !== undefined) return { source: text };
  if (file === "stdin") return {};
  const label = isAddress(file)
    ? file.replace(/[?#].*$/s, "")
    : relative(process.cwd(), resolve(file)).replaceAll("\\", "/");
  return { source: encodeURI(label).replaceAll("#", "%23") };
}

function findModelRef(ref: string, create: boolean): object {
  if (!create) return { modelRef: ref };
  if (!ref.startsWith("key:"))
    throw createUsageFailure(`--create creates a model under its key; write --model=<key> instead of ${ref}`);
  return { modelKey: ref.slice("key:".length), create };
}

/** Runs the dry run of a source. Returns undefined when `--curl` printed the call. */
export async function makePlan(calls: OwnCalls, source: Source): Promise<Preview | undefined> {
  const payload = createPayload(calls, source);
  const { "idempotency-key": _, ...common } = calls.common;
  const answer = await calls
    .call("model_apply", payload, { ...common, "dry-run": true, wait: true })
    .catch((error: unknown) => {
      const isMissing = error instanceof ApiProblem && error.code === "not_found" && "modelRef" in payload;
      throw isMissing ? addAdvice(error, "create it with --create") : error;
    });
  // The declared answer of the action; its job has been awaited.
  const plan = answer && (answer.body as Plan);
  if (plan && calls.on("create") && !("source" in payload) && !isNew(plan)) {
    const reason = "nothing says that it was made from this text. Omit --create to change it, or name its --source";
    throw new Failure(`The model ${plan.key} exists, and ${reason}`, PROBLEMS.key_taken.exit);
  }
  return plan && { source, payload, plan };
}

/** One source of the command and its result. */
export interface Run {
  readonly file: string;
  readonly preview?: Preview;
  readonly answer?: Plan;
  readonly noModel?: string;
  readonly error?: unknown;
}

/** Returns the result of a source in one or two words. */
export function findOutcome({ noModel, error, preview, answer }: Run, command: "plan" | "apply"): string {
  if (noModel !== undefined) return "ignored";
  if (error !== undefined) return "refused";
  if (!preview) return "";
  const { plan } = preview;
  const isDone = command === "apply";
  if (isDone && answer === undefined) return "not applied";
  // A job that was not awaited only answers its ref.
  if (isDone && answer !== undefined && !("changed" in answer)) return "accepted";
  if (!plan.changed) return "unchanged";
  if (isNew(plan)) return isDone ? "created" : "create";
  return isDone ? "updated" : "update";
}

/** Returns the lines that say why a source was refused, without its file name; undefined if it was not. */
export function findRefusal({ error, file }: Run): readonly [string, ...string[]] | undefined {
  if (error === undefined) return undefined;
  const [first = "", ...more] = formatErrorLines(error);
  return [first.startsWith(`${file} `) ? first.slice(file.length + 1) : first, ...more];
}

/** Returns the summary row of a run. */
export function summarizeRuns(run: Run, command: "plan" | "apply") {
  const { file, preview, noModel } = run;
  const { plan } = preview ?? {};
  return {
    file,
    model: plan?.key ?? "",
    outcome: findOutcome(run, command),
    class: plan ? (findWorstImpact(plan) ?? "") : "",
    steps: plan ? String(plan.stepCount) : "",
    why: noModel ?? findRefusal(run)?.[0] ?? "",
  };
}
