import type { Impact } from "./difference.ts";

/** The meaning of a change of one field: its impact and the reason, each fixed or told from the two values. */
export interface ChangeRule {
  readonly impact: Impact | ((before: unknown, after: unknown) => Impact);
  readonly reason: string | ((before: unknown, after: unknown) => string);
}

/** The rule of every field that has none of its own. */
export const COSMETIC: ChangeRule = { impact: "cosmetic", reason: "it changes what people read, not what the data is" };

/** The rule of the key of every kind but tags. */
export const RENAMED: ChangeRule = { impact: "breaking", reason: "whoever names it by its key no longer finds it" };

/** A rule whose every change is breaking. */
export function breaking(reason: string): ChangeRule {
  return { impact: "breaking", reason };
}

/** A rule by which a value that was as good as absent before is additive, and any other change breaking. */
export function breakingUnless(
  wasAbsent: (before: unknown) => boolean,
  additive: string,
  otherwise: string,
): ChangeRule {
  return {
    impact: (before) => (wasAbsent(before) ? "additive" : "breaking"),
    reason: (before) => (wasAbsent(before) ? additive : otherwise),
  };
}
