import type { ModelDocument } from "../domain/document.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";

/** `too_large` naming the limit when a model has more objects than one job may write. */
export function refuseTooMany(objects: number): void {
  if (objects <= LIMITS.objectsPerJob) return;
  throw new Problem(
    "too_large",
    `the source makes ${objects} objects (the model and all it holds); one job may write ${LIMITS.objectsPerJob}`,
  );
}

/** How many objects a document makes. */
export function objectCount(document: ModelDocument): number {
  const { types, entities, relationships, businessKeys, localTags } = document;
  const holders = [...entities, ...relationships].reduce((sum, o) => sum + 1 + o.attributes.length, 0);
  return 1 + types.length + holders + businessKeys.length + localTags.length;
}
