import type { Impact } from "./difference.ts";

/** One effect of a change of a field, with the sentence that says why. */
export interface Effect {
  readonly impact: Impact;
  readonly reason: string;
}

/** The meaning of a change of one field: its effects, one at least, from the two values. */
export type ChangeRule = (before: unknown, after: unknown) => readonly Effect[];

/** The effect of every change that readers alone see. */
export const UNSEEN_BY_PROGRAMS: Effect = {
  impact: "cosmetic",
  reason: "it changes what people read, not what the data is",
};

/** The rule of every field that has none of its own. */
export const COSMETIC: ChangeRule = () => [UNSEEN_BY_PROGRAMS];

/** The rule of the order of attributes. */
export const MOVED: ChangeRule = () => [{ impact: "cosmetic", reason: "they stand in another order" }];

/** The rule of the key of every kind but tags. */
export const RENAMED: ChangeRule = breaking("whoever names it by its key no longer finds it");

/** A rule whose every change is breaking. */
export function breaking(reason: string): ChangeRule {
  return () => [{ impact: "breaking", reason }];
}

/** A rule by which a value that was as good as absent before is additive, and any other change breaking. */
export function breakingUnless(
  wasAbsent: (before: unknown) => boolean,
  additive: string,
  otherwise: string,
): ChangeRule {
  return (before) =>
    wasAbsent(before) ? [{ impact: "additive", reason: additive }] : [{ impact: "breaking", reason: otherwise }];
}
