import { quoteForShell } from "../input/values.ts";
import type { RichText } from "../terminal/text-stream.ts";
import type { Preview } from "./plan-model.ts";
import {
  countSteps,
  findStepKey,
  formatKind,
  groupSteps,
  isNew,
  type LikelyRename,
  listStepMembers,
  type Plan,
  SIGNS,
  type Step,
} from "./plan-steps.ts";

/** Formats a plan for a terminal: steps grouped by object, each with sign, verb and impact. */
export function formatPlan(preview: Preview): RichText {
  const { source, plan } = preview;
  const { steps = [], likelyRenames = [], warnings, stepCount } = plan;
  const left = stepCount - steps.length;
  return [
    { bold: `${source.file} -> ${formatState(preview)}: ${countSteps(plan)}` },
    "\n",
    ...groupSteps(steps).flatMap((group) => [
      `  ${group.title}\n`,
      ...group.steps.flatMap((step) => formatStepLine(step)),
    ]),
    ...(left > 0 ? [`  ${left} more steps are not listed in the answer\n`] : []),
    ...likelyRenames.flatMap((rename) => formatRenameLines(rename, preview)),
    ...warnings.map((one) => `  note: ${formatWarning(one)}\n`),
  ];
}

/** Formats the model of a plan and the revision it starts from. */
export function formatState({ plan }: Pick<Preview, "plan">): string {
  if (isNew(plan)) return `${plan.key} (new)`;
  // A dry run answers the revision that would result.
  return `${plan.key} (revision ${plan.changed ? plan.revision - 1 : plan.revision})`;
}

/** Formats a warning as one sentence, with its count and first path. */
export function formatWarning({ detail, count, pointers: [first] }: Plan["warnings"][number]): string {
  const times = count > 1 ? ` (${count} times)` : "";
  return `${first === undefined ? "" : `${first} `}${detail}${times}`;
}

function formatStepLine(step: Step): RichText {
  const { does, impact, reasons } = step;
  const members = listStepMembers(step).map(({ name, before, after }) =>
    before === undefined ? `${name} ${after}` : `${name} ${before} → ${after}`,
  );
  const details = members.length > 0 ? `: ${members.join(", ")}` : "";
  const reason = impact === "breaking" ? `: ${reasons.join("; ")}` : "";
  return [
    "    ",
    { text: SIGNS[does], tone: does },
    ` ${describeStep(step)}${details}  (`,
    { text: `${impact}${reason}`, tone: impact },
    ")\n",
  ];
}

function describeStep(step: Step) {
  const { does, objectType, before, after } = step;
  const kind = isHolder(objectType) || step.ownerRef === undefined ? "" : `${formatKind(objectType)} `;
  if (does === "rename") return `rename ${kind}${before?.key} → ${after?.key}`;
  return isHolder(objectType) ? does : `${does} ${kind}${findStepKey(step)}`;
}

function isHolder(objectType: Step["objectType"]) {
  return objectType === "model" || objectType === "entity" || objectType === "relationship";
}

function formatRenameLines(rename: LikelyRename, preview: Preview): RichText {
  const { objectType, from, to, confidence, reason } = rename;
  return [
    "  ",
    { text: "?", tone: "doubt" },
    ` ${objectType} ${from.join(".")} looks like ${to} (${Math.round(100 * confidence)} %): ${reason}\n`,
    `      ${describeRename(rename, preview)}\n`,
  ];
}

/** Returns how to declare a likely rename: a member of the document, or an action if the format has no such member. */
export function describeRename({ objectType, from, to }: LikelyRename, { source, plan }: Preview): string {
  const oldKey = from.at(-1) ?? "";
  if (source.isOwn) return `if it is, write "renamedFrom": ${JSON.stringify(oldKey)} next to the key ${to}`;
  const model = `metaction models`;
  const quoteRef = (key: string | undefined) => quoteForShell(`key:${key}`);
  const modelFlag = `--modelRef=${quoteRef(plan.key)}`;
  const value = `--value=${quoteForShell(to)}`;
  if (objectType === "entity") {
    return `if it is, first: ${model} entity_update_key ${modelFlag} --entityRef=${quoteRef(oldKey)} ${value}`;
  }
  const [owner] = from;
  const isOfRelationship = plan.steps?.some((step) => step.attributeKey === to && step.relationshipKey === owner);
  const kind = isOfRelationship ? "relationship" : "entity";
  const refs = `${modelFlag} --${kind}Ref=${quoteRef(owner)} --attributeRef=${quoteRef(oldKey)}`;
  return `if it is, first: ${model} ${kind}_attribute_update_key ${refs} ${value}`;
}
