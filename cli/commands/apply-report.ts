import { IMPACTS } from "../../shared/domain/differences.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { OwnCalls } from "../calls/own-calls.ts";
import { ENDINGS_TEXT } from "../input/source-text.ts";
import { chooseFormat, isBold, isStyled, print, write } from "../output/output.ts";
import { applyQuery } from "../output/query.ts";
import { formatTable } from "../output/table.ts";
import { EXIT, findExitCode } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { escapeLine, type RichText } from "../terminal/text-stream.ts";
import type { Folder } from "./model-folder.ts";
import { findOutcome, findRefusal, type Preview, type Run, summarizeRuns } from "./plan-model.ts";
import {
  countSteps,
  findStepKey,
  findWorstImpact,
  formatKind,
  type LikelyRename,
  listStepMembers,
  type Plan,
  SIGNS,
  type Step,
} from "./plan-steps.ts";
import { describeRename, formatPlan, formatState, formatWarning } from "./plan-text.ts";

/** Output of the commands `plan` and `apply`. */
export interface Report {
  plans(runs: readonly Run[]): Promise<void>;
  end(runs: readonly Run[]): Promise<number>;
}

/** Creates the report of `plan` or `apply`: text on a terminal, else JSON. */
export function createReport(
  terminal: Terminal,
  command: "plan" | "apply",
  { common, settings }: OwnCalls,
  folder: Folder | undefined,
): Report {
  const { output } = settings;
  const own = output === undefined ? (terminal.stdout.isTTY ? "text" : undefined) : findReportForm(output.value);
  const format =
    own === undefined || common.query !== undefined ? chooseFormat(own ? undefined : output, terminal) : undefined;
  const hasStyle = isBold(terminal, common);
  return {
    plans: async (runs) => {
      if (common.quiet) return;
      const texts = runs.flatMap(({ preview }) => (preview ? [...formatPlan(preview), "\n"] : []));
      await terminal.stderr.write(texts, isStyled(terminal.stderr, terminal.environment, common.color));
    },
    end: async (runs) => {
      const [item] = runs;
      const isHeld = item?.preview !== undefined && findExitCode(item.error) === EXIT.breaking && command === "plan";
      if (!folder && item?.error !== undefined && !isHeld) throw item.error;
      if (folder && format === "table" && common.query === undefined)
        await write(terminal, formatSummaryTable(runs), hasStyle);
      else if (format !== undefined) {
        const body = folder
          ? { items: runs.map((run) => toReportRow(run, command)) }
          : (item?.answer ?? item?.preview?.plan);
        await print(await applyQuery(body, common), format, common, terminal);
      } else if (own === "markdown") await write(terminal, formatPlansAsMarkdown(runs, command));
      else await write(terminal, formatRuns(runs), hasStyle);
      if (folder) await printRefusals(folder, runs, own === "text" || format === "table");
      return findExitCodeOfRuns(runs);
    },
  };

  function formatRuns(runs: readonly Run[]): RichText {
    const plans =
      command === "plan" ? runs.flatMap(({ preview }) => (preview ? [...formatPlan(preview), "\n"] : [])) : [];
    if (folder) return [...plans, ...formatSummaryTable(runs)];
    return command === "plan" ? plans.slice(0, -1) : runs.map((run) => `${formatResult(run)}\n`);
  }

  function formatSummaryTable(runs: readonly Run[]): RichText {
    const rows = runs.map((run) => summarizeRuns(run, command));
    return formatTable(rows, terminal.stdout.columns);
  }

  async function printRefusals({ others }: Folder, runs: readonly Run[], inTable: boolean) {
    for (const run of runs) {
      const [first, ...more] = findRefusal(run) ?? [];
      if (first === undefined || (inTable && more.length === 0)) continue;
      const isColoured = isStyled(terminal.stderr, terminal.environment, common.color);
      await terminal.stderr.write([{ text: escapeLine(`${run.file}: ${first}`), tone: "error" }, "\n"], isColoured);
      for (const line of more) terminal.stderr.writeLine(line);
    }
    if (others.length > 0 && !common.quiet)
      terminal.stderr.writeLine(`Ignored, because they do not end in ${ENDINGS_TEXT}: ${listFirstNames(others)}.`);
  }
}

function findReportForm(value: string): "text" | "markdown" | undefined {
  return value === "text" || value === "markdown" ? value : undefined;
}

function listFirstNames(names: readonly string[], limit = 8) {
  const left = names.length - limit;
  return left > 0 ? `${names.slice(0, limit).join(", ")} and ${left} more` : names.join(", ");
}

function toReportRow(run: Run, command: "plan" | "apply") {
  const { file, preview, answer, noModel, error } = run;
  const impact = preview && findWorstImpact(preview.plan);
  return {
    file,
    ...(preview && { model: preview.plan.key }),
    outcome: findOutcome(run, command),
    ...(impact && { impact }),
    ...(noModel !== undefined && { reason: noModel }),
    ...(error !== undefined && { reason: findRefusal(run)?.join("\n"), exit: findExitCode(error) }),
    ...(preview && { answer: answer ?? preview.plan }),
  };
}

function formatResult(run: Run) {
  const { answer, preview } = run;
  const outcome = findOutcome(run, "apply");
  if (outcome === "accepted") return `${preview?.plan.key}: ${outcome}, as job ${(answer as { job?: string }).job}`;
  const steps = answer && answer.stepCount > 0 ? ` (${countSteps(answer)})` : "";
  return `${preview?.plan.key}: ${outcome}, revision ${answer?.revision}${steps}`;
}

function findExitCodeOfRuns(runs: readonly Run[]) {
  const codes = runs.flatMap(({ error }) => (error === undefined ? [] : [findExitCode(error)]));
  return codes.find((code) => code !== EXIT.breaking) ?? codes[0] ?? EXIT.done;
}

