import { createHash } from "node:crypto";
import { canonicalJson } from "../canonical-json.ts";
import type { PlanStep } from "./plan.ts";

/** The model that a plan is for: its id, or the key that it is to get, and the revision that it is at; 0 for none yet. */
export interface PlannedModel {
  readonly model: string;
  readonly revision: number;
}

/** The digest that names a plan: SHA-256, in hexadecimal digits, over its canonical steps with the model's id and revision. */
export function planDigest({ model, revision }: PlannedModel, steps: readonly PlanStep[]): string {
  return createHash("sha256").update(canonicalJson({ model, revision, steps })).digest("hex");
}
