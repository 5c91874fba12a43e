import { type Asked, may, type RefInput } from "./action.ts";
import type { RefCommit } from "./commits.ts";
import { badParameters, Refusal } from "./problem.ts";

/** The parameters that name a moment of a model's past. */
export const MOMENT = { version: may("ModelVersion"), revision: may("ModelRevision") };

/** A version and a revision at once name nothing. */
export function checkMoment({ version, revision }: RefInput): void {
  if (version !== undefined && revision !== undefined) throw badParameters("/version", "/revision");
}

/** The commit that a version or a revision names; `not_found`, also for the one that deleted the model. */
export function commitAt(past: Asked["past"], version: unknown, revision: unknown): RefCommit & Lived {
  const found = past.find((one) => (version === undefined ? one.revision === revision : one.release === version));
  if (found?.model) return { ...found, model: found.model };
  throw new Refusal("not_found", { mentions: [String(version ?? revision)] });
}

type Lived = { readonly model: NonNullable<RefCommit["model"]> };
