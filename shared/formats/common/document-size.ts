import type { ModelDocument } from "../../domain/document/document.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";

/** `too_large` naming the limit when a model has more objects than one job may write. */
export function refuseTooMany(objects: number): void {
  if (objects <= LIMITS.objectsPerJob) return;
  throw new Problem(
    "too_large",
    `the source makes ${objects} objects (the model and all it holds); one job may write ${LIMITS.objectsPerJob}`,
  );
}

/** How many objects a document makes. */
export function countObjects(document: ModelDocument): number {
  const { types, entities, relationships, businessKeys, localTags } = document;
  const holders = [...entities, ...relationships].reduce((sum, o) => sum + 1 + o.attributes.length, 0);
  return 1 + types.length + holders + businessKeys.length + localTags.length;
}

/** What a part of a model says that a source may say once for many of them. */
interface RepeatedPart {
  readonly description?: string | undefined;
  readonly constraints?: object | undefined;
  readonly properties?: object | undefined;
}

/**
 * Counts what parts of one model say, in characters as JSON; throws `too_large` naming the limit when it is more than a model may
 * be made of, so that a small source whose refs repeat one part does not become a large model.
 */
export function createSizeCheck(): (part: RepeatedPart) => void {
  let characters = 0;
  return ({ description = "", constraints, properties }) => {
    characters += description.length;
    for (const one of [constraints, properties]) if (one) characters += JSON.stringify(one).length;
    if (characters <= LIMITS.madeCharacters) return;
    throw new Problem(
      "too_large",
      `the source makes a model whose descriptions, constraints and properties have more than ${LIMITS.madeCharacters} characters; refer to less, or split it`,
    );
  };
}
