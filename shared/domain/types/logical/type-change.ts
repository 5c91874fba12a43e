import { type JudgedSide, VERDICTS, type Verdict } from "../../differences.ts";
import { holdsEveryValueOf, type Lack, type LackName } from "./holding.ts";
import type { LogicalType } from "./logical-type.ts";

/** Class of a change of type. */
export type TypeChangeClass = "breaking" | "behavioural" | "additive" | "none";

/** Verdicts on a change of type, with their reasons. */
export interface TypeChange {
  readonly class: TypeChangeClass;
  readonly readers: JudgedSide;
  readonly writers: JudgedSide;
}

interface LackRule {
  /** Verdict for writers whose values the new type does not hold. */
  readonly writers: Verdict;
  /** Verdict for readers, whose stored values change if the new type does not hold them. */
  readonly readersOfOld: Verdict;
  /** Verdict for readers of values that the old type did not hold. */
  readonly readersOfNew: Verdict;
  /** Describes these new values. */
  readonly gain: string;
  /** True if both sides go on, but values or effects change. */
  readonly isBehaviour?: true;
}

/** Values that no longer fit are refused. New values may surprise readers. */
const REFUSED = { writers: "breaks", readersOfOld: "safe", readersOfNew: "risk" } as const;
/** Values have another meaning or form. */
const OTHER = { writers: "breaks", readersOfOld: "breaks", readersOfNew: "breaks" } as const;
/** Values are accepted and changed. */
const CHANGED = { writers: "risk", readersOfOld: "risk", readersOfNew: "risk" } as const;

/** Verdicts by the values that one of the types does not hold. */
export const LACK_RULES: Readonly<Record<LackName, LackRule>> = {
  kind: { ...REFUSED, readersOfNew: "breaks", gain: "values of another kind" },
  length: { ...REFUSED, gain: "longer values are possible" },
  range: { ...REFUSED, gain: "larger numbers are possible" },
  // Stored values lose digits.
  scale: { ...REFUSED, readersOfOld: "breaks", gain: "more digits after the point are possible" },
  // Programs keep whole numbers in variables that have no fractions.
  fraction: { ...OTHER, gain: "fractions are possible" },
  sign: { ...REFUSED, gain: "negative numbers are possible" },
  precision: { ...CHANGED, gain: "times are more precise" },
  zone: { ...OTHER, gain: "times have another meaning" },
  charset: { ...REFUSED, readersOfOld: "risk", gain: "more characters are possible" },
  padding: { ...CHANGED, gain: "shorter values are not padded" },
  equality: { ...CHANGED, isBehaviour: true, gain: "other values are equal" },
  text: { ...CHANGED, writers: "safe", isBehaviour: true, gain: "order and repetitions of members differ" },
  size: { ...OTHER, gain: "values have another length" },
  values: { ...REFUSED, gain: "more values are possible" },
  fields: { ...REFUSED, readersOfOld: "breaks", gain: "more fields are possible" },
  form: { ...REFUSED, readersOfNew: "breaks", gain: "values of another form" },
  unknown: { ...OTHER, gain: "" },
};

/** Returns the verdicts on a change of type. An undefined type is not known. */
export function assessTypeChange(before: LogicalType | undefined, after: LogicalType | undefined): TypeChange {
  if (!before || !after) return CANNOT_TELL;
  const lost = holdsEveryValueOf(after, before).lacks;
  const gained = before.type === "any" ? [] : holdsEveryValueOf(before, after).lacks;
  const readers = [
    ...lost.map((lack): Reason => [describeLoss(lack), LACK_RULES[lack.name].readersOfOld]),
    ...gained.map((lack): Reason => [describeGain(lack), LACK_RULES[lack.name].readersOfNew]),
    ...(isOtherKind(before, after) ? [["values have another form", "risk"] as const] : []),
  ];
  const writers = lost.map((lack): Reason => [describeLoss(lack), LACK_RULES[lack.name].writers]);
  const sides = { readers: judgeSide(readers), writers: judgeSide(writers) };
  const isBehaviour = [...lost, ...gained].some(({ name }) => LACK_RULES[name].isBehaviour);
  return { class: classify(sides.readers.verdict, sides.writers.verdict, isBehaviour), ...sides };
}

const CANNOT_TELL: TypeChange = {
  class: "breaking",
  readers: { verdict: "breaks", reasons: ["cannot tell whether all values stay possible"] },
  writers: { verdict: "breaks", reasons: ["cannot tell whether all values stay possible"] },
};

type Reason = readonly [text: string, verdict: Verdict];

function describeLoss({ name, reason }: Lack) {
  return name === "unknown" ? `cannot tell: ${reason}` : reason;
}

function describeGain(lack: Lack) {
  return lack.name === "unknown" ? describeLoss(lack) : LACK_RULES[lack.name].gain;
}

function isOtherKind(before: LogicalType, after: LogicalType) {
  return before.type !== after.type && before.type !== "any";
}

/** Formats the reasons of both sides as one text. */
export function describeTypeChange({ readers, writers }: TypeChange): string {
  return [...new Set([...writers.reasons, ...readers.reasons])].join("; ");
}

function judgeSide(reasons: readonly Reason[]): JudgedSide {
  const verdict = VERDICTS.find((one) => reasons.some((reason) => reason[1] === one)) ?? "safe";
  if (verdict === "safe") return { verdict, reasons: [] };
  return { verdict, reasons: reasons.filter((one) => one[1] === verdict).map(([text]) => text) };
}

function classify(readers: Verdict, writers: Verdict, isBehaviour: boolean): TypeChangeClass {
  if (readers === "breaks" || writers === "breaks") return "breaking";
  if (writers === "risk" || isBehaviour) return "behavioural";
  return readers === "risk" ? "additive" : "none";
}
