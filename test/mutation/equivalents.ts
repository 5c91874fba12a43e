const OTHER_READS = "changes how many rows of the index are read; every row that is read is checked again";
const OTHER_NUMBERS = "chooses other numbers in the same order, or numbers more models anew";
const OTHER_STEPS = "splits the same work into other steps";
const SAME_FORM = "stores or reads another form of the same facts";
const NEVER_DIFFERS = "the operands never have values for which the result differs";

/** Mutants that nobody can notice by an answer, by the reason. A mutant is written as in the output of a run. */
export const EQUIVALENT: Readonly<Record<string, readonly string[]>> = {
  [OTHER_READS]: [],
  [OTHER_NUMBERS]: [],
  [OTHER_STEPS]: [],
  [SAME_FORM]: [],
  [NEVER_DIFFERS]: [],
};
