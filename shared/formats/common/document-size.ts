import type { CallBudget } from "../../actions/contract/budget.ts";
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

/** What a reader makes of a source. It is charged while refs, parts and views of the source are expanded. */
export class SourceSize {
  readonly #budget: CallBudget | undefined;
  #characters = 0;

  constructor(budget?: CallBudget) {
    this.#budget = budget;
  }

  /** Checks the number of objects that the source has expanded to so far. Throws `too_large`. */
  checkObjects(count: number): void {
    refuseTooMany(count);
    this.#budget?.checkObjects(count);
  }

  /** Counts the texts of an object of the model. Throws `too_large`: refs in a small source must not produce a large model. */
  addTexts({ description = "", constraints, properties }: RepeatedPart): void {
    let characters = description.length;
    for (const one of [constraints, properties]) if (one) characters += JSON.stringify(one).length;
    this.#characters += characters;
    this.#budget?.chargeBytes(characters);
    if (this.#characters <= LIMITS.madeCharacters) return;
    throw new Problem(
      "too_large",
      `the descriptions, constraints and properties have more than ${LIMITS.madeCharacters} characters with refs expanded; use fewer refs, or split the source`,
    );
  }
}
