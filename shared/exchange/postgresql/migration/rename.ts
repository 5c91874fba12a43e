import { sqlName } from "../sql-text.ts";
import type { Draft, Step } from "./draft.ts";
import { tie } from "./draft.ts";

/** Something that may have another name afterwards, or the name of which something else will have. */
export interface Renamed {
  /** The scope of its name before, and afterwards: a schema, a table. */
  readonly scope: string;
  readonly newScope: string;
  readonly from: string;
  /** Absent for what goes later and only has to make room. */
  readonly to: string | undefined;
  /** The statement that gives it a name, from how it is called then. */
  readonly rename: (from: string, to: string) => string;
  /** The statement that moves it to the new scope; absent for what moves with something else. */
  readonly move?: (name: string) => string;
  /** The steps without which it cannot be named so. */
  readonly needs?: () => readonly Step[];
  /** Told of each step, and of the name that the thing has from then on. */
  readonly onStep: (step: Step, name: string, hasMoved: boolean) => void;
}

/** The mark of a name in its scope, as steps take it and make it free. */
export function nameIn(scope: string, name: string): string {
  return `${scope} ${sqlName(name)}`;
}

/** A number for each name that stands in for a while. */
export interface Interim {
  next(): string;
}

/**
 * Renames and moves things so that none takes a name that another still has: those that are in the way go aside first.
 * Names of `others` are taken too, in the scopes to which things move.
 */
export function renameAll(
  draft: Draft,
  things: readonly Renamed[],
  interim: Interim,
  others: ReadonlySet<string>,
): void {
  const wanted = new Set(
    things.flatMap((one) =>
      one.to !== undefined && (one.to !== one.from || one.newScope !== one.scope) ? [nameIn(one.newScope, one.to)] : [],
    ),
  );
  const steps = new Map<Renamed, Step[]>();
  const names = new Map(things.map((one) => [one, one.from]));
  const run = (one: Renamed, sql: string, name: string, marks: Pick<Step, "takes" | "frees">, hasMoved: boolean) => {
    const step = draft.add(sql, { ...marks, needs: [...(one.needs?.() ?? []), ...(steps.get(one) ?? [])] });
    steps.set(one, [...(steps.get(one) ?? []), step]);
    names.set(one, name);
    one.onStep(step, name, hasMoved);
  };
  for (const one of things) {
    const { scope, newScope, from, to } = one;
    const isLeaving = to === undefined || to !== from || newScope !== scope;
    const isInTheWay = isLeaving && (wanted.has(nameIn(scope, from)) || to === undefined);
    const isMet = newScope !== scope && others.has(nameIn(newScope, from));
    if (!isInTheWay && !isMet) continue;
    const aside = interim.next();
    run(one, one.rename(from, aside), aside, { takes: [], frees: [nameIn(scope, from)] }, false);
  }
  for (const one of things) {
    const { scope, newScope, to } = one;
    if (to === undefined || scope === newScope || !one.move) continue;
    const name = names.get(one) ?? one.from;
    run(one, one.move(name), name, { takes: [nameIn(newScope, name)], frees: [nameIn(scope, name)] }, true);
  }
  for (const one of things) {
    const { newScope, to } = one;
    const name = names.get(one) ?? one.from;
    if (to === undefined || to === name) continue;
    run(one, one.rename(name, to), to, { takes: [nameIn(newScope, to)], frees: [nameIn(newScope, name)] }, true);
  }
  for (const all of steps.values()) tie(...all);
}
