import { ApiProblem } from "../../client/create-client.ts";
import { PROBLEMS } from "../../shared/domain/problems.ts";
import { type OwnCalls, readCalls } from "../calls/own-calls.ts";
import { createFaultFinder, type FaultFinder } from "../input/fail-on.ts";
import { ENDINGS_TEXT } from "../input/source-text.ts";
import { createUsageFailure, EXIT, Failure, findExitCode } from "../terminal/failure.ts";
import { ask, canAsk, type Terminal } from "../terminal/terminal.ts";
import { createReport, type Report } from "./apply-report.ts";
import { explainNoModel, readFolder, readSource, type Source } from "./model-folder.ts";
import { createPayload, makePlan, type Preview, type Run } from "./plan-model.ts";
import type { Plan } from "./plan-steps.ts";

type Command = "plan" | "apply";

/** Runs `metaction plan` or `metaction apply <file|folder>`; an apply with `--dry-run` is a plan. */
export async function planOrApply(terminal: Terminal, name: Command, args: readonly string[]): Promise<number> {
  const calls = await readCalls(terminal, name, args);
  const command = calls.common["dry-run"] ? "plan" : name;
  const [word = ""] = calls.words;
  if (calls.common.input !== undefined)
    throw createUsageFailure(`--input does not apply to ${command}; name the document itself`);
  const findFault = createFaultFinder((name) => (name === "fail-on" ? calls.text(name) : undefined));
  const folder = await readFolder(word);
  const report = createReport(terminal, command, calls, folder);
  if (folder) refuseForOne(calls);
  const sources = folder ? folder.files : [word];
  if (sources.length === 0) throw createUsageFailure(`${word} contains no ${ENDINGS_TEXT} file`);

  if (calls.common.curl) return printCurl(terminal, command, calls, sources);
  const inputs = await readAll(terminal, sources, folder !== undefined);
  const runs: Run[] = [];
  for (const run of inputs) runs.push(run.source ? await planAll(calls, run.file, run.source) : run);
  if (runs.every((run) => run.noModel !== undefined)) throw createUsageFailure(`${word} contains no model`);
  const checkedRuns = runs.map((run) => holdBack(run, calls.text("plan"), findFault));
  if (command === "plan") return report.end(checkedRuns);
  await report.plans(checkedRuns);
  return report.end(await applyPlans(terminal, calls, checkedRuns, report));
}

interface Input extends Run {
  readonly source?: Source;
}

async function readAll(terminal: Terminal, files: readonly string[], inFolder: boolean): Promise<readonly Input[]> {
  const inputs: Input[] = [];
  for (const file of files) {
    try {
      const source = await readSource(terminal, file);
      const reason = inFolder ? explainNoModel(source) : undefined;
      inputs.push(reason === undefined ? { file: source.file, source } : { file, noModel: reason });
    } catch (error) {
      inputs.push({ file, error });
    }
  }
  return inputs.map(({ file, source, ...rest }) => {
    const match = source?.key && inputs.find((one) => one.file !== file && one.source?.key === source.key);
    if (!source || !match) return { file, ...rest, ...(source && { source }) };
    return {
      file,
      error: createUsageFailure(`${file} describes model ${source.key}, and so does ${match.file}; keep one of them`),
    };
  });
}

async function planAll(calls: OwnCalls, file: string, source: Source): Promise<Run> {
  try {
    const plan = await makePlan(calls, source);
    return plan ? { file, preview: plan } : { file };
  } catch (error) {
    // The remaining files and models would fail in the same way.
    if (findExitCode(error) === EXIT.server || findExitCode(error) === EXIT.notSignedIn) throw error;
    return { file, error };
  }
}

function holdBack(run: Run, planHash: string | undefined, findFault: FaultFinder): Run {
  if (!run.preview) return run;
  const { plan: now } = run.preview;
  if (planHash !== undefined && planHash !== now.plan) {
    const sentence = `${now.key}: plan ${planHash} is outdated. To apply the current plan, use --plan=${now.plan}`;
    return { ...run, error: new Failure(sentence, PROBLEMS.plan_outdated.exit) };
  }
  const fault = findFault(now);
  if (fault === undefined) return run;
  const [count, what] = fault;
  const subject = count === 1 ? "step is" : "steps are";
  return { ...run, error: new Failure(`${now.key}: ${count} ${subject} ${what}`, EXIT.breaking) };
}

