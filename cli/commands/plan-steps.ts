import type { Actions } from "../../client/actions.ts";
import { IMPACTS, type Impact } from "../../shared/domain/differences.ts";
import { formatShort, removeSchemes, splitCamelCase } from "../output/cell-text.ts";

/** Answer of a dry run of `model_apply`. */
export type Plan = Actions["model"]["model_apply"]["output"] & { readonly revision: number };
export type Step = NonNullable<Plan["steps"]>[number];
export type LikelyRename = NonNullable<Plan["likelyRenames"]>[number];

/** Sign of each way a step changes a model; `diff` uses the same signs. */
export const SIGNS = { create: "+", update: "~", rename: ">", move: "~", delete: "-" } as const satisfies Record<
  Step["does"],
  string
>;

interface StepGroup {
  readonly title: string;
  readonly steps: readonly Step[];
}

/** Groups the steps of a plan by entity or relationship; the order within a group is that of the plan. */
export function groupSteps(steps: readonly Step[]): readonly StepGroup[] {
  const groups = new Map<string, Step[]>();
  for (const step of steps) {
    const ref = findGroupRef(step);
    groups.set(ref, [...(groups.get(ref) ?? []), step]);
  }
  return [...groups.values()].map((all) => ({ title: formatGroupTitle(all), steps: all }));
}

function findGroupRef({ relationshipKey, objectType, ref, ownerRef }: Step) {
  if (objectType === "entity" || objectType === "relationship") return `${objectType} ${ref}`;
  if (ownerRef === undefined) return objectType;
  return `${relationshipKey === undefined ? "entity" : "relationship"} ${ownerRef}`;
}

function formatGroupTitle(steps: readonly Step[]) {
  const [{ objectType, entityKey, relationshipKey } = {} as Step] = steps;
  const key = entityKey ?? relationshipKey;
  if (key === undefined) return objectType === "model" ? "model" : `${formatKind(objectType)}s`;
  const kind = entityKey === undefined ? "relationship" : "entity";
  const renames = steps.filter((one) => one.does === "rename" && one.objectType === kind);
  const [oldKey, newKey] = [renames[0]?.before?.key, renames.at(-1)?.after?.key];
  if (objectType === "businessKey") return `entity ${key}`;
  return renames.length > 0 && oldKey !== newKey ? `${kind} ${newKey} (was ${oldKey})` : `${kind} ${key}`;
}

/** Formats a kind in words, such as `business key`; attributes of entities and relationships are both `attribute`. */
export function formatKind(objectType: Step["objectType"]): string {
  if (objectType === "entityAttribute" || objectType === "relationshipAttribute") return "attribute";
  if (objectType === "relationshipRole") return "role";
  return splitCamelCase(objectType);
}

/** Returns the key of a step's object before the step. */
export function findStepKey(step: Step): string | undefined {
  const { typeKey, roleKey, attributeKey, businessKeyKey, tagKey, entityKey, relationshipKey } = step;
  return attributeKey ?? roleKey ?? businessKeyKey ?? typeKey ?? tagKey ?? entityKey ?? relationshipKey;
}

/** A changed member, with one value for a new object. */
export interface ShownMember {
  readonly name: string;
  readonly before?: string;
  readonly after: string;
}

/** Returns what a step changes, for people; empty for deleted and moved objects. */
export function listStepMembers({ does, before = {}, after = {} }: Step): readonly ShownMember[] {
  if (does === "delete" || does === "move" || does === "rename") return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  if (does === "create") {
    return names.filter((name) => name !== "key").map((name) => ({ name, after: formatMember(after[name]) }));
  }
  return names.map((name) => ({ name, before: formatMember(before[name]), after: formatMember(after[name]) }));
}

function formatMember(value: unknown) {
  return formatShort(Array.isArray(value) || typeof value === "string" ? removeSchemes(value) : value);
}

/** Formats `3 steps: 1 breaking, 2 additive`. */
export function countSteps({ stepCount, ...counts }: Pick<Plan, "stepCount" | Impact>): string {
  if (stepCount === 0) return "no changes";
  const texts = IMPACTS.filter((impact) => counts[impact] > 0).map((impact) => `${counts[impact]} ${impact}`);
  return `${stepCount} ${stepCount === 1 ? "step" : "steps"}: ${texts.join(", ")}`;
}

/** Returns the most severe impact of a plan; undefined without steps. */
export function findWorstImpact(counts: Readonly<Record<Impact, number>>): Impact | undefined {
  return IMPACTS.find((impact) => counts[impact] > 0);
}

/** True for the plan of a model that does not exist yet. */
export function isNew({ steps: [first] = [] }: Plan): boolean {
  return first?.does === "create" && first.objectType === "model";
}