type Warning = Plan["warnings"][number];

/** Formats plans as Markdown for a pull request comment, most severe steps first, cut to the size of a comment. */
export function formatPlansAsMarkdown(runs: readonly Run[], command: "plan" | "apply"): string {
  const summary = runs.length > 1 ? formatSummaryLines(runs, command) : [];
  return cutToComment([...summary, ...runs.flatMap((run) => formatRunLines(run, command, runs.length === 1))]);
}

function formatSummaryLines(runs: readonly Run[], command: "plan" | "apply"): readonly string[] {
  const rows = runs.map((run) => {
    const { file, model, outcome, class: impact, steps, why } = summarizeRuns(run, command);
    return formatMarkdownRow([escapeCode(file), model && escapeCode(model), outcome, impact, steps, escapeCell(why)]);
  });
  const title = command === "plan" ? "Plan" : "Applied";
  return [
    `## ${title}: ${runs.length} files`,
    "",
    ...formatTableHead("file", "model", "outcome", "class", "steps", "why"),
    ...rows,
    "",
  ];
}

function formatRunLines(run: Run, command: "plan" | "apply", isOnly: boolean): readonly string[] {
  const { preview, file } = run;
  const why = findRefusal(run);
  const outcome = findOutcome(run, command);
  if (!preview) return why ? [`### ${escapeCode(file)}`, "", `**${outcome}**: ${escapeCell(why.join(" "))}`, ""] : [];
  const { plan } = preview;
  const { steps = [], likelyRenames = [], warnings, stepCount } = plan;
  const notes = [...likelyRenames.map((rename) => formatRenameLine(rename, preview)), ...warnings.map(formatNoteLine)];
  if (!isOnly && !why && stepCount === 0 && notes.length === 0) return [];
  const sortedSteps = IMPACTS.flatMap((impact) => steps.filter((step) => step.impact === impact));
  const left = stepCount - steps.length;
  return [
    `### ${escapeCode(file)} → ${escapeCode(plan.key)}: ${countSteps(plan)}`,
    "",
    `**${outcome}**${why ? `: ${escapeCell(why.join(" "))}` : ""}; from ${escapeCell(formatState(preview))}, plan ${escapeCode(plan.plan)}`,
    "",
    ...(steps.length > 0
      ? [...formatTableHead("", "class", "step", "changes", "why"), ...sortedSteps.map(formatStepRow), ""]
      : []),
    ...(left > 0 ? [`${left} more steps are not listed in the answer.`, ""] : []),
    ...(notes.length > 0 ? [...notes, ""] : []),
  ];
}

function formatNoteLine(warning: Warning) {
  return `- ${escapeCell(formatWarning(warning))}`;
}

function formatStepRow(step: Step) {
  const { does, impact, reasons, objectType } = step;
  const members = listStepMembers(step).map(({ name, before, after }) =>
    before === undefined ? `${name} ${escapeCode(after)}` : `${name} ${escapeCode(before)} → ${escapeCode(after)}`,
  );
  if (does === "rename")
    members.push(`${escapeCode(String(step.before?.key))} → ${escapeCode(String(step.after?.key))}`);
  const path = formatStepPath(step);
  const text = `${does} ${formatKind(objectType)}${path === "" ? "" : ` ${escapeCode(path)}`}`;
  return formatMarkdownRow([escapeCode(SIGNS[does]), impact, text, members.join("; "), escapeCell(reasons.join("; "))]);
}

function formatStepPath(step: Step) {
  const { entityKey, relationshipKey } = step;
  const [owner, own] = [entityKey ?? relationshipKey, findStepKey(step)];
  return [...new Set([owner, own])].filter((key) => key !== undefined).join(".");
}

function formatRenameLine(rename: LikelyRename, preview: Preview) {
  const { objectType, from, to, confidence, reason } = rename;
  const advice = describeRename(rename, preview);
  return `- ${objectType} ${escapeCode(from.join("."))} looks like ${escapeCode(to)} (${Math.round(100 * confidence)} %): ${escapeCell(reason)}; ${escapeCell(advice)}`;
}

function formatTableHead(...names: readonly string[]): readonly string[] {
  return [formatMarkdownRow(names), `|${names.map(() => "---|").join("")}`];
}

function formatMarkdownRow(cells: readonly string[]) {
  return `| ${cells.join(" | ")} |`;
}

/** Escapes text of a model as Markdown code; `@` notifies nobody. */
function escapeCode(text: string) {
  const line = text.replace(/\s+/g, " ").replaceAll("|", "\\|");
  const ticks = "`".repeat(1 + Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)));
  return ticks.length === 1 ? `\`${line}\`` : `${ticks} ${line} ${ticks}`;
}

/** Escapes a sentence for a Markdown table cell; breaks `@mentions` so that nobody is notified. */
function escapeCell(text: string) {
  const line = text.replace(/\s+/g, " ").replace(/[\\`*_|<>[\]#]/g, (character) => `\\${character}`);
  return line.replaceAll("@", "@<!-- -->");
}

function cutToComment(lines: readonly string[]) {
  const text = `${lines.join("\n").trimEnd()}\n`;
  if (Buffer.byteLength(text) <= LIMITS.commentBytes) return text;
  const formatNote = (left: number) =>
    `\n${left} more lines do not fit into a comment; see all with \`metaction plan\`.\n`;
  let space = LIMITS.commentBytes - Buffer.byteLength(formatNote(lines.length)) - 1;
  const keptLines: string[] = [];
  for (const line of lines) {
    space -= Buffer.byteLength(line) + 1;
    if (space < 0) break;
    keptLines.push(line);
  }
  return `${keptLines.join("\n")}\n${formatNote(lines.length - keptLines.length)}`;
}
