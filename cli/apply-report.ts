import { outcomeOf, type Run, refusalOf, summaryOf } from "./apply-run.ts";
import { escapedLine } from "./escape.ts";
import { EXIT, exitOf } from "./failure.ts";
import type { Folder } from "./model-files.ts";
import { formatOf, isBold, isStyled, print, queried, write } from "./output.ts";
import type { OwnCalls } from "./own-calls.ts";
import { markdownOf } from "./plan-markdown.ts";
import { countsOf, gravestOf } from "./plan-steps.ts";
import { planText } from "./plan-text.ts";
import { TOLD_ENDINGS } from "./source-text.ts";
import { tableOf } from "./table.ts";
import type { Terminal } from "./terminal.ts";
import type { Styled } from "./text-stream.ts";

/** The way in which a command tells of its runs. */
export interface Report {
  /** Shows plans before they are applied, on stderr. */
  plans(runs: readonly Run[]): Promise<void>;
  /** Shows what came of all runs, and answers the exit code; of a single source, it throws what refused it. */
  end(runs: readonly Run[]): Promise<number>;
}

/** The report of `plan` or `apply`, in the form that is asked for; on a terminal text, else JSON. */
export function reportOf(
  place: Terminal,
  command: "plan" | "apply",
  { common, settings }: OwnCalls,
  folder: Folder | undefined,
): Report {
  const { output } = settings;
  const own = output === undefined ? (place.stdout.isTTY ? "text" : undefined) : ownForm(output.value);
  const format =
    own === undefined || common.query !== undefined ? formatOf(own ? undefined : output, place) : undefined;
  const styled = isBold(place, common);
  return {
    plans: async (runs) => {
      if (common.quiet) return;
      const texts = runs.flatMap(({ planned }) => (planned ? [...planText(planned), "\n"] : []));
      await place.stderr.write(texts, isStyled(place.stderr, place.environment, common.color));
    },
    end: async (runs) => {
      const [only] = runs;
      const isHeld = only?.planned !== undefined && exitOf(only.error) === EXIT.breaking && command === "plan";
      if (!folder && only?.error !== undefined && !isHeld) throw only.error;
      if (folder && format === "table" && common.query === undefined) await write(place, summaryTable(runs), styled);
      else if (format !== undefined) {
        const body = folder ? { items: runs.map((run) => rowOf(run, command)) } : (only?.answer ?? only?.planned?.plan);
        await print(await queried(body, common), format, common, place);
      } else if (own === "markdown") await write(place, markdownOf(runs, command));
      else await write(place, textOf(runs), styled);
      if (folder) await tellRefusals(runs, own === "text" || format === "table");
      return exitOfAll(runs);
    },
  };

  function textOf(runs: readonly Run[]): Styled {
    const plans =
      command === "plan" ? runs.flatMap(({ planned }) => (planned ? [...planText(planned), "\n"] : [])) : [];
    if (folder)
      return [
        ...plans,
        ...tableOf(
          runs.map((run) => summaryOf(run, command)),
          place.stdout.columns,
        ),
      ];
    return command === "plan" ? plans.slice(0, -1) : runs.map((run) => `${resultOf(run)}\n`);
  }

  function summaryTable(runs: readonly Run[]): Styled {
    const rows = runs.map((run) => summaryOf(run, command));
    return tableOf(rows, place.stdout.columns);
  }

  /** Tells what was refused and why, unless a table with one line for each said it all. */
  async function tellRefusals(runs: readonly Run[], inTable: boolean): Promise<void> {
    for (const run of runs) {
      const [first, ...more] = refusalOf(run) ?? [];
      if (first === undefined || (inTable && more.length === 0)) continue;
      const isColoured = isStyled(place.stderr, place.environment, common.color);
      await place.stderr.write([{ text: escapedLine(`${run.file}: ${first}`), told: "error" }, "\n"], isColoured);
      for (const line of more) place.stderr.writeLine(line);
    }
    const others = folder?.others ?? [];
    if (others.length > 0 && !common.quiet)
      place.stderr.writeLine(`Left alone, no ${TOLD_ENDINGS}: ${listed(others)}.`);
  }
}

function ownForm(value: string): "text" | "markdown" | undefined {
  return value === "text" || value === "markdown" ? value : undefined;
}

/** Names in a list, of many the first ones. */
function listed(names: readonly string[], most = 8): string {
  const left = names.length - most;
  return left > 0 ? `${names.slice(0, most).join(", ")} and ${left} more` : names.join(", ");
}

/** A run as a program reads it. */
function rowOf(run: Run, command: "plan" | "apply") {
  const { file, planned, answer, noModel, error } = run;
  const impact = planned && gravestOf(planned.plan);
  return {
    file,
    ...(planned && { model: planned.plan.key }),
    outcome: outcomeOf(run, command),
    ...(impact && { impact }),
    ...(noModel !== undefined && { reason: noModel }),
    ...(error !== undefined && { reason: refusalOf(run)?.join("\n"), exit: exitOf(error) }),
    ...(planned && { answer: answer ?? planned.plan }),
  };
}

/** One line about a model that was applied to. */
function resultOf(run: Run): string {
  const { answer, planned } = run;
  const outcome = outcomeOf(run, "apply");
  if (outcome === "accepted") return `${planned?.plan.key}: ${outcome}, as the job ${(answer as { job?: string }).job}`;
  const steps = answer && answer.stepCount > 0 ? ` (${countsOf(answer)})` : "";
  return `${planned?.plan.key}: ${outcome}, revision ${answer?.revision}${steps}`;
}

/** The exit code of all: of the first that was refused, and else 8 where `--fail-on` held one back. */
function exitOfAll(runs: readonly Run[]): number {
  const codes = runs.flatMap(({ error }) => (error === undefined ? [] : [exitOf(error)]));
  return codes.find((code) => code !== EXIT.breaking) ?? codes[0] ?? EXIT.done;
}
