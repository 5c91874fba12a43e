import { COSMETIC } from "./change-rule.ts";
import type { Impact } from "./difference.ts";
import type { Compared } from "./objects-of-document.ts";

/** What one difference means, with the sentences that say why. */
export interface Judgement {
  readonly impact: Impact;
  readonly reasons: readonly string[];
}

const ORDER: readonly Impact[] = ["cosmetic", "additive", "breaking"];

/** What the change of some members of an object means: the gravest of them, with the reasons for that. */
export function judgeChange(before: Compared, after: Compared, members: readonly string[]): Judgement {
  const judged = members.map((member) => {
    const rule = before.ruleOf(member);
    const [was, is] = [before.members[member], after.members[member]];
    const impact = typeof rule.impact === "string" ? rule.impact : rule.impact(was, is);
    const reason = typeof rule.reason === "string" ? rule.reason : rule.reason(was, is);
    return { impact, reason: `${member}: ${reason}` };
  });
  const impact = ORDER.findLast((level) => judged.some((one) => one.impact === level)) ?? "cosmetic";
  return { impact, reasons: judged.filter((one) => one.impact === impact).map((one) => one.reason) };
}

/** What an object means that only the right side has; `ownerIsNew` where what it lies in is new as well. */
export function judgeAddition(added: Compared, ownerIsNew: boolean): Judgement {
  const { objectType, members } = added;
  if (objectType === "tag") return { impact: "cosmetic", reasons: [`it is new; ${COSMETIC.reason}`] };
  if (ownerIsNew) return { impact: "additive", reasons: ["it is new, with what it belongs to"] };
  if (objectType === "relationshipRole") {
    return { impact: "breaking", reasons: ["instances of the relationship need one side more"] };
  }
  if (members.optional === false) {
    return { impact: "breaking", reasons: ["it is new and required: writers that do not know it are refused"] };
  }
  return { impact: "additive", reasons: ["it is new; nobody relies on it yet"] };
}

/** What an object means that only the left side has. */
export function judgeRemoval({ objectType }: Compared): Judgement {
  if (objectType === "tag") return { impact: "cosmetic", reasons: [`it is gone; ${COSMETIC.reason}`] };
  if (objectType === "type") {
    return { impact: "cosmetic", reasons: ["it is gone; attributes that had it are told of on their own"] };
  }
  return { impact: "breaking", reasons: ["it is gone; whoever relies on it fails"] };
}
