import { IMPACTS } from "../shared/domain/compare/difference.ts";
import { LIMITS } from "../shared/domain/limits.ts";
import { outcomeOf, type Run, refusalOf, summaryOf } from "./apply-run.ts";
import type { Planned } from "./plan-model.ts";
import { countsOf, keyOf, type LikelyRename, membersOf, type Plan, SIGNS, type Step, sortOf } from "./plan-steps.ts";
import { stateOf, warningOf } from "./plan-text.ts";
import { wayToRename } from "./rename-advice.ts";

type Warning = Plan["warnings"][number];

/** Plans in Markdown for a comment on a pull request, the gravest steps first; what a comment has no room for is cut off. */
export function markdownOf(runs: readonly Run[], command: "plan" | "apply"): string {
  const summary = runs.length > 1 ? summaryLines(runs, command) : [];
  return cut([...summary, ...runs.flatMap((run) => linesOf(run, command, runs.length === 1))]);
}

function summaryLines(runs: readonly Run[], command: "plan" | "apply"): readonly string[] {
  const rows = runs.map((run) => {
    const { file, model, outcome, class: impact, steps, why } = summaryOf(run, command);
    return rowOf([code(file), model && code(model), outcome, impact, steps, cell(why)]);
  });
  const title = command === "plan" ? "Plan" : "Applied";
  return [
    `## ${title}: ${runs.length} files`,
    "",
    ...head("file", "model", "outcome", "class", "steps", "why"),
    ...rows,
    "",
  ];
}

function linesOf(run: Run, command: "plan" | "apply", isOnly: boolean): readonly string[] {
  const { planned, file } = run;
  const why = refusalOf(run);
  const outcome = outcomeOf(run, command);
  if (!planned) return why ? [`### ${code(file)}`, "", `**${outcome}**: ${cell(why.join(" "))}`, ""] : [];
  const { plan } = planned;
  const { steps = [], likelyRenames = [], warnings, stepCount } = plan;
  const notes = [...likelyRenames.map((rename) => renameLine(rename, planned)), ...warnings.map(noteLine)];
  if (!isOnly && !why && stepCount === 0 && notes.length === 0) return [];
  const graver = IMPACTS.flatMap((impact) => steps.filter((step) => step.impact === impact));
  const left = stepCount - steps.length;
  return [
    `### ${code(file)} → ${code(plan.key)}: ${countsOf(plan)}`,
    "",
    `**${outcome}**${why ? `: ${cell(why.join(" "))}` : ""}; from ${cell(stateOf(planned))}, plan ${code(plan.plan)}`,
    "",
    ...(steps.length > 0 ? [...head("", "class", "step", "changes", "why"), ...graver.map(stepRow), ""] : []),
    ...(left > 0 ? [`And ${left} steps more, which no answer lists.`, ""] : []),
    ...(notes.length > 0 ? [...notes, ""] : []),
  ];
}

function noteLine(warning: Warning): string {
  return `- ${cell(warningOf(warning))}`;
}

function stepRow(step: Step): string {
  const { does, impact, reasons, objectType } = step;
  const members = membersOf(step).map(({ name, before, after }) =>
    before === undefined ? `${name} ${code(after)}` : `${name} ${code(before)} → ${code(after)}`,
  );
  if (does === "rename") members.push(`${code(String(step.before?.key))} → ${code(String(step.after?.key))}`);
  const place = placeOf(step);
  const what = `${does} ${sortOf(objectType)}${place === "" ? "" : ` ${code(place)}`}`;
  return rowOf([code(SIGNS[does]), impact, what, members.join("; "), cell(reasons.join("; "))]);
}

function placeOf(step: Step): string {
  const { entityKey, relationshipKey } = step;
  const [owner, own] = [entityKey ?? relationshipKey, keyOf(step)];
  return [...new Set([owner, own])].filter((key) => key !== undefined).join(".");
}

function renameLine(rename: LikelyRename, planned: Planned): string {
  const { objectType, from, to, reason } = rename;
  const way = wayToRename(rename, planned);
  return `- ${objectType} ${code(from.join("."))} looks like ${code(to)}: ${cell(reason)}; ${cell(way)}`;
}

function head(...names: readonly string[]): readonly string[] {
  return [rowOf(names), `|${names.map(() => "---|").join("")}`];
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** A text of the model, of which no character is Markdown and nobody is told by an `@`. */
function code(text: string): string {
  const line = text.replace(/\s+/g, " ").replaceAll("|", "\\|");
  const ticks = "`".repeat(1 + Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)));
  return ticks.length === 1 ? `\`${line}\`` : `${ticks} ${line} ${ticks}`;
}

/** A sentence in a cell of a table, of which no character is Markdown; a comment of HTML behind `@` keeps it from telling people. */
function cell(text: string): string {
  const line = text.replace(/\s+/g, " ").replace(/[\\`*_|<>[\]#]/g, (character) => `\\${character}`);
  return line.replaceAll("@", "@<!-- -->");
}

/** Lines as one text, which ends before the line that would make it longer than a comment may be. */
function cut(lines: readonly string[]): string {
  const whole = `${lines.join("\n").trimEnd()}\n`;
  if (bytesOf(whole) <= LIMITS.commentBytes) return whole;
  const note = (left: number): string =>
    `\n${left} more lines have no room in a comment; see all with \`metaction plan\`.\n`;
  let room = LIMITS.commentBytes - bytesOf(note(lines.length)) - 1;
  const kept: string[] = [];
  for (const line of lines) {
    room -= bytesOf(line) + 1;
    if (room < 0) break;
    kept.push(line);
  }
  return `${kept.join("\n")}\n${note(lines.length - kept.length)}`;
}

const ENCODER = new TextEncoder();

function bytesOf(text: string): number {
  return ENCODER.encode(text).length;
}
