import type { Impact, ObjectType } from "./difference.ts";
import type { Compared } from "./objects-of-document.ts";

/** What one difference means, with the sentences that say why. */
export interface Judgement {
  readonly impact: Impact;
  readonly reasons: readonly string[];
}

/** One member of one sort of object: what a change of it means. */
interface MemberRule {
  readonly impact: Impact | ((before: unknown, after: unknown) => Impact);
  readonly reason: string | ((before: unknown, after: unknown) => string);
}

const COSMETIC: MemberRule = { impact: "cosmetic", reason: "it changes what people read, not what the data is" };

const RENAMED: MemberRule = { impact: "breaking", reason: "whoever names it by its key no longer finds it" };

const OPTIONAL: MemberRule = {
  impact: "breaking",
  reason: (_, after) =>
    after === true ? "readers may meet records without it" : "writers that leave it out are refused",
};

const CARDINALITY: MemberRule = {
  impact: (before) => (before === "unknown" ? "additive" : "breaking"),
  reason: (before) =>
    before === "unknown" ? "what was unknown is now known" : "another number of instances is allowed on this side",
};

const PRIMARY_KEY: MemberRule = {
  impact: (before) => (isEmpty(before) ? "additive" : "breaking"),
  reason: (before) =>
    isEmpty(before) ? "records can be identified now" : "records are no longer identified as they were",
};

const PARTICIPANTS: MemberRule = { impact: "breaking", reason: "records are no longer identified as they were" };

/** Members whose change is more than cosmetic, by sort of object; every other member is cosmetic. */
const RULES: { readonly [T in ObjectType]: Readonly<Record<string, MemberRule>> } = {
  model: { key: RENAMED },
  type: { key: RENAMED },
  entity: { key: RENAMED, primaryKey: PRIMARY_KEY },
  entityAttribute: { key: RENAMED, type: typeRule(), optional: OPTIONAL },
  relationship: { key: RENAMED },
  relationshipAttribute: { key: RENAMED, type: typeRule(), optional: OPTIONAL },
  relationshipRole: {
    key: RENAMED,
    entity: { impact: "breaking", reason: "it leads to another entity" },
    cardinality: CARDINALITY,
  },
  businessKey: {
    key: RENAMED,
    entity: { impact: "breaking", reason: "it identifies another entity" },
    participants: PARTICIPANTS,
  },
  tag: {},
};

/** True for members of the structure, whose change is more than cosmetic. */
export function isStructural(objectType: ObjectType, member: string): boolean {
  return RULES[objectType][member] !== undefined;
}

function typeRule(): MemberRule {
  return { impact: "breaking", reason: "its values are of another type" };
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

const ORDER: readonly Impact[] = ["cosmetic", "additive", "breaking"];

/** What the change of some members of an object means: the gravest of them, with the reasons for that. */
export function judgeChange(before: Compared, after: Compared, members: readonly string[]): Judgement {
  const judged = members.map((member) => {
    const rule = RULES[before.objectType][member] ?? COSMETIC;
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
