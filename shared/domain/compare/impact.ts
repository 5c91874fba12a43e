import { UNSEEN_BY_PROGRAMS } from "./change-rule.ts";
import type { Impact } from "./difference.ts";
import type { Compared } from "./objects-of-document.ts";

/** The impact of one difference, with the sentences that say why. */
export interface Judgement {
  readonly impact: Impact;
  readonly reasons: readonly string[];
}

const ORDER: readonly Impact[] = ["cosmetic", "additive", "breaking"];

/** Judges the change of some members of an object: the gravest impact among them, with the reasons for it. */
export function judgeChange(before: Compared, after: Compared, members: readonly string[]): Judgement {
  const judged = members.flatMap((member) =>
    before
      .ruleOf(member)(before.members[member], after.members[member])
      .map(({ impact, reason }) => ({ impact, reason: `${member}: ${reason}` })),
  );
  const impact = ORDER.findLast((level) => judged.some((one) => one.impact === level)) ?? "cosmetic";
  return { impact, reasons: judged.filter((one) => one.impact === impact).map((one) => one.reason) };
}

/** Judges an object that only the right side has; `ownerIsNew` where its owner is new as well. */
export function judgeAddition(added: Compared, ownerIsNew: boolean): Judgement {
  const { objectType, members } = added;
  if (objectType === "tag") return { impact: "cosmetic", reasons: [`it is new; ${UNSEEN_BY_PROGRAMS.reason}`] };
  if (ownerIsNew) return { impact: "additive", reasons: ["it is new, with what it belongs to"] };
  if (objectType === "relationshipRole") {
    return { impact: "breaking", reasons: ["instances of the relationship need one side more"] };
  }
  if (members.optional === false) {
    return { impact: "breaking", reasons: ["it is new and required: writers that do not know it are refused"] };
  }
  return { impact: "additive", reasons: ["it is new; nobody relies on it yet"] };
}

/** Judges an object that only the left side has. */
export function judgeRemoval({ objectType }: Compared): Judgement {
  if (objectType === "tag") return { impact: "cosmetic", reasons: [`it is gone; ${UNSEEN_BY_PROGRAMS.reason}`] };
  if (objectType === "type") {
    return { impact: "cosmetic", reasons: ["it is gone; attributes that had it are told of on their own"] };
  }
  return { impact: "breaking", reasons: ["it is gone; whoever relies on it fails"] };
}