async function applyPlans(
  terminal: Terminal,
  calls: OwnCalls,
  runs: readonly Run[],
  report: Report,
): Promise<readonly Run[]> {
  const failFast = calls.on("fail-fast");
  const isRefused = ({ error }: Run) => error !== undefined;
  if (runs.length === 1 && runs.some(isRefused)) return runs;
  if (failFast && runs.some(isRefused)) return runs;
  const willChange = runs.filter((run) => !isRefused(run) && (run.preview?.plan.stepCount ?? 0) > 0);
  if (willChange.length > 0 && !calls.common.yes) {
    if (canAsk(terminal)) await askToApply(terminal, calls, willChange);
    else {
      const checkedRuns = runs.map((run) => (willChange.includes(run) ? holdUnconfirmed(terminal, calls, run) : run));
      if (checkedRuns.some((run, i) => run !== runs[i])) return checkedRuns;
    }
  }
  const results: Run[] = [];
  for (const run of runs) {
    if (!run.preview || isRefused(run) || (failFast && results.some(isRefused))) results.push(run);
    else results.push(await applyOne(calls, run, run.preview, report));
  }
  return results;
}

async function applyOne(
  calls: OwnCalls,
  run: Run,
  { payload, plan: knownPlan, source }: Preview,
  report: Report,
): Promise<Run> {
  try {
    const answer = await calls.call("model_apply", { ...payload, plan: knownPlan.plan });
    // The declared answer of the action.
    return { ...run, answer: answer?.body as Plan };
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== "plan_outdated") return { ...run, error };
    const now = await planAll(calls, run.file, source);
    if (!now.preview) return now;
    await report.plans([now]);
    const text = "the model changed after the plan was made, and nothing was applied; the current plan is shown above";
    return {
      ...run,
      error: new Failure(`${knownPlan.key}: ${text}. To apply it, run the command again`, findExitCode(error)),
    };
  }
}

async function askToApply(terminal: Terminal, { settings }: OwnCalls, runs: readonly Run[]) {
  const [first, ...others] = runs;
  const target = others.length > 0 ? `${runs.length} models` : first?.preview?.plan.key;
  const question = `Apply to ${target} on ${settings.url.value}. Continue? [y/N] `;
  if (/^y(es)?$/i.test(await ask(terminal, question))) return;
  throw new Failure("nothing was applied", EXIT.interrupted);
}

/** Returns the run, refused with exit code 9 if it must be confirmed: each without a seen plan, else a breaking one. */
function holdUnconfirmed(terminal: Terminal, calls: OwnCalls, run: Run): Run {
  const { key = "", steps = [], stepCount = 0, breaking = 0 } = run.preview?.plan ?? {};
  const refuse = (sentence: string): Run => ({ ...run, error: new Failure(`${key}: ${sentence}`, EXIT.unconfirmed) });
  if (terminal.stderr.isTTY)
    return refuse("cannot ask for confirmation, because stdin is not a terminal. Add --yes to apply without asking");
  // An answer lists a limited number of steps; with --prune, the others may delete.
  const mayDelete = steps.some(({ does }) => does === "delete") || (calls.on("prune") && stepCount > steps.length);
  if (calls.on("allow-breaking") || (breaking === 0 && !mayDelete)) return run;
  const risk = breaking === 0 ? "the plan deletes" : `${breaking} ${breaking === 1 ? "step is" : "steps are"} breaking`;
  return refuse(`${risk}, and nothing was applied. Without a terminal, add --allow-breaking or --yes`);
}

function refuseForOne(calls: OwnCalls) {
  const flags = [
    ...(["model", "plan"] as const).filter((flag) => calls.text(flag) !== undefined),
    ...(["if-match", "idempotency-key"] as const).filter((flag) => calls.common[flag] !== undefined),
  ];
  if (flags.length > 0)
    throw createUsageFailure(`--${flags[0]} applies to one model, and a folder may contain several; name one file`);
}

async function printCurl(
  terminal: Terminal,
  command: Command,
  calls: OwnCalls,
  files: readonly string[],
): Promise<number> {
  for (const file of files) {
    const source = await readSource(terminal, file);
    if (files.length > 1 && explainNoModel(source) !== undefined) continue;
    const payload = createPayload(calls, source);
    await calls.call("model_apply", payload, command === "plan" ? { ...calls.common, "dry-run": true } : calls.common);
  }
  return EXIT.done;
}
