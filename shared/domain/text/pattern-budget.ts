import { PROPERTY_LIMITS } from "../limits.ts";
import { Problem } from "../problems.ts";

/** The steps that all patterns of one call may take. */
export class PatternBudget {
  #left: number = PROPERTY_LIMITS.patternWork;

  charge(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    const detail = `the patterns of property definitions take more than ${PROPERTY_LIMITS.patternWork} steps on the values of this call (limit patternWork): shorten the values, or the repetitions of the patterns`;
    throw new Problem("too_large", detail);
  }
}
