import type { Planned } from "./plan-model.ts";
import {
  countsOf,
  groupsOf,
  isNew,
  keyOf,
  type LikelyRename,
  membersOf,
  type Plan,
  SIGNS,
  type Step,
  sortOf,
} from "./plan-steps.ts";
import { wayToRename } from "./rename-advice.ts";
import type { Styled } from "./text-stream.ts";

/** A plan as people read it on a terminal: the steps under the objects that they are of, each with sign, word and impact. */
export function planText(planned: Planned): Styled {
  const { source, plan } = planned;
  const { steps = [], likelyRenames = [], warnings, stepCount } = plan;
  const left = stepCount - steps.length;
  return [
    { bold: `${source.file} -> ${stateOf(planned)}: ${countsOf(plan)}` },
    "\n",
    ...groupsOf(steps).flatMap((group) => [`  ${group.title}\n`, ...group.steps.flatMap((step) => lineOf(step))]),
    ...(left > 0 ? [`  and ${left} steps more, which no answer lists\n`] : []),
    ...likelyRenames.flatMap((rename) => renameLines(rename, planned)),
    ...warnings.map((one) => `  note: ${warningOf(one)}\n`),
  ];
}

/** The model that a plan is for, and the state that it starts from. */
export function stateOf({ plan }: Pick<Planned, "plan">): string {
  if (isNew(plan)) return `${plan.key} (new)`;
  // A dry run answers the revision that there would be.
  return `${plan.key} (revision ${plan.changed ? plan.revision - 1 : plan.revision})`;
}

/** A warning in one sentence, with how often and where it begins. */
export function warningOf({ detail, count, pointers: [first] }: Plan["warnings"][number]): string {
  const times = count > 1 ? ` (${count} times)` : "";
  return `${first === undefined ? "" : `${first} `}${detail}${times}`;
}

function lineOf(step: Step): Styled {
  const { does, impact, reasons } = step;
  const members = membersOf(step).map(({ name, before, after }) =>
    before === undefined ? `${name} ${after}` : `${name} ${before} → ${after}`,
  );
  const what = members.length > 0 ? `: ${members.join(", ")}` : "";
  const why = impact === "breaking" ? `: ${reasons.join("; ")}` : "";
  return [
    "    ",
    { text: SIGNS[does], told: does },
    ` ${wordsOf(step)}${what}  (`,
    { text: `${impact}${why}`, told: impact },
    ")\n",
  ];
}

/** `create attribute code`, `rename attribute due → due_on`; without the sort where the title above says it. */
function wordsOf(step: Step): string {
  const { does, objectType, before, after } = step;
  const sort = ownsGroup(step) ? "" : `${sortOf(objectType)} `;
  if (does === "rename") return `rename ${sort}${before?.key} → ${after?.key}`;
  return isHolder(objectType) ? does : `${does} ${sort}${keyOf(step)}`;
}

function ownsGroup({ objectType, ownerRef }: Step): boolean {
  return isHolder(objectType) || ownerRef === undefined;
}

function isHolder(objectType: Step["objectType"]): boolean {
  return objectType === "model" || objectType === "entity" || objectType === "relationship";
}

function renameLines(rename: LikelyRename, planned: Planned): Styled {
  const { objectType, from, to, reason } = rename;
  return [
    "  ",
    { text: "?", told: "doubt" },
    ` ${objectType} ${from.join(".")} looks like ${to}: ${reason}\n`,
    `      ${wayToRename(rename, planned)}\n`,
  ];
}
