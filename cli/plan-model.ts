import { ApiProblem } from "../client/create-client.ts";
import { refOf } from "./bare-ref.ts";
import { usage } from "./failure.ts";
import type { Source } from "./model-files.ts";
import type { OwnCalls } from "./own-calls.ts";
import { withAdvice } from "./own-calls.ts";
import type { Plan } from "./plan-steps.ts";

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
  const ref = given === undefined ? key && `key:${key}` : refOf(given);
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
