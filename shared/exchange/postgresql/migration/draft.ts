/** One statement of a draft. */
export interface Step {
  readonly sql: string;
  /** Why it is held back: it loses something, or rows that are there may refuse it. */
  readonly why: string | undefined;
  /** The steps without which it does not run, or has no sense; wherever they stand. */
  readonly needs: Set<Step>;
  /** The names that it takes, and those that it makes free. */
  readonly takes: readonly string[];
  readonly frees: readonly string[];
}

/** A step as it is added to a draft. */
export interface NewStep {
  readonly why?: string | undefined;
  readonly needs?: Iterable<Step>;
  readonly takes?: readonly string[];
  readonly frees?: readonly string[];
}

/** A draft of a migration: its steps in the order in which they run. */
export interface Draft {
  add(sql: string, step?: NewStep): Step;
  /** The steps with the reasons for which some of them are held back. */
  steps(): readonly (readonly [step: Step, held: string | undefined])[];
}

const WITH_ANOTHER = "It goes with a step that is held back.";
const NAME_IS_TAKEN = "A step that is held back would make its name free.";

/** A draft without steps. */
export function createDraft(): Draft {
  const steps: Step[] = [];
  return {
    add: (sql, { why, needs = [], takes = [], frees = [] } = {}) => {
      const step: Step = { ...{ sql, why, takes, frees }, needs: new Set(needs) };
      steps.push(step);
      return step;
    },
    steps: () => {
      const held = heldOf(steps);
      return steps.map((step) => [step, held.get(step)] as const);
    },
  };
}

/** Makes steps hold each other back. */
export function tie(...steps: readonly (Step | undefined)[]): void {
  const all = steps.filter((step) => step !== undefined);
  for (const one of all) for (const other of all) if (one !== other) one.needs.add(other);
}

/** The steps that are held back: those with a reason of their own, and those that cannot run without them. */
function heldOf(steps: readonly Step[]): ReadonlyMap<Step, string> {
  const held = new Map<Step, string>();
  for (const step of steps) if (step.why !== undefined) held.set(step, step.why);
  for (let before = -1; before < held.size; ) {
    before = held.size;
    const taken = new Set<string>();
    for (const step of steps) {
      if (!held.has(step)) {
        if (step.needs.values().some((one) => held.has(one))) held.set(step, WITH_ANOTHER);
        else if (step.takes.some((name) => taken.has(name))) held.set(step, NAME_IS_TAKEN);
      }
      for (const name of step.frees) {
        if (held.has(step)) taken.add(name);
        else taken.delete(name);
      }
    }
  }
  return held;
}
