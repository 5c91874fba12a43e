import type { ModelDocument } from "../../domain/document/document.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";

/** Throws `too_large` when a model has more objects than one job may write. */
export function refuseTooMany(objects: number): void {
  if (objects <= LIMITS.objectsPerJob) return;
  throw new Problem(
    "too_large",
    `the source has ${objects} objects, and one job may write ${LIMITS.objectsPerJob}; split it`,
  );
}

/** Counts the objects of a document. */
export function countObjects(document: ModelDocument): number {
  const { types, entities, relationships, businessKeys, localTags } = document;
  const holders = [...entities, ...relationships].reduce((sum, o) => sum + 1 + o.attributes.length, 0);
  return 1 + types.length + holders + businessKeys.length + localTags.length;
}

/** Members of a part that a small source can repeat many times. */
interface RepeatedPart {
  readonly description?: string | undefined;
  readonly constraints?: object | undefined;
  readonly properties?: object | undefined;
}

/** Creates a check that throws `too_large`: refs in a small source must not produce a large model. */
export function createSizeCheck(): (part: RepeatedPart) => void {
  let characters = 0;
  return ({ description = "", constraints, properties }) => {
    characters += description.length;
    for (const one of [constraints, properties]) if (one) characters += JSON.stringify(one).length;
    if (characters <= LIMITS.madeCharacters) return;
    throw new Problem(
      "too_large",
      `the descriptions, constraints and properties have more than ${LIMITS.madeCharacters} characters with refs expanded; use fewer refs, or split the source`,
    );
  };
}
